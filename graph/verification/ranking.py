"""Rankings: what a sentence calls the lightest of several is so by what each of them states."""

import re
from collections.abc import Sequence

from graph.answering.facts import STRUCTURED
from graph.answering.matching import attribute_lines, statements
from graph.browsing.ranking.measures import names_measure
from graph.browsing.ranking.reading import Superlative, read_superlative
from graph.language.amounts import Amount, amount_of, comparable, duration_in, share_in
from graph.turn import Derived
from graph.verification.case import Case
from ingestion.evidence import Evidence

_TAIL = re.compile(r", the ((?:\w+ ){1,3})of the (\d+)(?: [^.]{0,300})?\.?$")


def without_ranking(case: Case) -> str:
    """The sentence without the words that only rank what it tells: they are recomputed, not looked up."""
    return _TAIL.sub(".", case.said.text) if _count(case) else case.said.text


def wrongly_ranked(case: Case) -> tuple[str, ...]:
    """The superlative of a sentence that the counted sources do not bear out."""
    tail, count = _TAIL.search(case.said.text), _count(case)
    if tail is None or count is None:
        return ()
    superlative = read_superlative(tail[1])
    borne_out = int(tail[2]) == len(count.of) and superlative is not None and _holds(superlative, count, case)
    return () if borne_out else tuple(tail[1].split())


def _count(case: Case) -> Derived | None:
    return next((one for one in case.derived if one.op == "count"), None)


def _holds(superlative: Superlative, count: Derived, case: Case) -> bool:
    """Whether the cited amount stands at the place that is said among those counted."""
    own = case.items[0]
    rows = attribute_lines(own) if own.source_type in STRUCTURED else []
    name = next((name for name, _, start, end in rows if own.text[start:end] in case.quotes), "")
    items = [case.evidence[key] for key in count.of if key in case.evidence]
    direction = superlative.direction_for(names_measure(superlative, name))
    amounts = [amount for item in items if (amount := _amount(name, item, direction))]
    if len(amounts) != len(count.of) or own not in items:
        return False
    figures = comparable(amounts)
    return None not in figures and _stands(superlative, name, own, items, amounts, [one or 0.0 for one in figures])


def _stands(
    superlative: Superlative,
    name: str,
    own: Evidence,
    items: Sequence[Evidence],
    amounts: Sequence[Amount],
    figures: Sequence[float],
) -> bool:
    direction = superlative.direction_for(names_measure(superlative, name), timed=amounts[0].timed)
    mine = figures[items.index(own)] * direction
    better = {figure for figure in figures if figure * direction > mine}
    level = sum(figure * direction == mine for figure in figures)
    return len(better) == superlative.place - 1 and level == 1


def _amount(name: str, item: Evidence, direction: int) -> Amount | None:
    """What an evidence states of an attribute, or sets as a rule where no attribute is cited."""
    if name:
        rows = (value for other, value, *_ in attribute_lines(item) if other.casefold() == name.casefold())
        return next((amount for value in rows if (amount := amount_of(value, direction))), None)
    start, end = statements(item)[0]
    text = item.text[start:end]
    return share_in(text) if item.source_type == "offer" else duration_in(text)
