"""Boosted regression trees (Friedman, 2001) as plain arrays: no library is needed to use them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.intp]
Arrays = Mapping[str, NDArray[np.generic]]


@dataclass(frozen=True, slots=True)
class Trees:
    """A sum of trees; the nodes of all lie in one row, a leaf points to itself.

    Attributes:
        features: Names of the columns that it reads, in order.
        roots: The first node of each tree.
        column: The column that a node looks at.
        threshold: A value up to it goes left.
        children: For each node the one that follows then, and the one that follows else.
        value: What a leaf adds.
    """

    features: tuple[str, ...]
    roots: Ints
    column: Ints
    threshold: Floats
    children: Ints
    value: Floats

    def predict(self, rows: Floats) -> Floats:
        """The sum for each row, shape `(rows,)`."""
        flat = rows.ravel()
        begins = np.arange(len(rows))[:, None] * rows.shape[1]
        nodes = np.broadcast_to(self.roots, (len(rows), len(self.roots)))
        while True:
            goes_right = flat.take(begins + self.column.take(nodes)) > self.threshold.take(nodes)
            following = self.children.take(2 * nodes + goes_right)
            if np.array_equal(following, nodes):
                gains: Floats = self.value.take(nodes).sum(axis=1)
                return gains
            nodes = following

    def to_arrays(self) -> dict[str, NDArray[np.generic]]:
        """The trees as arrays to be written to a file."""
        return {
            "features": np.array(self.features),
            "roots": self.roots.astype(np.int32),
            "column": self.column.astype(np.int32),
            "threshold": self.threshold,
            "children": self.children.astype(np.int32),
            "value": self.value,
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> "Trees":
        """The trees that were written as arrays.

        Raises:
            KeyError: An array is missing.
        """
        return cls(
            features=tuple(arrays["features"].tolist()),
            roots=arrays["roots"].astype(np.intp),
            column=arrays["column"].astype(np.intp),
            threshold=arrays["threshold"].astype(np.float32),
            children=arrays["children"].astype(np.intp),
            value=arrays["value"].astype(np.float32),
        )
