"""Names: all the ways in which a product may be named, and what tells it from others."""

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from graph.catalog.units import is_measure, units
from graph.language.lexicon import FUNCTION_WORDS
from graph.language.locale import table
from ingestion.evidence import Product

EXTENSIONS = frozenset(table("names")["extensions"].split())
"""Words by which makers extend a line, in any shop."""

_MAX_LETTERS = 2


def is_mark(unit: str, extensions: frozenset[str] = EXTENSIONS) -> bool:
    """Whether a unit is a model number, a short code or an extension."""
    return unit in extensions or len(unit) <= _MAX_LETTERS or has_digit(unit)


def has_digit(unit: str) -> bool:
    """Whether a unit holds a digit."""
    return any(char.isdigit() for char in unit)


class LineCount:
    """Collects the extensions of a shop while its catalog is read: what makes one product's name another's.

    "Tarn 16 *Studio*" is one where a "Tarn 16" is sold in the same category. Names are kept as hashes, which take less
    room.
    """

    def __init__(self) -> None:
        self._names, self._beginnings = array("q"), array("q")
        self._ends: list[str] = []

    def add(self, category: tuple[str, ...], name: tuple[str, ...]) -> None:
        """Count a name."""
        if category and name:
            self._names.append(hash((category, name)))
            self._beginnings.append(hash((category, name[:-1])))
            self._ends.append(name[-1])

    def extensions(self) -> frozenset[str]:
        """What was found, and the words that extend names in any shop."""
        extended = np.isin(np.array(self._beginnings), np.array(self._names))
        return EXTENSIONS.union(self._ends[place] for place in np.flatnonzero(extended))


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


class KindCount:
    """Collects kinds while a catalog is read: the words of categories and values, and those that end many names."""

    def __init__(self) -> None:
        self._said = set[str]()
        self._heads, self._leads = Counter[str](), Counter[str]()

    def add(self, product: Product, name: tuple[str, ...], own: AbstractSet[str]) -> None:
        """Count a product.

        Args:
            product: The product.
            name: The units of its name.
            own: The units of all its names.
        """
        if name:
            self._leads[name[0]] += 1
            self._heads[name[-1]] += 1
        for element in product.category:
            self._said.update(cut_repeated(element))
        for text in _values(product):
            self._said.update(word for word in _plain_words(text) if word not in own)

    def kinds(self) -> frozenset[str]:
        """What was found."""
        heads = (
            head
            for head, count in self._heads.items()
            if count >= _LEAST_NAMES and count > self._leads[head] and head.isalpha()
        )
        return frozenset(self._said.union(heads))


def _values(product: Product) -> Iterator[str]:
    yield from product.attributes
    yield from product.attributes.values()
    for variant in product.variants:
        yield from variant.attributes.values()


def _plain_words(text: str) -> tuple[str, ...]:
    """The words of a short value such as a colour; a longer one, or one with a model number, may name a product."""
    cut = cut_repeated(text)
    short = len(cut) <= _MOST_VALUE_UNITS and not any(unit.model for unit in units(text))
    return tuple(word for word in cut if len(word) > 1) if short else ()


class SurfaceTable:
    """Surfaces as numbers: for each its product and the numbers of its units; made by appending.

    Attributes:
        vocabulary: Unit to its number, in the order of their first surface.
        frequency: By number, how many products' names hold a unit.
        surfaces: How many surfaces there are.
    """

    def __init__(self) -> None:
        self.vocabulary: dict[str, int] = {}
        self.frequency = array("I")
        self.surfaces = 0
        self._units, self._ends, self._products = array("I"), array("q"), array("I")

    def append(self, product: int, surfaces: Iterable[tuple[str, ...]]) -> None:
        """Add all surfaces of a product."""
        own = set[int]()
        for surface in surfaces:
            numbers = [self._number(unit) for unit in surface]
            own.update(numbers)
            self._units.extend(numbers)
            self._ends.append(len(self._units))
            self._products.append(product)
            self.surfaces += 1
        for number in own:
            self.frequency[number] += 1

    def _number(self, unit: str) -> int:
        number = self.vocabulary.setdefault(unit, len(self.vocabulary))
        if number == len(self.frequency):
            self.frequency.append(0)
        return number

    @property
    def units(self) -> NDArray[np.uint32]:
        """The numbers of all surfaces' units, one surface after the other."""
        return np.frombuffer(self._units, dtype=np.uint32)

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where the units of each surface begin."""
        ends = np.frombuffer(self._ends, dtype=np.int64)
        return np.concatenate([np.zeros(1, dtype=np.int64), ends[:-1]])

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many units each surface has."""
        return np.frombuffer(self._ends, dtype=np.int64) - self.starts

    def firsts(self, products: int) -> NDArray[np.int64]:
        """The first surface of each product, that of its name."""
        return np.searchsorted(self.products, np.arange(products, dtype=np.uint32))

    @property
    def products(self) -> NDArray[np.uint32]:
        """The product of each surface, by its place in the catalog."""
        return np.frombuffer(self._products, dtype=np.uint32)

    def surface(self, number: int) -> NDArray[np.uint32]:
        """The units of a surface."""
        start = self._ends[number - 1] if number else 0
        return np.frombuffer(self._units, dtype=np.uint32)[start : self._ends[number]]


class Postings:
    """By a unit's number, the numbers of the surfaces that hold it, ascending.

    Args:
        table: The surfaces, which must not grow any more.
    """

    def __init__(self, table: SurfaceTable) -> None:
        holders = np.repeat(np.arange(table.surfaces, dtype=np.uint32), table.sizes)
        order = np.argsort(table.units, kind="stable")
        units, holders = table.units[order], holders[order]
        # A unit may stand twice in one surface.
        first = np.ones(len(units), dtype=np.bool_)
        first[1:] = (units[1:] != units[:-1]) | (holders[1:] != holders[:-1])
        self._holders = holders[first]
        self._ends = np.cumsum(np.bincount(units[first], minlength=len(table.vocabulary)))

    def __getitem__(self, unit: int) -> NDArray[np.uint32]:
        return self._holders[self._ends[unit - 1] if unit else 0 : self._ends[unit]]


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
