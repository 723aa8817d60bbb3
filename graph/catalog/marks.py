"""Marks: the parts of a name that set apart products of one line ("X2", "14", "Pro")."""

from array import array

import numpy as np

EXTENSIONS = frozenset("pro max plus mini ultra lite air se fe neo go xl".split())
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
