"""Superlatives: what a question wants the most or the least of ("the lightest tent")."""

from collections.abc import Sequence
from dataclasses import dataclass

from graph.language.families import family_of
from graph.language.lexicon import (
    ADJECTIVES,
    AUXILIARIES,
    COMPARATIVES,
    DEFINITE,
    DEGREES,
    FUNCTION_WORDS,
    LEAST,
    MOST,
    SUPERLATIVES,
    Graded,
    superlative_of,
)
from graph.language.locale import table
from graph.language.quantities import NUMBER_WORDS, ORDINALS
from graph.language.terms import stems, with_contractions, words

_TABLE = table("browsing")["superlative"]
_CLASSES = _TABLE["classes"]
_COMPARING, _TAKES_ADJECTIVE, _RATINGS, _NO_DEGREE_BEHIND = (
    frozenset(_TABLE[name].split()) for name in ("comparing", "takes_adjective", "ratings", "no_degree_behind")
)
_JUDGED = {word: way for name, way in (("best", MOST), ("worst", LEAST)) for word in _TABLE[name].split()}
_LINKING = AUXILIARIES | FUNCTION_WORDS | frozenset(_TABLE["linking"].split())
_ENDS_PHRASE = with_contractions(FUNCTION_WORDS | frozenset(_TABLE["ends_phrase"].split()))
_SHOWN = {"more": "most", "less": "least", "fewer": "fewest"}


@dataclass(frozen=True, slots=True)
class Superlative:
    """What a question wants the most or the least of.

    Attributes:
        said: The words that say it, the place among them.
        shown: It as it is repeated: `lightest`, `most expensive`, `most`.
        graded: What its adjective measures; None where only a degree is said ("the most pockets").
        direction: 1, or -1 for the least of something or the opposite of what an adjective means ("least expensive").
        comparing: Whether it is a comparative, which ranks only products that are named.
        phrase: The words that follow it up to the end of their noun phrase.
        verb: The verb before it, such as "holds" of "holds the most"; empty for "is".
        rating: Whether it ranks by what customers gave.
        place: Which place is asked for: 1 for the first, 2 for "the second cheapest".
    """

    said: tuple[str, ...]
    shown: str
    graded: Graded | None
    direction: int
    comparing: bool
    phrase: tuple[str, ...]
    verb: str
    rating: bool
    place: int = 1

    @property
    def is_open(self) -> bool:
        """Whether it may measure anything that is named beside it."""
        return self.graded is None or self.graded.open

    def direction_for(self, way: str, *, timed: bool = False) -> int:
        """Whether more (1) or less (-1) of an attribute is wanted; what is fast takes the least time."""
        if self.graded is None or not self.graded.names:
            return self.direction
        own = dict(self.graded.names)
        hasty = timed and set(own.values()) == {MOST, LEAST}
        usual = self.graded.names[0][1] * (-1 if hasty else 1)
        return own.get(way, usual) * self.direction


def read_superlative(query: str) -> Superlative | None:
    """The first superlative or comparative of a question; None where it has none.

    What is easiest or cheapest to do is none, for no attribute of a product tells it.
    """
    tokens = words(query)
    for index in range(len(tokens)):
        found = _rating(tokens, index) or _degree(tokens, index) or _adjective(tokens, index)
        if found is not None:
            return found
    return None


def _rating(tokens: Sequence[str], index: int) -> Superlative | None:
    """Read "the best rated", "the highest rating"."""
    way = _JUDGED.get(tokens[index])
    if way is None or _RATINGS.isdisjoint(tokens[index + 1 : index + 2]):
        return None
    return _superlative(tokens, (index, index + 2), "highest" if way == MOST else "lowest", None, way, rating=True)


def _degree(tokens: Sequence[str], index: int) -> Superlative | None:
    """Read "the most", "the highest", "the least expensive"."""
    word, following = tokens[index], next(iter(tokens[index + 1 : index + 2]), "")
    if word not in DEGREES or not _NO_DEGREE_BEHIND.isdisjoint(tokens[max(0, index - 1) : index]):
        return None
    if word in _TAKES_ADJECTIVE and following in ADJECTIVES:
        shown = f"{'most' if DEGREES[word] == MOST else 'least'} {following}"
        return _superlative(tokens, (index, index + 2), shown, ADJECTIVES[following], DEGREES[word])
    return _superlative(tokens, (index, index + 1), _SHOWN.get(word, word), None, DEGREES[word])


def _adjective(tokens: Sequence[str], index: int) -> Superlative | None:
    """Read "lightest", "budget" before a thing and, to be compared, "lighter"."""
    word, following = tokens[index], next(iter(tokens[index + 1 : index + 2]), "")
    named = _CLASSES.get(word) if following.isalpha() and following not in _LINKING else None
    adjective = SUPERLATIVES.get(word) or COMPARATIVES.get(word) or named
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
) -> Superlative | None:
    start, end = at
    if tokens[end : end + 1] == ["to"]:
        return None
    of_a_kind = _of_a_kind(tokens[end:])
    end += 2 * of_a_kind
    last = end
    while last < len(tokens) and tokens[last] not in _ENDS_PHRASE:
        last += 1
    phrase = tuple(tokens[end:last])
    before = list(tokens[:start])
    place = ORDINALS.get(before[-1], 1) if before else 1
    before = before[:-1] if place > 1 else before
    while before and before[-1] in {"the", "your", "a", "by", "far"}:
        before.pop()
    verb = before[-1] if before and before[-1] not in _LINKING else ""
    said = tokens[start - (place > 1) : end]
    return Superlative(
        said=tuple(said),
        shown=shown,
        graded=graded,
        direction=direction,
        comparing=not of_a_kind and (tokens[start] in _COMPARING or tokens[start] in COMPARATIVES),
        phrase=phrase,
        verb=verb,
        rating=rating,
        place=place,
    )


def _of_a_kind(following: Sequence[str]) -> bool:
    """Whether it picks among a kind ("the cheaper of your tents"), not among what was named ("of the two")."""
    match following:
        case ["of", determiner, noun, *_]:
            return determiner in DEFINITE and noun not in NUMBER_WORDS and noun.isalpha()
        case _:
            return False


def names_measure(superlative: Superlative, name: str) -> str:
    """The way in which an adjective names an attribute; the attribute itself where it knows none."""
    ways = superlative.graded.names if superlative.graded else ()
    return next((way for way, _ in ways if named_so(way, [name])), name.casefold())


def named_so(way: str, names: Sequence[str]) -> list[str]:
    """Attributes that a way names, those that say least beside it first: a pot's weight is not the weight."""
    wanted, family = stems(way), family_of(way)
    fits = [(len(words(name)), name) for name in names if wanted <= stems(name)]
    return [name for _, name in sorted(fits) if family_of(name) is family]
