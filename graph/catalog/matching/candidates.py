"""Candidates: the products that a name from elsewhere may mean, and how they compare with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from graph.catalog.matching.features import FEATURES, candidate_features
from graph.catalog.matching.profile import Profile, product_profile, query_profile
from graph.catalog.names import NameIndex
from graph.catalog.surfaces import cut_repeated, other_names
from graph.catalog.units import units

CANDIDATES = 20
_SURFACES = 64
_LEAST_RARITY = 0.02
_REMEMBERED = 16384


@dataclass(frozen=True, slots=True)
class Described:
    """The candidates of a query.

    Attributes:
        query: The query.
        keys: Product ids, by what their names share with the query, most first.
        names: For each its name or the alias that shares the most with the query.
        own_names: For each its name.
        features: How each compares with the query, shape `(len(keys), len(FEATURES))`.
    """

    query: Profile
    keys: Sequence[str]
    names: Sequence[Profile]
    own_names: Sequence[Profile]
    features: NDArray[np.float64]


class CandidateSearch:
    """Finds and describes candidates over a catalog's index of names; what was read of products is remembered.

    Args:
        names: The index.
    """

    def __init__(self, names: NameIndex) -> None:
        self._names = names
        self._makers = names.makers
        self._profile = lru_cache(maxsize=_REMEMBERED)(self._read)
        self._rarity = lru_cache(maxsize=_REMEMBERED)(self._weigh)

    def describe(self, text: str) -> Described:
        """The candidates of a name from elsewhere; none where no name shares a unit with it."""
        wanted = {unit.text: 1.0 for unit in units(text, self._names)}
        found = self._names.candidates(wanted, _SURFACES)
        said = {surface.product_id: surface.units for surface in reversed(found)}
        keys = list(dict.fromkeys(surface.product_id for surface in found))[:CANDIDATES]
        query = query_profile(text, self._names)
        if not keys:
            return Described(query, (), (), (), np.zeros((0, len(FEATURES))))
        names = [self._profile(key, self._spoken(key, said[key])) for key in keys]
        own = [self._profile(key, self._names.products[key].name) for key in keys]
        return Described(query, keys, names, own, candidate_features(query, names, self._rarity, self._makers))

    def _spoken(self, key: str, said: tuple[str, ...]) -> str:
        """The alias of a product that has these units; its name where none has."""
        product = self._names.products[key]
        return next((alias for alias in product.aliases if said == cut_repeated(alias)), product.name)

    def _read(self, key: str, name: str) -> Profile:
        """Read a product by one of its names."""
        product = self._names.products[key]
        others = tuple(other for other in (product.name, *other_names(product)) if other != name)
        return product_profile(name, others, product.brand, self._names)

    def _weigh(self, unit: str) -> float:
        return max(self._names.idf(unit) / self._names.most_idf, _LEAST_RARITY)
