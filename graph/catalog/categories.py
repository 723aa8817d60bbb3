"""Categories: whether a question names one ("your tents"), and which."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from graph.catalog.units import Unit, units
from ingestion.evidence import Product


class CategoryFinder:
    """Finds the catalog path that a question names by its words.

    A path is named by all words of an element, or by the head noun of its last one; the longest and then the deepest
    name wins. Where one noun heads several paths, it names what they share.

    Args:
        products: The products whose categories count.
    """

    def __init__(self, products: Iterable[Product]) -> None:
        self._named: dict[tuple[str, ...], set[tuple[str, ...]]] = defaultdict(set)
        for path in {product.category: None for product in products if product.category}:
            for depth, element in enumerate(path, 1):
                words = tuple(unit.text for unit in units(element))
                if words:
                    self._named[words].add(path[:depth])
                if depth == len(path) and len(words) > 1:
                    self._named[words[-1:]].add(path)

    def find(self, cut: Sequence[Unit]) -> tuple[str, ...]:
        """The path that units of a question name; empty for none."""
        texts = [unit.text for unit in cut]
        for length in range(min(len(texts), 6), 0, -1):
            paths = [self._path(tuple(texts[i : i + length])) for i in range(len(texts) - length + 1)]
            deepest = max(paths, key=len, default=())
            if deepest:
                return deepest
        return ()

    def _path(self, words: tuple[str, ...]) -> tuple[str, ...]:
        paths = self._named.get(words)
        if not paths:
            return ()
        shared = [elements[0] for elements in zip(*paths, strict=False) if len(set(elements)) == 1]
        return tuple(shared)
