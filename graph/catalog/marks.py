"""Marks: the parts of a name that set apart products of one line ("X2", "14", "Pro")."""

from collections import defaultdict
from collections.abc import Iterable

from graph.catalog.units import units
from ingestion.evidence import Product

EXTENSIONS = frozenset("pro max plus mini ultra lite air se fe neo go xl".split())
"""Words by which makers extend a line, in any shop."""

_MAX_LETTERS = 2


def is_mark(unit: str, extensions: frozenset[str] = EXTENSIONS) -> bool:
    """Whether a unit is a model number, a short code or an extension."""
    return unit in extensions or len(unit) <= _MAX_LETTERS or has_digit(unit)


def has_digit(unit: str) -> bool:
    """Whether a unit holds a digit."""
    return any(char.isdigit() for char in unit)


def extensions_of(products: Iterable[Product]) -> frozenset[str]:
    """The extensions a shop uses: what makes one product's name another's of the same category ("Tarn 16 *Studio*")."""
    by_category: dict[tuple[str, ...], set[tuple[str, ...]]] = defaultdict(set)
    for product in products:
        by_category[product.category].add(tuple(unit.text for unit in units(product.name)))
    return EXTENSIONS | {
        name[-1] for category, names in by_category.items() if category for name in names if name[:-1] in names
    }
