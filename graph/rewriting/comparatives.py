"""Comparatives: questions that compare with what was spoken of."""

import re
from collections.abc import Sequence

from graph.catalog import Mention
from graph.language.lexicon import ADJECTIVES, AUXILIARIES, COMPARATIVES, DEGREES, PREPOSITIONS, PRICE, SUPERLATIVES
from graph.language.quantities import Amount, amount_of, comparable
from graph.language.terms import words
from graph.rewriting.listed import Selection, find_described, find_ordinal
from graph.rewriting.scene import Scene, is_kind
from graph.rewriting.words import Word, appended, words_of
from ingestion.evidence import Product
from ingestion.stems import stem

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
        span = None if _asks_which(cut, index) or len(shown) < _FEWEST else _phrase(cut, index, shown[0])
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


_MAX_CHOICES = 5
_ASKS_FOR_BEST = frozenset(
    {"better", "best", "worse", "difference", "differences", "compare", "comparison", "recommend"}
)
_OPENING = re.compile(r"^\W*(?:and\s+|so\s+|ok\s+)?(?:which|who|what)\b|\bdifferences?\b|\bcompare\b", re.IGNORECASE)
_KIND = re.compile(
    r"\bwhich\s+(?:of\s+(?:them|these|those)|ones?|is|are|has|would|should|will|do|does|can|was)\b", re.IGNORECASE
)


def find_choice(query: str, scene: Scene) -> tuple[str, Sequence[Product]] | None:
    """The question with the products to choose from, where it leaves them out."""
    products = scene.focus if len(scene.focus) > 1 else scene.listed or scene.last_two
    words = [word.text for word in words_of(query)]
    asks = not _ASKS_FOR_BEST.isdisjoint(words) or any(is_comparing(word) for word in words)
    if not 1 < len(products) <= _MAX_CHOICES or not asks or not _OPENING.search(query):
        return None
    if words[0] == "which" and not _KIND.search(query):
        return None
    names = [product.name for product in products]
    return _with_names(query, words, names), products


def _with_names(query: str, words: Sequence[str], names: Sequence[str]) -> str:
    all_but_last = ", ".join(names[:-1])
    if not {"difference", "differences"}.isdisjoint(words):
        return appended(query, f"between {all_but_last} and {names[-1]}")
    if "compare" in words:
        return appended(query, f"{all_but_last} and {names[-1]}")
    return appended(query, f"{all_but_last} or {names[-1]}", joint=", ")


_COMPARING = re.compile(
    r"\b(?:differ|difference|differences|different|compare|compares|compared|comparison|vs|versus)\b"
)


def is_one_sided(query: str, mentions: Sequence[Mention], product: Product) -> bool:
    """Whether a question compares with one product and leaves out the other side, the product at hand."""
    named = any(fit.surface.product_id == product.id for mention in mentions for fit in mention.fits[:1])
    return len(mentions) == 1 and not named and _COMPARING.search(query.casefold()) is not None


_FEWEST = 2
"""Out of fewer there is nothing to pick."""


def find_selection(query: str, scene: Scene, mentions: Sequence[Mention]) -> Selection | None:
    """A phrase that picks by place, by comparison or by description from those shown or compared, or from a line.

    Args:
        query: The user's words.
        scene: What they may refer to.
        mentions: The products they name; beside a clear name, a mere description picks none.
    """
    shown = scene.listed
    compared = scene.focus if len(scene.focus) > 1 else shown
    if len(compared) < _FEWEST:
        shown, compared = [], scene.last_two if len(scene.last_two) >= _FEWEST else []
    several = shown or compared
    named = any(_is_clear(mention) for mention in mentions)
    return (
        find_ordinal(query, several, scene.focus)
        or find_comparative(query, compared)
        or (None if named else find_described(query, several))
        or (None if mentions else _of_line(query, scene.line))
    )


def _is_clear(mention: Mention) -> bool:
    """Whether a mention needs no list to be understood: it names one product whole, or none of the shop's."""
    return not mention.known or (len(mention.fits) == 1 and mention.fits[0].whole)


def _of_line(query: str, line: Sequence[Product]) -> Selection | None:
    """A product of the line that is spoken of, by its name or by comparison ("the bigger one")."""
    return find_comparative(query, line) or find_described(query, line, by_name=True)
