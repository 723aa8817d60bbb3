"""Comparatives over what was shown: "the cheaper one", "the lightest tent", by price and attributes."""

from collections.abc import Sequence

from graph.catalog.function_words import AUXILIARIES, PREPOSITIONS
from graph.language.adjectives import COMPARATIVES, DEGREES, PRICE, SUPERLATIVES
from graph.language.amounts import Amount, amount_of, comparable
from graph.language.terms import stem, words
from graph.rewriting.kinds import is_kind
from graph.rewriting.listed import Selection
from graph.rewriting.words import Word, words_of
from ingestion.evidence import Product

_MEASURED: dict[str, tuple[tuple[str, ...], int]] = {
    "cheap": ((PRICE,), -1),
    "affordable": ((PRICE,), -1),
    "expensive": ((PRICE,), 1),
    "pricey": ((PRICE,), 1),
    "light": (("weight",), -1),
    "heavy": (("weight",), 1),
    "small": (("size", "dimensions", "display", "screen", "capacity", "volume", "length"), -1),
    "compact": (("packed size", "size", "dimensions"), -1),
    "big": (("size", "dimensions", "display", "screen", "capacity", "volume", "length"), 1),
    "large": (("size", "dimensions", "display", "screen", "capacity", "volume", "length"), 1),
    "long": (("battery life", "runtime", "length", "warranty"), 1),
    "short": (("length", "height"), -1),
    "tall": (("height",), 1),
    "wide": (("width",), 1),
    "narrow": (("width",), -1),
    "thin": (("thickness", "depth"), -1),
    "thick": (("thickness", "depth"), 1),
    "bright": (("brightness", "light output", "lumens"), 1),
    "warm": (("comfort temperature", "temperature"), -1),
    "powerful": (("power", "wattage"), 1),
    "quiet": (("noise",), -1),
    "loud": (("noise",), 1),
}
"""Adjective to what it measures, by preference, and whether more (1) or less (-1) of it is meant."""

_ASKING = frozenset("which which's what what's who who's".split())
_BEING = frozenset("is are was were which's what's who's".split())


def find_comparative(query: str, shown: Sequence[Product]) -> Selection | None:
    """The first phrase that picks by comparing; None where the products do not say enough to decide."""
    cut = words_of(query)
    for index in range(len(cut)):
        measured = _measured(cut, index)
        if measured is None or (index and cut[index - 1].text not in {"the", "more", "most", "less", "least"}):
            continue
        span = None if _asks_which(cut, index) else _phrase(cut, index, shown[0])
        chosen = _extreme(shown, *measured) if span else None
        if span is not None and chosen is not None:
            return Selection(*span, (chosen,))
    return None


def _measured(cut: Sequence[Word], index: int) -> tuple[tuple[str, ...], int] | None:
    """What a comparative measures and in which direction."""
    word, before = cut[index].text, cut[index - 1].text if index else ""
    if before in {"more", "most"} and word in _MEASURED:
        return _MEASURED[word]
    if before in {"less", "least"} and word in _MEASURED:
        names, sign = _MEASURED[word]
        return names, -sign
    return _compared(word)


def _asks_which(cut: Sequence[Word], index: int) -> bool:
    """Whether a question asks for what a phrase picks: "which of these is the lightest?" names none by it."""
    before = [word.text for word in cut[:index] if word.text not in {"the", "more", "most", "less", "least"}]
    return bool(before) and not _ASKING.isdisjoint(before) and before[-1] in _BEING


def is_comparing(word: str) -> bool:
    """Whether a word is an adjective's comparative or superlative, or a degree of something."""
    return _compared(word) is not None or word in SUPERLATIVES or word in COMPARATIVES or word in DEGREES


def _compared(word: str) -> tuple[tuple[str, ...], int] | None:
    for ending in ("er", "est"):
        base = word.removesuffix(ending)
        if base != word:
            for form in (base, base + "e", base[:-1], base[:-1] + "y" if base.endswith("i") else base):
                if form in _MEASURED:
                    return _MEASURED[form]
    return None


def _phrase(cut: Sequence[Word], index: int, product: Product) -> tuple[int, int] | None:
    """The span of "the cheaper one"; None for "is it cheaper" and for a noun that is no such product."""
    first = index - 1 if index and cut[index - 1].text in {"more", "most", "less", "least"} else index
    if first == 0 or cut[first - 1].text != "the":
        return None
    following = cut[index + 1].text if index + 1 < len(cut) else None
    if following is not None and is_kind(following.removesuffix("'s"), product):
        return cut[first - 1].start, cut[index + 1].end
    return (cut[first - 1].start, cut[index].end) if _ends(following) else None


def _ends(following: str | None) -> bool:
    return following is None or following in AUXILIARIES | PREPOSITIONS


def _extreme(shown: Sequence[Product], names: Sequence[str], sign: int) -> Product | None:
    """The product with most (or least) of the first measure that all products state."""
    for name in names:
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
