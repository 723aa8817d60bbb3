"""The index of a catalog's names: which names hold a unit, and how much a unit says."""

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from graph.catalog.kinds import KindCount
from graph.catalog.marks import LineCount, is_mark
from graph.catalog.postings import Postings, SurfaceTable
from graph.catalog.surfaces import Surface, cut_repeated, surface_units
from graph.catalog.units import is_measure
from graph.language.function_words import FUNCTION_WORDS
from ingestion.evidence import Product

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
        makers: First units of the makers' names.
    """

    def __init__(self, products: Mapping[str, Product]) -> None:
        self.products = products
        self._keys = list(products)
        self._total = max(len(products), 1)
        self._table = SurfaceTable()
        kinds, lines = KindCount(), LineCount()
        only_words, makers = set[str](), set[str]()
        for number, product in enumerate(products.values()):
            surfaces = surface_units(product)
            self._table.append(number, surfaces)
            kinds.add(product, surfaces[0] if surfaces else (), set().union(*surfaces))
            lines.add(product.category, surfaces[0] if surfaces else ())
            makers.update(cut_repeated(product.brand or "")[:1])
            only_words.update(unit for surface in surfaces if FUNCTION_WORDS.issuperset(surface) for unit in surface)
        self._extensions = lines.extensions()
        self._silent = FUNCTION_WORDS - _LETTERS - self._extensions - only_words
        self.kinds = kinds.kinds() - self._extensions
        self.makers = frozenset(makers)
        self._postings = Postings(self._table)
        self._words = list(self._table.vocabulary)
        self._firsts, self._products = self._table.firsts(len(products)), self._table.products
        self._is_mark = lru_cache(maxsize=_REMEMBERED)(partial(is_mark, extensions=self._extensions))
        self.idf = lru_cache(maxsize=_REMEMBERED)(self._idf)
        self._mass = self._masses()
        self.of_product = lru_cache(maxsize=_REMEMBERED)(self._surfaces_of)
        self._described = lru_cache(maxsize=_REMEMBERED)(self._describe)

    def __contains__(self, unit: object) -> bool:
        """Whether some name holds the unit."""
        return unit in self._table.vocabulary

    def __iter__(self) -> Iterator[str]:
        """All units of all names."""
        return iter(self._table.vocabulary)

    def _idf(self, unit: str) -> float:
        return 0.0 if self.is_silent(unit) else math.log1p(self._total / max(self._frequency(unit), 1))

    @property
    def most_idf(self) -> float:
        """The inverse document frequency of a unit of one name."""
        return math.log1p(self._total)

    def is_silent(self, unit: str) -> bool:
        """Whether a unit is a function word that sets no product apart."""
        return unit in self._silent

    def is_common(self, unit: str) -> bool:
        """Whether a unit is part of several products' names, or says what kind of thing one is."""
        return self._frequency(unit) > 1 or unit in self.kinds

    def named(self, name: tuple[str, ...]) -> list[Surface]:
        """The names with exactly these units."""
        return [surface for surface in self.candidates(dict.fromkeys(name, 1.0), _NAMED) if surface.units == name]

    def holding(self, unit: str) -> list[str]:
        """Ids of the products whose names hold a unit."""
        number = self._table.vocabulary.get(unit)
        if number is None:
            return []
        return [self._keys[place] for place in np.unique(self._table.products[self._postings[number]])]

    def candidates(self, wanted: Mapping[str, float], limit: int) -> list[Surface]:
        """Names that share the most with a question.

        Args:
            wanted: Unit to how surely it was meant (0 to 1).
            limit: How many at most.

        Returns:
            Best first, by the shared weight and its share of the name. The rarest units are read first, and reading
            stops at a budget, so that a word of half the names costs nothing.
        """
        shared = np.zeros(self._table.surfaces, dtype=np.float32)
        found: list[NDArray[np.uint32]] = []
        budget = _POSTING_BUDGET
        for unit in sorted((unit for unit in wanted if unit in self), key=self._frequency):
            if found and self._frequency(unit) > budget:
                break
            posting = self._postings[self._table.vocabulary[unit]]
            budget -= len(posting)
            found.append(posting)
            shared[posting] += self.idf(unit) * wanted[unit]
        if not found:
            return []
        numbers = np.concatenate(found)
        best = _best(numbers, shared[numbers] ** 2 / self._mass[numbers], limit, len(found))
        return [self._surface(number) for number in best]

    def _frequency(self, unit: str) -> int:
        number = self._table.vocabulary.get(unit)
        return 0 if number is None else self._table.frequency[number]

    def _surface(self, number: int) -> Surface:
        place = self._products[number]
        return self._described(self._keys[place], self._units(int(self._firsts[place])), self._units(number))

    def _units(self, number: int) -> tuple[str, ...]:
        return tuple(self._words[unit] for unit in self._table.surface(number).tolist())

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

    def _weight(self, unit: str, brand: frozenset[str]) -> float:
        if unit in brand:
            return self.idf(unit) * _BRAND_WEIGHT
        return self.idf(unit) * (_KIND_WEIGHT if unit in self.kinds else 1.0)

    def _masses(self) -> NDArray[np.float32]:
        """The weight of each surface, as `_describe` has it but for makers' names, which it counts in full."""
        weights = np.fromiter((self._weight(unit, frozenset()) for unit in self._words), dtype=np.float32)
        return np.add.reduceat(weights[self._table.units], self._table.starts) if self._words else weights


def _best(numbers: NDArray[np.uint32], scores: NDArray[np.float32], limit: int, repeats: int) -> list[int]:
    """The numbers of the highest scores, best first, of equal ones the lowest; each stands up to `repeats` times."""
    most = limit * repeats
    if len(scores) > most:
        places = np.flatnonzero(scores >= np.partition(scores, -most)[-most])
        numbers, scores = numbers[places], scores[places]
    ordered = numbers[np.lexsort((numbers, -scores))]
    return list(dict.fromkeys(ordered.tolist()))[:limit]
