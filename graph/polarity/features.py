"""What is looked at: what a statement says about the words of a question, and how it opens, denies and compares."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.answering.reviews import sentiment
from graph.language.names import name_pattern
from graph.language.terms import STOPWORDS, stem, terms, words
from graph.polarity import cues
from graph.polarity.alternatives import another_is_stated
from graph.polarity.bounds import fit
from graph.polarity.opposites import opposites_of
from graph.polarity.statement import Statement
from graph.polarity.words import found_in, joined
from graph.support.wording import read

KINDS = ("qa", "review", "spec", "description", "feature")
"""Kinds of evidence the training data tell apart; any other has none of these features."""
FITS = ("inside", "outside", "same", "different")
_FRAMES = frozenset(
    map(
        stem,
        """come include included need require take use good okay fine suitable appropriate work really actually able
        possible year old month fit make product item toy set great kind available recommended""".split(),
    )
)
"""Stems that frame a question; what it asks about are the others."""
_FELT = 0.25
"""Least sentiment, of 1, that counts."""
_SHORT = 4
"""Most words of a value that says one thing."""

Features = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Likeness:
    """Cosines of a question to a statement, 0 where there is nothing to compare.

    Attributes:
        whole: To all of it.
        earlier: To the customer question it answered.
        affirmed: How much nearer the statement is to what a yes would say than to what a no would.
    """

    whole: float
    earlier: float
    affirmed: float


def matter_of(question: str) -> frozenset[str]:
    """Stems of what a question is about; of all its content words where nothing else is left."""
    asked = frozenset(terms(question))
    return asked - _FRAMES or asked


def describe(question: str, one: Statement, kind: str | None, like: Likeness) -> dict[str, float]:
    """Describe a statement beside a question: the features by their names."""
    matter = matter_of(question)
    held = {text: found_in(matter, frozenset(terms(text)), joined(text)) for text in (one.said, *one.clauses)}
    nearest = max(one.clauses, key=lambda text: len(held[text]))
    share = len(held[one.said]) / max(len(matter), 1)
    return (
        _openings(one, like)
        | _words(question, one, nearest, share)
        | _values(question, one, kind, held[one.said])
        | _box(question, one, nearest, said=share > 0)
        | _tone(question, one, like)
        | {name: float(kind == name) for name in KINDS}
    )


def _openings(one: Statement, like: Likeness) -> dict[str, float]:
    yes, no = bool(cues.OPENS_YES.match(one.said)), bool(cues.OPENS_NO.match(one.said))
    return {
        "opens with yes": yes,
        "opens with no": no,
        "opens with yes to a like question": yes * like.earlier,
        "opens with no to a like question": no * like.earlier,
        "goes on as after yes": not yes and not no and bool(cues.AS_YES.match(one.said)),
        "goes on as after no": not yes and bool(cues.AS_NO.match(one.said)),
    }


def _words(question: str, one: Statement, nearest: str, share: float) -> dict[str, float]:
    asked = frozenset(terms(question))
    denied = found_in(asked, read(one.said).negated, "")
    affirmed, turned = _opposites(question, one.said)
    return {
        "words said": share,
        "words denied": len(denied) / max(len(asked), 1),
        "a word denied": bool(denied),
        "all words said, none denied": share == 1 and not denied,
        "the nearest clause denies": bool(cues.DENIES.search(nearest)),
        "any clause denies": bool(cues.DENIES.search(one.said)),
        "says the opposite": affirmed,
        "denies the opposite": turned,
        "only": bool(cues.ONLY.search(nearest)),
        "only, with less than was asked": share < 1 and bool(cues.ONLY.search(one.said)),
        "another kind of the same thing": _another_kind(question, one.said),
        "another model": _another_model(question, one.said),
        "another thing of its class": another_is_stated(question, one.said),
    }


def _values(question: str, one: Statement, kind: str | None, held: frozenset[str]) -> dict[str, float]:
    how, spec = fit(question, one.said), kind == "spec"
    value = one.said.partition(":")[2]
    short = len(words(value)) <= _SHORT
    return {
        "states true": spec and bool(cues.TRUE.search(one.said)),
        "states false": spec and bool(cues.FALSE.search(one.said)),
        "the value of another thing of its class": spec and another_is_stated(question, one.said),
        "a value without the words": spec and not held and how == "unknown",
        "a short value with a word": spec and short and bool(found_in(held, frozenset(terms(value)), joined(value))),
        **{f"{name} figure": float(how == name) for name in FITS},
    }


def _box(question: str, one: Statement, nearest: str, *, said: bool) -> dict[str, float]:
    asked = bool(cues.ASKS_INCLUDED.search(question))
    return {
        "left out of the box": asked and bool(cues.LEFT_OUT.search(one.said)),
        "included": asked and said and bool(cues.INCLUDED.search(nearest)),
        "something else included": asked and not said and bool(cues.INCLUDED.search(one.said)),
        "asks what is included": asked,
        "asks for a need": bool(cues.ASKS_NEED.search(question)),
    }


def _tone(question: str, one: Statement, like: Likeness) -> dict[str, float]:
    feeling = _felt(one.said)
    return {
        "wishes": bool(cues.WISHES.search(one.said)),
        "unsure": bool(cues.UNSURE.search(one.said)),
        "conditional": bool(cues.CONDITION.search(one.said)),
        "is a question": one.said.rstrip().endswith("?"),
        "favourable": max(feeling, 0.0),
        "unfavourable": max(-feeling, 0.0),
        "as favourable as asked": feeling * _felt(question),
        "asks whether it is bad": bool(cues.ASKS_BAD.search(question)),
        "likeness": like.whole,
        "likeness of the earlier question": like.earlier,
        "nearer to a yes": like.affirmed,
        "log words": float(np.log1p(len(words(one.said)))),
    }


def _opposites(question: str, said: str) -> tuple[bool, bool]:
    """Whether the opposite of a word asked about is said, or denied, and not the word itself."""
    asked, given = set(words(question)), set(words(said))
    denied = read(said).negated
    found = {one for word in asked - given for one in opposites_of(word) if one in given and one not in asked}
    return any(stem(one) not in denied for one in found), any(stem(one) in denied for one in found)


def _another_kind(question: str, said: str) -> bool:
    """Whether a thing is asked for by kind ("a video game") and only another kind is named ("a board game")."""
    asked = cues.KIND_ASKED.search(question)
    if not asked or not terms(asked["kind"]) or name_pattern(asked["kind"], r"\b", "").search(said):
        return False
    named = name_pattern(asked["thing"].removesuffix("s"), r"\b([\w-]{1,40})[ -]", r"s?\b").findall(said)
    return any(kind.lower() not in STOPWORDS and terms(kind) != terms(asked["kind"]) for kind in named)


def _another_model(question: str, said: str) -> bool:
    """Whether models are named, and not the one asked for."""
    asked, given = (set(cues.MODEL.findall(text.lower())) for text in (question, said))
    return bool(asked) and bool(given) and not asked & given


def _felt(text: str) -> float:
    value = sentiment(text)
    return value if abs(value) >= _FELT else 0.0


DENYING = frozenset(
    {
        "opens with no",
        "goes on as after no",
        "a word denied",
        "the nearest clause denies",
        "says the opposite",
        "only, with less than was asked",
        "another kind of the same thing",
        "the value of another thing of its class",
        "states false",
        "outside figure",
        "different figure",
        "left out of the box",
        "wishes",
    }
)
"""What a no must rest on: that nothing is said of what was asked is none."""
BARRING = frozenset({"another kind of the same thing", "another model"})
"""What no yes can stand beside."""
NAMES = tuple(describe("", Statement("", "", ("",)), None, Likeness(0.0, 0.0, 0.0)))
