"""Topics: what a question is about that names no product, and what kind of thing a noun names."""

from functools import cache, lru_cache

from graph.catalog.units import singular, units
from graph.language.families import family_of
from graph.language.lexicon import AUXILIARIES
from graph.language.locale import table
from graph.language.terms import words, words_of
from ingestion.evidence import Product
from ingestion.stems import stem

_SAID = {name: frozenset(said.split()) for name, said in table("topics").items()}
_STEMS = {name: frozenset(map(stem, said)) for name, said in _SAID.items()}
_SHOP, _SERVICE = _STEMS["shop"], _STEMS["service"]
_QUALITY = _STEMS["quality"]
QUALITIES = _QUALITY | _STEMS["opinion"]
"""Stems by which a price or an opinion is asked for."""
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
    # An auxiliary makes it a sentence, as far as closed classes tell.
    complete = not AUXILIARIES.isdisjoint(word.base for word in words_of(text))
    return bool(_SERVICE & found) and (complete or not _SHOP_SUBJECTS.isdisjoint(words(text)))


def is_browsing(text: str) -> bool:
    """Whether a question asks to be shown products."""
    spoken = set(words(text))
    offers = "you" in spoken and not _AT_HAND & spoken
    has = offers and (_SELLING & spoken or ("have" in spoken and not _QUALITY & stems(text)))
    return bool(_BROWSING & spoken or has)


def about_quality(text: str, product: Product) -> bool:
    """Whether a question asks for something products have: an attribute, a price, an opinion."""
    families = filter(None, map(family_of, product.attributes))
    return about_named_quality(text, product) or any(stems(text) & family.stems for family in families)


def about_named_quality(text: str, product: Product) -> bool:
    """Whether a question names an attribute by its own name, a price or an opinion; stricter than `about_quality`."""
    return bool(stems(text) & QUALITIES.union(*map(stems, product.attributes)))


def is_kind(noun: str, product: Product) -> bool:
    """Whether a noun names the kind of thing a product is: a word of its name, its category, or a synonym of one."""
    names = frozenset(unit.text for name in (product.name, *product.aliases) for unit in units(name))
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


def is_generic(noun: str) -> bool:
    """Whether a noun fits any product."""
    return singular(noun) in _GENERIC


@cache
def _synonyms() -> dict[str, frozenset[str]]:
    groups = [frozenset(map(singular, group)) for group in table("kinds")["synonyms"]]
    return {word: group.union(*(other for other in groups if word in other)) for group in groups for word in group}
