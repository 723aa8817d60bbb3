"""Reading: the properties that a question wants products of a kind to have."""

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from graph.answering.bounds import Claim, claim_in
from graph.answering.parsed_clause import IMPLIED, MEASURING
from graph.browsing.wishes import FRAME
from graph.language.families import positive
from graph.language.function_words import AUXILIARIES, QUESTION_WORDS
from graph.language.quantities import NUMBER_WORDS
from graph.language.terms import STOPWORDS, stem, words

_WHICH = re.compile(r"(?i)^\W*(?:(?:and|so|but|or|ok|okay|hi|hello|hey|please)\W+)*(?:which|what)\b")
_SELLS = re.compile(
    r"(?i)^\W*(?:do|does|have|can|are)\s+(?:you|u|the shop|there)\b"
    r"(?=.*\b(?:have|sell|stock|carry|offer|got|show|any)\b)"
)
_OF = re.compile(r"(?i)^\W*(?:ones? )?of (?:your|the|these|those)\b")
_JOINED = re.compile(r"(?i)(?:(?<!\s)\s+)?(?:(?:,\s*)?\b(?:and(?:\s+also)?|plus|as\s+well\s+as)\b\s*|[,&]\s+)")
_EITHER = re.compile(r"(?i)\bor\b")
_BEHIND = re.compile(r"(?i)(?<!\d)(\d[\d.,]{0,15}+(?: ?[^\W\d_]+)?) or (more|less|fewer|lighter|heavier|longer)\b")
_UP_TO = re.compile(r"(?i)\bup to\b")
_DENIED = re.compile(r"(?i)\b(?:not|no|without|never)\b|n['’]t\b")
_MONEY = frozenset("$€£")
_FRAMING = MEASURING - frozenset(map(stem, "support size capacity".split()))
"""Words that frame a question; those that name what products have are not among them."""


@dataclass(frozen=True, slots=True)
class Property:
    """What a product is wanted to have.

    Attributes:
        said: The words that say it.
        terms: Their stems, figures among them as digits.
        bound: The figure it is compared with; None for no comparison.
        denied: Whether it is wanted not to be so.
    """

    said: str
    terms: tuple[str, ...]
    bound: Claim | None
    denied: bool


def may_ask_which(query: str) -> bool:
    """Whether a question opens as one for products does, whatever it asks for."""
    return bool(_WHICH.match(query) or _SELLS.match(query))


def asks_which(query: str, kind: AbstractSet[str]) -> bool:
    """Whether a question asks which products of a kind are something, or whether the shop sells such.

    Args:
        query: The question.
        kind: Stems of the words that say what they are.
    """
    opening = _WHICH.match(query)
    if opening is None:
        return _SELLS.match(query) is not None
    following = words(_OF.sub("", query[opening.end() :]))
    head: list[str] = []
    for word in following:
        if word in STOPWORDS | AUXILIARIES or (head and stem(word) not in kind and stem(head[-1]) in kind):
            break
        head.append(word)
    return bool(head) and stem(head[-1]) in kind


def asks_otherwise(query: str) -> bool:
    """Whether a message is a question of another form, not a search."""
    return next(iter(words(query)), "") in AUXILIARIES | QUESTION_WORDS


def properties_in(query: str, known: AbstractSet[str]) -> list[Property] | None:
    """The properties that are wanted together; none where nothing is, None where one or the other is.

    Args:
        query: The question.
        known: Stems of the words that say what the products are, and of those about their price.
    """
    told = _BEHIND.sub(lambda found: f"{_bound_of(found[2])} {found[1]}", query)
    told = _UP_TO.sub("at most", told)
    if _EITHER.search(told):
        return None
    found = [_property(piece, known) for piece in _JOINED.split(told)]
    return [one for one in found if one.terms or one.bound]


def _bound_of(word: str) -> str:
    return "at least" if word.lower() in {"more", "heavier", "longer"} else "at most"


def _property(piece: str, known: AbstractSet[str]) -> Property:
    claim = claim_in(piece)
    bound = claim if claim and claim.relation in ("more", "less") and claim.unit not in _MONEY | {""} else None
    rest = piece.replace(bound.text, " ") if bound else piece
    spoken = [NUMBER_WORDS.get(word, word) for word in words(rest)]
    kept = [stem(positive(word)) for word in spoken if word not in STOPWORDS and stem(word) not in known]
    kept = [term for term in kept if term not in FRAME | _FRAMING]
    if bound and not kept and bound.unit in IMPLIED:
        kept = [stem(IMPLIED[bound.unit])]
    return Property(piece.strip(" ?.!"), tuple(kept), bound, denied=_DENIED.search(rest) is not None)
