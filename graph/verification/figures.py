"""Figures: each number of a sentence, with its unit, stands in what it cites or was computed from it."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache

from graph.language.names import name_pattern
from graph.language.quantities import Quantity, Written, quantities, unit_of
from graph.language.terms import stem
from graph.support.contradiction import covered_otherwise
from graph.support.names import goes_on, places
from graph.support.wording import read
from graph.verification.case import Case
from graph.verification.derivation import computed_quantities

_STAR = "star"
_SAME_WORDS = 0.9
"""Share of a sentence's other words that stand in a source which says the same."""
_NEXT_WORD = re.compile(r"[\s-]{0,3}([^\W\d_]+)")


def unfound_figures(case: Case) -> tuple[str, ...]:
    """The figures and units of a sentence that no cited span says.

    A figure inside a name that stands above the cited words, such as that of the product, is part of the name. A number
    word without a unit may count what the source lists; it is unfound where the source counts the same otherwise.
    """
    there = [written.quantity for quote in case.quotes for written in quantities(_without_names(quote, case))]
    there += computed_quantities(case)
    said = _without_names(case.said.text, case)
    units: dict[str, dict[str | None, None]] = {}
    for one in there:
        units.setdefault(one.value, {})[one.unit] = None
    failing = []
    for written in quantities(said):
        same = units.get(written.quantity.value, {})
        if not same and (_in_digits(written) or _counted_otherwise(written, said, case)):
            failing.append(written.figure)
        elif same and not _with_unit(written, same, case):
            failing.append(f"{written.figure} {written.unit}")
    return tuple(failing) or _exchanged(quantities(said), there, case)


def _exchanged(said: Sequence[Written], there: Sequence[Quantity], case: Case) -> tuple[str, ...]:
    """Figures of which the source has fewer, where it says the sentence with as many figures: "5 to 5" for "3 to 5"."""
    if case.derived or len(said) != len(there) or covered_otherwise(case.said, case.texts) < _SAME_WORDS:
        return ()
    left = Counter(one.value for one in there)
    left.subtract(written.quantity.value for written in said)
    return tuple(dict.fromkeys(written.figure for written in said if left[written.quantity.value] < 0))


def _in_digits(written: Written) -> bool:
    return written.figure[0].isdigit() or written.quantity.unit is not None


def _with_unit(written: Written, same: Collection[str | None], case: Case) -> bool:
    """Whether a figure has its unit there too; one whose unit stands apart from it, as in a table, has it by that.

    Args:
        written: The figure.
        same: The units that the same figure has there.
        case: What is judged.
    """
    unit = written.quantity.unit
    if unit is None or unit in same:
        return True
    if None not in same:
        return False
    apart = {unit_of(token.text) for text in case.texts for token in text.tokens}
    return unit in apart or (unit == _STAR and any(item.rating is not None for item in case.items))


def _counted_otherwise(written: Written, said: str, case: Case) -> bool:
    """Whether what a number word counts has another number in the cited words."""
    noun = _NEXT_WORD.match(said, written.end)
    if noun is None:
        return False
    return stem(noun[1].casefold()) in _counted(case.quotes)


@lru_cache(maxsize=64)
def _counted(quotes: Sequence[str]) -> frozenset[str]:
    """Stems of what the figures of texts count."""
    beside = (_NEXT_WORD.match(quote, figure.end) for quote in quotes for figure in quantities(quote))
    return frozenset(stem(found[1].casefold()) for found in beside if found)


def _without_names(text: str, case: Case) -> str:
    """A text with blanks for the names that stand above the cited words or are the product's."""
    for name in sorted(filter(None, case.names.split("\n")), key=len, reverse=True):
        text = name_pattern(name).sub(lambda found: " " * len(found[0]), text)
    for run in read(text).names:
        if len(run) > 1 and places(run, case.above) and not goes_on(run, case.above):
            text = text[: run[0].start] + " " * (run[-1].end - run[0].start) + text[run[-1].end :]
    return text
