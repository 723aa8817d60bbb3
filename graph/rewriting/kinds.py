"""Kinds of products: whether a noun names what a product is, also by an everyday synonym."""

import tomllib
from functools import lru_cache
from importlib.resources import files

from graph.catalog.units import singular, units
from ingestion.evidence import Product

_GENERIC = frozenset("product item one thing model device article".split())
_MIN_SUFFIX = 4


def is_kind(noun: str, product: Product) -> bool:
    """Whether a noun names the kind of thing a product is: a word of its name, its category, or a synonym of one."""
    wanted = singular(noun)
    if is_generic(wanted):
        return True
    names = {unit.text for text in (product.name, *product.aliases) for unit in units(text)}
    heads = {cut[-1].text for cut in map(units, product.category) if cut}
    if wanted in names | heads or not _synonyms().get(wanted, frozenset()).isdisjoint(names | heads):
        return True
    return len(wanted) >= _MIN_SUFFIX and any(head.endswith(wanted) for head in heads)


def is_generic(noun: str) -> bool:
    """Whether a noun fits any product."""
    return singular(noun) in _GENERIC


@lru_cache(maxsize=1)
def _synonyms() -> dict[str, frozenset[str]]:
    raw = tomllib.loads(files("graph.rewriting").joinpath("kinds.toml").read_text(encoding="utf-8"))
    groups = [frozenset(singular(word) for word in group) for group in raw["synonyms"]]
    return {
        word: frozenset().union(*(group for group in groups if word in group)) for group in groups for word in group
    }
