"""Postings: which surfaces hold a unit, as flat arrays, so that a million names take little room."""

from array import array
from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray


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


class Postings(Mapping[int, NDArray[np.uint32]]):
    """Unit to the numbers of the surfaces that hold it, ascending.

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

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self._ends)))

    def __len__(self) -> int:
        return len(self._ends)
