"""Variations: the previous question asked of another variant of the product ("and in Fern?", "and 256 GB?")."""

from collections import defaultdict

from graph.catalog.units import units
from graph.rewriting.words import Edit, appended, as_question, edited
from ingestion.evidence import Product

_BEFORE = (
    frozenset({"in", "with", "for", "as"}),
    frozenset({"the", "a", "an"}),
    frozenset({"color", "colour", "size"}),
)
_BEHIND = frozenset({"one", "version", "variant", "model"})


def varied(fragment: str, previous: str, product: Product) -> str | None:
    """The previous question with another variant's value in it; None where the fragment names no such value."""
    said = _text(_value_of(fragment))
    for values in _options(product).values():
        chosen = [value for value in values if _names(said, value)]
        if len(chosen) != 1:
            continue
        for other in sorted(set(values) - set(chosen), key=len, reverse=True):
            span = _find(other, previous)
            if span is not None:
                return as_question(edited(previous, [Edit(*span, chosen[0])]))
        return as_question(appended(previous, f"in {chosen[0]}"))
    return None


def _value_of(fragment: str) -> str:
    """A fragment without the words around the value it names: `in the red version` names `red`."""
    words = fragment.split()
    for around in _BEFORE:
        if len(words) > 1 and words[0].casefold() in around:
            words = words[1:]
    if len(words) > 1 and words[-1].casefold() in _BEHIND:
        words = words[:-1]
    return " ".join(words)


def _options(product: Product) -> dict[str, list[str]]:
    """Each attribute by which the variants differ, and its values."""
    options: dict[str, list[str]] = defaultdict(list)
    for variant in product.variants:
        for name, value in variant.attributes.items():
            if value not in options[name]:
                options[name].append(value)
    return {name: values for name, values in options.items() if len(values) > 1}


def _text(value: str) -> tuple[str, ...]:
    return tuple(unit.text for unit in units(value))


def _names(said: tuple[str, ...], value: str) -> bool:
    """Whether words name a value: all of it, or its beginning ("wide" for "Wide (2E)")."""
    whole = _text(value)
    return bool(said) and (said == whole or said == whole[: len(said)])


def _find(value: str, text: str) -> tuple[int, int] | None:
    """Where a text says a value."""
    wanted, cut = _text(value), units(text)
    for first in range(len(cut) - len(wanted) + 1):
        if tuple(unit.text for unit in cut[first : first + len(wanted)]) == wanted:
            return cut[first].start, cut[first + len(wanted) - 1].end
    return None
