"""Surfaces: the ways to name a product, cut into units."""

from dataclasses import dataclass
from functools import lru_cache

from graph.catalog.units import units
from ingestion.evidence import Product

_MODEL_ATTRIBUTES = ("model", "mpn", "part number", "sku")
_REMEMBERED = 65536


@dataclass(frozen=True, slots=True)
class Surface:
    """One way to name a product: its name, an alias or a model number.

    Attributes:
        product_id: The product.
        units: The name's units in order.
        weights: How much each of them says; a brand, a kind of product or a colour says less than a name.
        distinctive: Those that can stand for the name alone.
        brand: Those of the maker where other words name the line, so that customers leave them out.
        maker: All units of the maker's name.
        marks: Those that set it apart from others of its line.
        mass: Sum of the weights.
    """

    product_id: str
    units: tuple[str, ...]
    weights: tuple[float, ...]
    distinctive: frozenset[str]
    brand: frozenset[str]
    maker: frozenset[str]
    marks: frozenset[str]
    mass: float


def cut_name(text: str) -> tuple[str, ...]:
    """The texts of a name's units."""
    return tuple(unit.text for unit in units(text))


cut_repeated = lru_cache(maxsize=_REMEMBERED)(cut_name)
"""The same for texts that many products share: makers, categories, values."""


def other_names(product: Product) -> tuple[str, ...]:
    """What a product is called beside its name: aliases and model numbers."""
    codes = (
        value
        for name, value in product.attributes.items()
        if name.casefold().startswith(_MODEL_ATTRIBUTES) and any(unit.model for unit in units(value))
    )
    return (*product.aliases, *codes)


def surface_units(product: Product) -> list[tuple[str, ...]]:
    """Units of every way to name a product, without repetitions; those of its name first."""
    cut = map(cut_name, (product.name, *other_names(product)))
    return list(dict.fromkeys(surface for surface in cut if surface))
