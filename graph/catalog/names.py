"""Names: all the ways in which a product may be named, and what tells it from others."""

import math
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graph.catalog.units import is_measure, units
from graph.language.lexicon import FUNCTION_WORDS
from graph.language.locale import table
from ingestion.evidence import Product

EXTENSIONS = frozenset(table("names")["extensions"].split())
"""Words by which makers extend a line, in any shop."""

_MAX_LETTERS = 2


def has_digit(unit: str) -> bool:
    """Whether a unit holds a digit."""
    return any(char.isdigit() for char in unit)


_MODEL_ATTRIBUTES = ("model", "mpn", "part number", "sku")
_CUT_NAMES = 65536


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


cut_repeated = lru_cache(maxsize=_CUT_NAMES)(cut_name)
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


_LEAST_NAMES = 2
_MOST_VALUE_UNITS = 3


def _kinds_said(product: Product, own: AbstractSet[str]) -> Iterator[str]:
    """The words of a product's categories, and of its short values such as a colour that are not in its `own` names.

    A longer value, or one with a model number, may name a product.
    """
    for element in product.category:
        yield from cut_repeated(element)
    for text in (*product.attributes, *product.attributes.values(), *product.variant_values):
        cut = cut_repeated(text)
        if len(cut) <= _MOST_VALUE_UNITS and not any(map(has_digit, cut)):
            yield from (word for word in cut if len(word) > 1 and word not in own)


_BRAND_WEIGHT = 0.3
_KIND_WEIGHT = 0.5
_POSTING_BUDGET = 50_000
_LETTERS = frozenset("bcdefghjklmnopqrstuvwxyz")
"""Letters that are no words, though an apostrophe may part them from one; in a name they mark a model."""

_NAMED = 16
_REMEMBERED = 32768


class NameIndex:
    """Names of a catalog by unit; surfaces are kept as numbers, and described again when they are asked for.

    Args:
        products: The catalog by id.

    Attributes:
        products: The same.
        kinds: Words that say what kind of thing a product is, or how it looks.
        categories: Words that name a category, each the last one of an element of a catalog path.
    """

    def __init__(self, products: Mapping[str, Product]) -> None:
        self.products = products
        self._keys = list(products)
        self._total = max(len(products), 1)
        paths = {product.category for product in products.values()}
        self.categories = frozenset(cut[-1].text for path in paths for part in path if (cut := units(part)))
        self._vocabulary: dict[str, int] = {}
        numbers, ends, owners = array("i"), array("q", [0]), array("i")
        said = set[str]()
        for place, product in enumerate(products.values()):
            surfaces = surface_units(product)
            for surface in surfaces:
                numbers.extend(self._vocabulary.setdefault(unit, len(self._vocabulary)) for unit in surface)
                ends.append(len(numbers))
                owners.append(place)
            said.update(_kinds_said(product, set().union(*surfaces)))
        self._words = list(self._vocabulary)
        self._owners = np.array(owners, dtype=np.intc)
        held = np.ones(len(numbers), dtype=np.float32)
        self._units = csr_array((held, numbers, ends), shape=(len(owners), len(self._words)))
        self._holders = self._units.tocsc()
        places = np.repeat(self._owners, np.diff(self._units.indptr)), self._units.indices
        by_product = csr_array((held, places), shape=(len(products), len(self._words)))
        self._counts = np.diff(by_product.tocsc().indptr)
        self._firsts = np.searchsorted(self._owners, np.arange(len(products)))
        self._extensions = EXTENSIONS | self._extending()
        self._silent = FUNCTION_WORDS - _LETTERS - self._extensions
        self.kinds = frozenset(said | self._heads()) - self._extensions
        self.idf = lru_cache(maxsize=_REMEMBERED)(self._idf)
        weights = np.array([self._weight(unit, frozenset()) for unit in self._words], dtype=np.float32)
        # The weight of each surface, as `_describe` has it but for makers' names, which count in full.
        self._mass = self._units @ weights
        self.of_product = lru_cache(maxsize=_REMEMBERED)(self._surfaces_of)
        self._described = lru_cache(maxsize=_REMEMBERED)(self._describe)

    def _names(self) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
        """The category of each product that has a name, and the units of that name."""
        owners, firsts = np.unique(self._owners, return_index=True)
        for owner, first in zip(owners.tolist(), firsts.tolist(), strict=True):
            yield self.products[self._keys[owner]].category, self._surface_units(first)

    def _extending(self) -> frozenset[str]:
        """What makes one name another: "Tarn 16 *Studio*" where a "Tarn 16" is sold in the same category."""
        whole = {hash(name) for name in self._names()}  # takes less room than the names
        return frozenset(
            name[-1] for category, name in self._names() if category and hash((category, name[:-1])) in whole
        )

    def _heads(self) -> frozenset[str]:
        """Words that end many names, and begin fewer."""
        heads, leads = Counter[str](), Counter[str]()
        for _, name in self._names():
            heads[name[-1]] += 1
            leads[name[0]] += 1
        return frozenset(head for head, n in heads.items() if n >= _LEAST_NAMES and n > leads[head] and head.isalpha())

    def __contains__(self, unit: object) -> bool:
        """Whether some name holds the unit."""
        return unit in self._vocabulary

    def __iter__(self) -> Iterator[str]:
        """All units of all names."""
        return iter(self._vocabulary)

    def _idf(self, unit: str) -> float:
        return 0.0 if self.is_silent(unit) else math.log1p(self._total / max(self._frequency(unit), 1))

    @property
    def most_idf(self) -> float:
        """The inverse document frequency of a unit of one name."""
        return math.log1p(self._total)

    def is_silent(self, unit: str) -> bool:
        """Whether a unit is a function word that sets no product apart."""
        return unit in self._silent

    def named(self, name: tuple[str, ...]) -> list[Surface]:
        """The names with exactly these units."""
        return [surface for surface in self.candidates(dict.fromkeys(name, 1.0), _NAMED) if surface.units == name]

    def candidates(self, wanted: Mapping[str, float], limit: int) -> list[Surface]:
        """Names that share the most with a question.

        Args:
            wanted: Unit to how surely it was meant (0 to 1).
            limit: How many at most.

        Returns:
            Best first, by the shared weight and its share of the name. The rarest units are read first, and reading
            stops at a budget, so that a word of half the names costs nothing.
        """
        shared = np.zeros(len(self._owners), dtype=np.float32)
        found: list[NDArray[np.intc]] = []
        budget = _POSTING_BUDGET
        for unit in sorted((unit for unit in wanted if unit in self), key=self._frequency):
            if found and self._frequency(unit) > budget:
                break
            number = self._vocabulary[unit]
            holders = self._holders.indices[slice(*self._holders.indptr[number : number + 2])]
            budget -= len(holders)
            found.append(holders)
            shared[holders] += self.idf(unit) * wanted[unit]
        if not found:
            return []
        numbers = np.unique(np.concatenate(found))
        order = np.argsort(-(shared[numbers] ** 2) / self._mass[numbers], kind="stable")
        return [self._surface(number) for number in numbers[order[:limit]].tolist()]

    def _frequency(self, unit: str) -> int:
        """How many products' names hold a unit."""
        number = self._vocabulary.get(unit)
        return 0 if number is None else int(self._counts[number])

    def _surface(self, number: int) -> Surface:
        place = self._owners[number]
        name = self._surface_units(int(self._firsts[place]))
        return self._described(self._keys[place], name, self._surface_units(number))

    def _surface_units(self, number: int) -> tuple[str, ...]:
        held = self._units.indices[slice(*self._units.indptr[number : number + 2])]
        return tuple(self._words[unit] for unit in held.tolist())

    def _surfaces_of(self, product_id: str) -> list[Surface]:
        """All names of a product, its name first."""
        product = self.products.get(product_id)
        surfaces = surface_units(product) if product else []
        return [self._described(product_id, surfaces[0], surface) for surface in surfaces]

    def _describe(self, product_id: str, name: tuple[str, ...], surface: tuple[str, ...]) -> Surface:
        """Weigh one of the ways to name a product, of which `name` is its name."""
        marks = frozenset(filter(self._is_mark, surface))
        maker, own = frozenset(cut_repeated(self.products[product_id].brand or "")), frozenset(name)
        # In "Aurora X2" by Aurora, the maker's name is that of the line: nothing else but marks would be left.
        is_line = all(map(self._is_mark, own - maker))
        brand = frozenset[str]() if is_line else frozenset(unit for unit in maker if self._frequency(unit) > 1)
        weights = tuple(self._weight(unit, brand) for unit in surface)
        # What an alias adds to the name only describes it ("the big Tarn"); an alias of other words names by itself.
        describing = set(surface) - own if own & set(surface) - self._silent else set[str]()
        weak = brand | describing
        distinctive = frozenset(
            unit
            for unit in surface
            if not (unit in weak or unit in self.kinds or self.is_silent(unit) or is_measure(unit))
        )
        return Surface(product_id, surface, weights, distinctive, brand, maker, marks, sum(weights))

    def _is_mark(self, unit: str) -> bool:
        """Whether a unit is a model number, a short code or an extension."""
        return unit in self._extensions or len(unit) <= _MAX_LETTERS or has_digit(unit)

    def _weight(self, unit: str, brand: frozenset[str]) -> float:
        if unit in brand:
            return self.idf(unit) * _BRAND_WEIGHT
        return self.idf(unit) * (_KIND_WEIGHT if unit in self.kinds else 1.0)
