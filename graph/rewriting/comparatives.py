"""Comparatives over what was shown: "the cheaper one", "the lightest tent", by price and attributes."""

from collections.abc import Sequence

from graph.language.adjectives import ADJECTIVES, COMPARATIVES, DEGREES, PRICE, SUPERLATIVES
from graph.language.amounts import Amount, amount_of, comparable
from graph.language.function_words import AUXILIARIES, PREPOSITIONS
from graph.language.terms import stem, words
from graph.rewriting.kinds import is_kind
from graph.rewriting.listed import Selection
from graph.rewriting.words import Word, words_of
from ingestion.evidence import Product

Measures = Sequence[tuple[str, int]]
"""Ways to name an attribute, best first, each with 1 where more of it is meant and -1 where less is."""

_AMONG = (["the", "two"], ["the", "three"], ["them"], ["these"], ["those"], ["both"])
"""What may stand behind "the cheaper of"."""
_ASKING = frozenset("which which's what what's who who's".split())
_BEING = frozenset("is are was were which's what's who's".split())


def find_comparative(query: str, shown: Sequence[Product]) -> Selection | None:
    """The first phrase that picks by comparing; None where the products do not say enough to decide."""
    cut = words_of(query)
    for index in range(len(cut)):
        measured = _measured(cut, index)
        if not measured or (index and cut[index - 1].text not in {"the", *DEGREES}):
            continue
        span = None if _asks_which(cut, index) else _phrase(cut, index, shown[0])
        chosen = _extreme(shown, measured) if span else None
        if span is not None and chosen is not None:
            return Selection(*span, (chosen,))
    return None


def _measured(cut: Sequence[Word], index: int) -> Measures:
    """What a comparative measures, best first, each with the direction that is meant; nothing for other words."""
    word, degree = cut[index].text, DEGREES.get(cut[index - 1].text if index else "")
    if degree is not None and word in ADJECTIVES:
        return tuple((name, direction * degree) for name, direction in ADJECTIVES[word].names)
    adjective = COMPARATIVES.get(word) or SUPERLATIVES.get(word)
    return ADJECTIVES[adjective].names if adjective else ()


def _asks_which(cut: Sequence[Word], index: int) -> bool:
    """Whether a question asks for what a phrase picks: "which of these is the lightest?" names none by it."""
    before = [word.text for word in cut[:index] if word.text not in {"the", *DEGREES}]
    return bool(before) and not _ASKING.isdisjoint(before) and before[-1] in _BEING


def is_comparing(word: str) -> bool:
    """Whether a word is an adjective's comparative or superlative, or a degree of something."""
    return word in SUPERLATIVES or word in COMPARATIVES or word in DEGREES


def _phrase(cut: Sequence[Word], index: int, product: Product) -> tuple[int, int] | None:
    """The span of "the cheaper one" or "the cheaper of the two"; None for "is it cheaper" and other nouns."""
    first = index - 1 if index and cut[index - 1].text in DEGREES else index
    if first == 0 or cut[first - 1].text != "the":
        return None
    following = [word.text for word in cut[index + 1 :]]
    if following and is_kind(following[0].removesuffix("'s"), product):
        return cut[first - 1].start, cut[index + 1].end
    if following[:1] == ["of"]:
        among = next((len(words) for words in _AMONG if following[1 : 1 + len(words)] == words), None)
        return (cut[first - 1].start, cut[index + 1 + among].end) if among else None
    ends = not following or following[0] in AUXILIARIES | PREPOSITIONS
    return (cut[first - 1].start, cut[index].end) if ends else None


def _extreme(shown: Sequence[Product], measures: Measures) -> Product | None:
    """The product with most (or least) of the first measure that all products state."""
    for name, sign in measures:
        values = _values(shown, name, sign)
        known = [value for value in values if value is not None]
        if len(known) == len(shown) and len(set(known)) > 1:
            best = max(known, key=lambda value: value * sign)
            return shown[values.index(best)] if values.count(best) == 1 else None
    return None


def _values(shown: Sequence[Product], name: str, sign: int) -> list[float | None]:
    """What each product states of a measure, in one unit; None for those that state it in none that compares."""
    if name == PRICE:
        return [product.price.amount if product.price else None for product in shown]
    stated = [_amount(product, {stem(word) for word in words(name)}, sign) for product in shown]
    told = iter(comparable([amount for amount in stated if amount is not None]))
    return [None if amount is None else next(told) for amount in stated]


def _amount(product: Product, wanted: set[str], sign: int) -> Amount | None:
    fitting = (value for key, value in product.attributes.items() if wanted <= {stem(word) for word in words(key)})
    return next((amount for value in fitting if (amount := amount_of(value, sign)) is not None), None)
