"""The index of a catalog's names: which names hold a unit, and how much a unit says."""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graph.catalog.function_words import FUNCTION_WORDS
from graph.catalog.marks import extensions_of, is_mark
from graph.catalog.units import is_measure, units
from ingestion.evidence import Product

_BRAND_WEIGHT = 0.3
_KIND_WEIGHT = 0.5
_POSTING_BUDGET = 50_000
_LETTERS = frozenset("bcdefghjklmnopqrstuvwxyz")
"""Letters that are no words, though an apostrophe may part them from one; in a name they mark a model."""

_KIND_NAMES = 2
_NAMED = 16
_VALUE_UNITS = 3
_MODEL_ATTRIBUTES = ("model", "mpn", "part number", "sku")


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
    """

    product_id: str
    units: tuple[str, ...]
    weights: tuple[float, ...]
    distinctive: frozenset[str]
    brand: frozenset[str]
    maker: frozenset[str]
    marks: frozenset[str]

    @property
    def mass(self) -> float:
        """Sum of the weights."""
        return sum(self.weights)


class NameIndex:
    """Names of a catalog by unit.

    Args:
        products: The catalog by id.
    """

    def __init__(self, products: Mapping[str, Product]) -> None:
        self.products = products
        named = [(product, surface) for product in products.values() for surface in _surfaces(product)]
        self._frequency = Counter(unit for _, unit in {(p.id, unit) for p, surface in named for unit in surface})
        self._total = max(len(products), 1)
        self._extensions = extensions_of(products.values())
        self._silent = FUNCTION_WORDS - _LETTERS - self._extensions - _only_words(named)
        self.kinds = frozenset(_kinds(products.values(), named)) - self._extensions
        self.surfaces: list[Surface] = []
        self._by_product: dict[str, list[int]] = defaultdict(list)
        self._postings: dict[str, array[int]] = {}
        for product, surface in named:
            self._add(product, surface)
        self._mass = np.array([surface.mass for surface in self.surfaces], dtype=np.float32)

    def __contains__(self, unit: object) -> bool:
        """Whether some name holds the unit."""
        return unit in self._postings

    def __iter__(self) -> Iterator[str]:
        """All units of all names."""
        return iter(self._postings)

    def idf(self, unit: str) -> float:
        """Inverse document frequency of a unit among the names; nothing for function words."""
        return 0.0 if self.is_silent(unit) else math.log1p(self._total / max(self._frequency[unit], 1))

    def is_silent(self, unit: str) -> bool:
        """Whether a unit is a function word that sets no product apart."""
        return unit in self._silent

    def is_common(self, unit: str) -> bool:
        """Whether a unit is part of several products' names, or says what kind of thing one is."""
        return self._frequency[unit] > 1 or unit in self.kinds

    def named(self, name: tuple[str, ...]) -> list[Surface]:
        """The names with exactly these units."""
        return [surface for surface in self.candidates(dict.fromkeys(name, 1.0), _NAMED) if surface.units == name]

    def holding(self, unit: str) -> list[str]:
        """Ids of the products whose names hold a unit."""
        return list(dict.fromkeys(self.surfaces[number].product_id for number in self._postings.get(unit, ())))

    def of_product(self, product_id: str) -> list[Surface]:
        """All names of a product."""
        return [self.surfaces[number] for number in self._by_product.get(product_id, [])]

    def candidates(self, wanted: Mapping[str, float], limit: int) -> list[Surface]:
        """Names that share the most with a question.

        Args:
            wanted: Unit to how surely it was meant (0 to 1).
            limit: How many at most.

        Returns:
            Best first, by the shared weight and its share of the name. The rarest units are read first, and reading
            stops at a budget, so that a word of half the names costs nothing.
        """
        found: list[np.ndarray[tuple[int], np.dtype[np.uint32]]] = []
        gains: list[np.ndarray[tuple[int], np.dtype[np.float64]]] = []
        budget = _POSTING_BUDGET
        for unit in sorted((unit for unit in wanted if unit in self), key=lambda unit: self._frequency[unit]):
            posting = np.frombuffer(self._postings[unit], dtype=np.uint32)
            if found and len(posting) > budget:
                break
            budget -= len(posting)
            found.append(posting)
            gains.append(np.full(len(posting), self.idf(unit) * wanted[unit]))
        if not found:
            return []
        numbers, places = np.unique(np.concatenate(found), return_inverse=True)
        shared = np.bincount(places, weights=np.concatenate(gains))
        score = shared * shared / self._mass[numbers]
        best = np.argsort(-score, kind="stable")[:limit]
        return [self.surfaces[number] for number in numbers[best]]

    def _add(self, product: Product, surface: tuple[str, ...]) -> None:
        marks = frozenset(unit for unit in surface if is_mark(unit, self._extensions))
        maker = {unit.text for unit in units(product.brand or "")}
        # In "Aurora X2" by Aurora, the maker's name is that of the line: nothing else but marks would be left.
        is_line = marks.union(maker).issuperset(surface)
        brand = set[str]() if is_line else {unit for unit in maker if self._frequency[unit] > 1}
        weights = tuple(self._weight(unit, brand) for unit in surface)
        own = {unit.text for unit in units(product.name)}
        # What an alias adds to the name only describes it ("the big Tarn"); an alias of other words names by itself.
        describing = set(surface) - own if own & set(surface) - self._silent else set[str]()
        weak = brand | describing
        distinctive = frozenset(
            unit
            for unit in surface
            if not (unit in weak or unit in self.kinds or self.is_silent(unit) or is_measure(unit))
        )
        number = len(self.surfaces)
        self.surfaces.append(
            Surface(product.id, surface, weights, distinctive, frozenset(brand), frozenset(maker), marks)
        )
        self._by_product[product.id].append(number)
        for unit in dict.fromkeys(surface):
            self._postings.setdefault(unit, array("I")).append(number)

    def _weight(self, unit: str, brand: set[str]) -> float:
        if unit in brand:
            return self.idf(unit) * _BRAND_WEIGHT
        return self.idf(unit) * (_KIND_WEIGHT if unit in self.kinds else 1.0)


def _surfaces(product: Product) -> list[tuple[str, ...]]:
    """Units of every way to name a product, without repetitions."""
    codes = [
        value
        for name, value in product.attributes.items()
        if name.casefold().startswith(_MODEL_ATTRIBUTES) and any(unit.model for unit in units(value))
    ]
    texts = [product.name, *product.aliases, *codes]
    cut = (tuple(unit.text for unit in units(text)) for text in texts)
    return list(dict.fromkeys(surface for surface in cut if surface))


def _only_words(named: Sequence[tuple[Product, tuple[str, ...]]]) -> frozenset[str]:
    """Function words of names that consist of nothing else."""
    return frozenset(unit for _, surface in named if FUNCTION_WORDS.issuperset(surface) for unit in surface)


def _kinds(products: Iterable[Product], named: Sequence[tuple[Product, tuple[str, ...]]]) -> Iterator[str]:
    """Words that say what kind of thing a product is, or how it looks: they fit many products."""
    heads, leads = Counter[str](), Counter[str]()
    for product in products:
        name = units(product.name)
        if name:
            leads[name[0].text] += 1
            heads[name[-1].text] += 1
    yield from (
        head for head, count in heads.items() if count >= _KIND_NAMES and count > leads[head] and head.isalpha()
    )
    own = {product.id: set[str]() for product, _ in named}
    for product, surface in named:
        own[product.id].update(surface)
    for product in products:
        yield from (unit.text for element in product.category for unit in units(element))
        texts = [*product.attributes, *product.attributes.values()]
        texts += [value for variant in product.variants for value in variant.attributes.values()]
        yield from (word for text in texts for word in _plain_words(text) if word not in own[product.id])


def _plain_words(text: str) -> list[str]:
    """The words of a short value such as a colour; a longer one, or one with a model number, may name a product."""
    cut = units(text)
    short = len(cut) <= _VALUE_UNITS and not any(unit.model for unit in cut)
    return [unit.text for unit in cut if len(unit.text) > 1] if short else []
