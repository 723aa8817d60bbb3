"""Kinds: words that say what kind of thing a product is, or how it looks; they fit many products."""

from collections import Counter
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from graph.catalog.surfaces import cut_repeated
from graph.catalog.units import units
from ingestion.evidence import Product

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
