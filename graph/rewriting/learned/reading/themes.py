"""Themes: which noun phrase a question is about, and whether that phrase needs something said before."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from graph.catalog.function_words import AUXILIARIES, QUESTION_WORDS
from graph.rewriting.learned.reading.grammar import Phrase, noun_phrases, tags
from graph.rewriting.learned.reading.lexicon import (
    ANAPHORS,
    BE,
    DEMONSTRATIVES,
    DETERMINERS,
    LEADS,
    OWNERS,
    REQUESTS,
    is_adjective,
    is_generic,
    is_relational,
    is_speaker,
)
from graph.rewriting.learned.reading.passages import Passage

Form = Literal["none", "pronoun", "own", "about", "request", "adjective", "subject", "object", "first"]
"""How a question speaks of its theme: by a pronoun, as "its ...", after "what about", in a request, and so on."""

FORMS: tuple[Form, ...] = get_args(Form)
COMPLEMENTS = frozenset("of in for to about with on between behind against from around related at by".split())
_EXTENDING = frozenset("of in for on about".split())
_OPENERS = (("what", "about"), ("how", "about"))
_SKIPPED = frozenset("the a an all some any not t there of".split())
_VAGUE = frozenset("people way ways thing things time".split())


@dataclass(frozen=True, slots=True)
class Theme:
    """What a question is about.

    Attributes:
        form: How it speaks of it.
        phrase: The noun phrase, if it has one.
        subject: The part of it, or of its complement, that names something by itself: a new topic.
        extended: The same with the phrase that follows ("acidic reflux in the morning").
        relational: Whether its noun asks for an "of".
        headless: Whether the phrase lacks its noun ("the largest").
        complete: Whether what it asks for follows.
        generic: Whether it only repeats what was spoken of ("the experiment").
        anaphoric: Whether the question has a pronoun.
    """

    form: Form
    phrase: Phrase | None = None
    subject: Phrase | None = None
    extended: Phrase | None = None
    relational: bool = False
    headless: bool = False
    complete: bool = False
    generic: bool = False
    anaphoric: bool = False

    @property
    def wanting(self) -> bool:
        """Whether the phrase asks for something that the question does not say."""
        return (self.relational or self.headless) and not self.complete


@lru_cache(maxsize=1024)
def theme_of(passage: Passage) -> Theme:
    """Read what a question is about."""
    form, phrase = _find(passage)
    clause = passage.lower[: _clause_end(passage)]
    anaphoric = not ANAPHORS.isdisjoint(clause)
    if phrase is None:
        return Theme(form, anaphoric=anaphoric)
    return _described(passage, form, phrase, anaphoric=anaphoric)


def complement(passage: Passage, end: int) -> Phrase | None:
    """The noun phrase that a preposition joins to a phrase that ends before a word."""
    if passage.after(end) not in COMPLEMENTS:
        return None
    first = end + 1
    while passage.after(first) in DETERMINERS:
        first += 1
    return next((phrase for phrase in noun_phrases(passage) if phrase[0] == first), None)


def _clause_end(passage: Passage) -> int:
    """Where the first clause ends: "What is CBT | and how does it work"."""
    lower = passage.lower
    for index in range(2, len(lower) - 1):
        if lower[index] in {"and", "but", "or"} and lower[index + 1] in QUESTION_WORDS | AUXILIARIES:
            return index
    return len(lower)


def _find(passage: Passage) -> tuple[Form, Phrase | None]:
    lower, phrases = passage.lower, noun_phrases(passage)
    first = next((index for index, word in enumerate(lower) if word not in LEADS), len(lower))
    if first == len(lower):
        return "none", None
    first = _asked_behind(passage, first)
    if lower[first : first + 2] in _OPENERS:
        later = next((phrase for phrase in phrases if phrase[0] >= first + 2), None)
        return ("about", later) if later else ("none", None)
    if lower[first] in REQUESTS:
        return ("request", phrases[0]) if phrases else ("none", None)
    if lower[first] in QUESTION_WORDS | AUXILIARIES:
        return _asked(passage, first)
    return ("first", phrases[0]) if phrases else ("none", None)


def _asked_behind(passage: Passage, first: int) -> int:
    """Where the question begins behind what only leads in: "In general, | what are ..."."""
    if passage.lower[first] in QUESTION_WORDS | AUXILIARIES | REQUESTS:
        return first
    behind = (i for i in range(first + 1, len(passage.lower)) if not passage.joined(i - 1))
    return next((i for i in behind if passage.lower[i] in QUESTION_WORDS | AUXILIARIES), first)


def _asked(passage: Passage, first: int) -> tuple[Form, Phrase | None]:
    lower, phrases = passage.lower, noun_phrases(passage)
    auxiliary = next(
        (i for i in range(first, len(lower)) if lower[i] in AUXILIARIES or (lower[i] == "s" and i == first + 1)), None
    )
    if auxiliary is None:
        return ("object", phrases[0]) if phrases else ("none", None)
    index = auxiliary + 1
    while passage.after(index) in _SKIPPED:
        index += 1
    word = passage.after(index)
    if word in ANAPHORS:
        owned = _phrase_at(passage, index) if word in OWNERS | DEMONSTRATIVES else None
        return ("own", owned) if owned else ("pronoun", None)
    found = _phrase_at(passage, auxiliary + 1)
    if found:
        headless = tags(passage)[found[1] - 1] == "adjective" and found[0] == auxiliary + 1
        states = headless and lower[auxiliary] in BE and lower[first] not in QUESTION_WORDS
        return ("adjective" if states else "subject"), found
    later = [phrase for phrase in phrases if phrase[0] > auxiliary]
    if later or is_speaker(word):
        return ("object", later[0]) if later else ("none", None)
    return ("subject", phrases[0]) if phrases else ("none", None)


def _phrase_at(passage: Passage, index: int) -> Phrase | None:
    """The noun phrase that begins at a word, or behind the determiners there; one that begins with a gerund, too."""
    start = index
    while passage.after(start) in DETERMINERS | {"more", "of", "also", "s"}:
        start += 1
    found = next((phrase for phrase in noun_phrases(passage) if phrase[0] == start), None)
    if found is None and passage.after(start).endswith("ing") and tags(passage)[start] == "verb":
        inner = _phrase_at(passage, start + 1)
        return (start, inner[1]) if inner else None
    return found


def _described(passage: Passage, form: Form, phrase: Phrase, *, anaphoric: bool) -> Theme:
    """Follow the "of" of relational nouns down to what names something: "the origins of *popular music*"."""
    tagged = tags(passage)
    start, end = phrase
    relational = headless = complete = False
    while True:
        inner = complement(passage, end)
        proper = passage.proper(end - 1)
        wants = (tagged[end - 1] == "adjective" or is_relational(passage.lower[end - 1])) and not proper
        if not wants:
            break
        if start == phrase[0]:
            headless = tagged[end - 1] == "adjective"
            relational = not headless
        if inner is not None and not (anaphoric and not passage.capital(inner[1] - 1)):
            complete, (start, end) = True, inner
            continue
        owner = next((i for i in range(end - 1, start, -1) if passage.lower[i] == "s"), None)
        if owner is not None:
            complete, end = True, owner
            continue
        complete = complete or inner is not None
        if inner is not None or headless or not _compound(passage, start, end):
            return Theme(form, phrase, None, None, relational, headless, complete, anaphoric=anaphoric)
        break
    generic = _repeats(passage, start, end)
    asked = passage.before(start) in {"what", "which"}
    names = form != "own" and not generic and not asked and not (anaphoric and not passage.capital(end - 1))
    if not names or passage.lower[end - 1] in _VAGUE or is_speaker(passage.lower[end - 1]):
        return Theme(form, phrase, None, None, relational, headless, complete, generic, anaphoric)
    inner = complement(passage, end)
    longer = (start, inner[1]) if inner and passage.lower[end] in _EXTENDING else (start, end)
    subject = longer if passage.after(end) == "of" else (start, end)
    return Theme(form, phrase, subject, longer, relational, headless, complete, generic, anaphoric)


def _compound(passage: Passage, start: int, end: int) -> bool:
    """Whether nouns before a relational noun make it a kind of its own ("the drinking age")."""
    return any(not is_adjective(word) and not is_relational(word) for word in passage.lower[start : end - 1])


def _repeats(passage: Passage, start: int, end: int) -> bool:
    if passage.before(start) not in DEMONSTRATIVES | {"the"} or passage.proper(end - 1):
        return False
    return is_generic(passage.lower[end - 1]) and all(is_adjective(word) for word in passage.lower[start : end - 1])
