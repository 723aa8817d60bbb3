"""Reading: the superlative of a question, what it stands beside, and what else is said."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graph.language.adjectives import (
    ADJECTIVES,
    COMPARATIVES,
    DEGREES,
    LEAST,
    MOST,
    SUPERLATIVES,
    Graded,
    superlative_of,
)
from graph.language.function_words import AUXILIARIES, FUNCTION_WORDS
from graph.language.terms import STOPWORDS, words

_COMPARING = frozenset("more less fewer better worse".split())
_TAKES_ADJECTIVE = frozenset("most least more less".split())
_JUDGED = {"best": MOST, "top": MOST, "highest": MOST, "better": MOST, "higher": MOST}
_JUDGED |= {"worst": LEAST, "lowest": LEAST, "worse": LEAST, "lower": LEAST}
_RATINGS = frozenset("rated reviewed rating ratings review reviews scored score stars".split())
_ORDINALS = {"second": 2, "third": 3, "fourth": 4, "fifth": 5, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5}
_LINKING = AUXILIARIES | frozenset("is are was be 's what's which's that's the a an your ones one".split())
_ENDS_PHRASE = FUNCTION_WORDS | frozenset("sell stock carry offer have has got made under below above".split())
_CHEAPEST_TO = re.compile(r"(?i)(?:\west|\b(?:most|least) \w+) to \w")
"""What is easiest or cheapest to do, which no attribute of a product tells."""
_BOUND = re.compile(
    r"(?i)\b(?:at least|at most|under|below|over|above|(?:more|less) than|up to|minimum|maximum)\s+\d[\d.,]{0,15}\s*"
    r"(?:-\s*)?(?:kg|g|mm|cm|m|km|ml|l|lb|oz|litres?|liters?|inch(?:es)?|gb|tb|mah|wh?|watts?|hz|hours?|people|persons?)\b"
)
"""A bound on something other than the price, within which nothing is ranked."""
_MEASURE = re.compile(r"(?i)\b(?:in terms of|by) (?:the )?(\w+(?: \w+)?)\W*$")


@dataclass(frozen=True, slots=True)
class Superlative:
    """What a question wants the most or the least of.

    Attributes:
        shown: The superlative as it is repeated: `lightest`, `most expensive`, `most`.
        graded: What its adjective measures; None where only a degree is said ("the most pockets").
        direction: 1, or -1 for the least of something or the opposite of what an adjective means ("least expensive").
        comparing: Whether it is a comparative, which ranks only products that are named.
        rating: Whether it ranks by what customers gave.
        phrase: The words that follow it up to the end of their noun phrase.
        verb: The verb before it, such as "holds" of "holds the most"; empty for "is".
        rest: The other content words of the question.
        place: Which place is asked for: 1 for the first, 2 for "the second cheapest".
    """

    shown: str
    graded: Graded | None
    direction: int
    comparing: bool
    rating: bool
    phrase: tuple[str, ...]
    verb: str
    rest: tuple[str, ...]
    place: int = 1

    def direction_for(self, way: str, *, timed: bool = False) -> int:
        """Whether more (1) or less (-1) of an attribute is wanted; what is fast takes the least time."""
        if self.graded is None or not self.graded.names:
            return self.direction
        own = dict(self.graded.names)
        hasty = timed and set(own.values()) == {MOST, LEAST}
        usual = self.graded.names[0][1] * (-1 if hasty else 1)
        return own.get(way, usual) * self.direction


def read_superlative(query: str) -> Superlative | None:
    """The first superlative or comparative of a question; None where it has none."""
    tokens = words(query)
    for index in range(len(tokens)):
        found = _rating(tokens, index) or _degree(tokens, index) or _adjective(tokens, index)
        if found is not None:
            return None if _CHEAPEST_TO.search(query) or _BOUND.search(query) else found
    return None


def _rating(tokens: Sequence[str], index: int) -> Superlative | None:
    word, following = tokens[index], tokens[index + 1] if index + 1 < len(tokens) else ""
    if word not in _JUDGED or following not in _RATINGS:
        return None
    shown = "highest" if _JUDGED[word] == MOST else "lowest"
    return _superlative(tokens, (index, index + 2), shown, None, _JUDGED[word], rating=True)


def _degree(tokens: Sequence[str], index: int) -> Superlative | None:
    """Read "the most", "the highest", "the least expensive"."""
    word, before = tokens[index], tokens[index - 1] if index else ""
    following = tokens[index + 1] if index + 1 < len(tokens) else ""
    if word not in DEGREES or before in {"at", "any", "no", "one", "once", "some"}:
        return None
    if word in _TAKES_ADJECTIVE and following in ADJECTIVES:
        shown = f"{'most' if DEGREES[word] == MOST else 'least'} {following}"
        return _superlative(tokens, (index, index + 2), shown, ADJECTIVES[following], DEGREES[word])
    shown = {"more": "most", "less": "least", "fewer": "fewest"}.get(word, word)
    return _superlative(tokens, (index, index + 1), shown, None, DEGREES[word])


def _adjective(tokens: Sequence[str], index: int) -> Superlative | None:
    """Read "lightest" and, to be compared, "lighter"."""
    word = tokens[index]
    adjective = SUPERLATIVES.get(word) or COMPARATIVES.get(word)
    if adjective is None:
        return None
    shown = word if word in SUPERLATIVES else superlative_of(adjective)
    return _superlative(tokens, (index, index + 1), shown, ADJECTIVES[adjective], MOST)


def _superlative(
    tokens: Sequence[str],
    at: tuple[int, int],
    shown: str,
    graded: Graded | None,
    direction: int,
    *,
    rating: bool = False,
) -> Superlative:
    start, end = at
    phrase = _phrase(tokens, end)
    before = list(tokens[:start])
    place = _ORDINALS.get(before[-1], 1) if before else 1
    before = before[:-1] if place > 1 else before
    while before and before[-1] in {"the", "your", "a", "by", "far"}:
        before.pop()
    verb = before[-1] if before and before[-1] not in _LINKING | FUNCTION_WORDS else ""
    after = tokens[end + len(phrase) :]
    said = [word for word in (*before, *after) if word not in STOPWORDS | FUNCTION_WORDS and word != verb]
    comparing = tokens[start] in _COMPARING or tokens[start] in COMPARATIVES
    return Superlative(shown, graded, direction, comparing, rating, phrase, verb, tuple(said), place)


def _phrase(tokens: Sequence[str], start: int) -> tuple[str, ...]:
    """The words of the noun phrase that begins at a place."""
    end = start
    while end < len(tokens) and tokens[end] not in _ENDS_PHRASE:
        end += 1
    return tuple(tokens[start:end])


def measured_by(query: str) -> tuple[str, ...]:
    """What a question ends with the measure of: "the biggest tent by weight"."""
    found = _MEASURE.search(query)
    return tuple(words(found[1])) if found else ()
