"""Rows that never change, read once and kept while there is room."""

from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Generic, TypeVar

from cachetools import LRUCache

Row = TypeVar("Row")


class Remembered(Generic[Row]):
    """Rows by key, of which those used longest ago are forgotten; it may be asked from several threads.

    Args:
        read: Reads rows by their keys; those that do not exist are left out.
        size: Rows that are kept.
    """

    def __init__(self, read: Callable[[Sequence[str]], Mapping[str, Row]], size: int) -> None:
        self._read = read
        self._rows: LRUCache[str, Row] = LRUCache(size)
        self._lock = Lock()

    def of(self, keys: Sequence[str]) -> dict[str, Row]:
        """The rows of these keys that exist, each once."""
        with self._lock:
            found = {key: self._rows[key] for key in keys if key in self._rows}
        missing = [key for key in dict.fromkeys(keys) if key not in found]
        if missing:
            fresh = self._read(missing)
            with self._lock:
                self._rows.update(fresh)
            found |= fresh
        return found
