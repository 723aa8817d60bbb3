"""Siblings: a second product of which only the mark is said ("the Tarn 14 or *16*?")."""

from graph.catalog.alignment import Alignment, Spoken
from graph.catalog.marks import has_digit
from graph.catalog.names import NameIndex
from graph.catalog.surfaces import Surface

_LINKS = frozenset({"and", "or", "vs", "versus", "than", "to", "with"})
_ARTICLES = frozenset({"the", "a"})


def sibling(names: NameIndex, surface: Surface, mark: str) -> Surface | None:
    """The name that differs from a name by its mark alone; None where no product has it."""
    for place, unit in enumerate(surface.units):
        if unit != mark and has_digit(unit) == has_digit(mark) and unit in surface.marks:
            for other in names.named((*surface.units[:place], mark, *surface.units[place + 1 :])):
                return other
    return None


def elided(names: NameIndex, question: Spoken, found: Alignment) -> Alignment | None:
    """The sibling whose mark follows a mention after a linking word."""
    index = found.last + 1
    if index >= len(question.units) or question.units[index].text not in _LINKS:
        return None
    index += 1
    if index < len(question.units) and question.units[index].text in _ARTICLES:
        index += 1
    if index >= len(question.units):
        return None
    mark = question.units[index].text
    other = sibling(names, found.surface, mark)
    if other is None:
        return None
    return Alignment(other, index, index, other.units, share=1.0, similarity=1.0, ordered=True, gap=False)
