"""Topics: what a question is about that names no product, and what kind of thing a noun names."""

from collections.abc import Iterable
from functools import cache, lru_cache

from graph.catalog.units import singular, units
from graph.language.families import Family, families, family_of
from graph.language.lexicon import AUXILIARIES
from graph.language.locale import table
from graph.language.terms import words, words_of
from ingestion.evidence import Product
from ingestion.stems import stem

_SAID = {name: frozenset(said.split()) for name, said in table("topics").items()}
_STEMS = {name: frozenset(map(stem, said)) for name, said in _SAID.items()}
_SHOP, _SERVICE = _STEMS["shop"], _STEMS["service"]
_OPINION, _QUALITY = _STEMS["opinion"], _STEMS["quality"]
_BROWSING, _SELLING, _AT_HAND = _SAID["browsing"], _SAID["selling"], _SAID["at_hand"]
_SHOP_SUBJECTS, _GENERIC = _SAID["shop_subjects"], _SAID["generic"]
_LEAST_SUFFIX = 4


@lru_cache(maxsize=1024)
def stems(text: str) -> frozenset[str]:
    """Stems of all words of a text."""
    return frozenset(stem(word) for word in words(text))


def about_shop(text: str) -> bool:
    """Whether a question concerns the shop, whatever product was spoken of before."""
    found = stems(text)
    if _SHOP & found:
        return True
    addressed = not _SHOP_SUBJECTS.isdisjoint(words(text))
    return bool(_SERVICE & found) and (addressed or is_complete(text))


def is_browsing(text: str) -> bool:
    """Whether a question asks to be shown products."""
    spoken = set(words(text))
    offers = "you" in spoken and not _AT_HAND & spoken
    has = offers and (_SELLING & spoken or ("have" in spoken and not _QUALITY & stems(text)))
    return bool(_BROWSING & spoken or has)


def asks_shop(text: str) -> bool:
    """Whether a question is of the kind that shops and their products are asked, whichever these are."""
    found = stems(text)
    named = any(found & family.stems for family in families())
    return named or bool(found & (_QUALITY | _OPINION)) or about_shop(text) or is_browsing(text)


def about_quality(text: str, product: Product) -> bool:
    """Whether a question asks for something products have: an attribute, a price, an opinion."""
    found = stems(text)
    if found & (_QUALITY | _OPINION):
        return True
    return bool(found & attribute_stems([product])) or any(found & family.stems for family in _families_of(product))


def about_named_quality(text: str, product: Product) -> bool:
    """Whether a question names an attribute by its own name, a price or an opinion; stricter than `about_quality`."""
    return bool(stems(text) & (_QUALITY | _OPINION | attribute_stems([product])))


def attribute_stems(products: Iterable[Product]) -> frozenset[str]:
    """Stems of the names of all attributes of products."""
    return frozenset(stem(word) for product in products for name in product.attributes for word in words(name))


def is_complete(text: str) -> bool:
    """Whether a text has a verb that makes it a sentence, as far as closed classes tell."""
    return not AUXILIARIES.isdisjoint(word.base for word in words_of(text))


def _families_of(product: Product) -> list[Family]:
    return [family for family in map(family_of, product.attributes) if family is not None]


def is_about(query: str, product: Product) -> bool:
    """Whether a question that names nothing is about the product at hand."""
    return about_quality(query, product) or "the" in words(query)


def is_kind(noun: str, product: Product) -> bool:
    """Whether a noun names the kind of thing a product is: a word of its name, its category, or a synonym of one."""
    names = _name_words(product.name, *product.aliases)
    return _names_one(singular(noun), names) or names_category(noun, category_heads(product.category))


def names_category(noun: str, heads: frozenset[str]) -> bool:
    """Whether a noun is the last word of a catalog path's level, one that such a word ends in, or a synonym."""
    wanted = singular(noun)
    ends = len(wanted) >= _LEAST_SUFFIX and any(head.endswith(wanted) for head in heads)
    return ends or wanted in _GENERIC or _names_one(wanted, heads)


def _names_one(wanted: str, known: frozenset[str]) -> bool:
    return wanted in known or not _synonyms().get(wanted, frozenset()).isdisjoint(known)


@lru_cache(maxsize=4096)
def category_heads(category: tuple[str, ...]) -> frozenset[str]:
    """The last word of each level of a catalog path, in the singular."""
    return frozenset(cut[-1].text for cut in map(units, category) if cut)


@lru_cache(maxsize=4096)
def _name_words(*names: str) -> frozenset[str]:
    return frozenset(unit.text for name in names for unit in units(name))


def is_generic(noun: str) -> bool:
    """Whether a noun fits any product."""
    return singular(noun) in _GENERIC


@cache
def _synonyms() -> dict[str, frozenset[str]]:
    raw = table("kinds")
    groups = [frozenset(singular(word) for word in group) for group in raw["synonyms"]]
    return {
        word: frozenset().union(*(group for group in groups if word in group)) for group in groups for word in group
    }
