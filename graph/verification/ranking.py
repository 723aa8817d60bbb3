"""Rankings and entries of tables: the first of a list is the first of its source."""

import re
from collections.abc import Iterator, Sequence

from graph.answering.facts import STRUCTURED
from graph.answering.matching import attribute_lines, statements
from graph.browsing.ranking.measures import names_measure
from graph.browsing.ranking.scope import Superlative, read_superlative
from graph.language.amounts import Amount, amount_of, comparable, duration_in, share_in
from graph.language.families import family_of, is_wholly_named, own_words
from graph.language.terms import terms
from graph.turn import Derived
from graph.verification.case import Case
from ingestion.evidence import Evidence, lines

_LONGEST_NAME = 60


def misnamed_entries(case: Case) -> tuple[str, ...]:
    """Names of other entries of a cited list that a sentence speaks of, while it cites the words of none of them."""
    failing: list[str] = []
    for item in case.items:
        own = [(where.start, where.end) for where in case.sentence.spans if where.evidence_id == item.evidence_id]
        entries = list(_entries(item))
        cited = [name for start, end, name in entries if any(_overlap((start, end), span) for span in own)]
        if not cited or len(cited) < len(own):
            continue  # prose may speak of anything
        told = {term for text in (case.cited, case.named, case.names) for term in terms(text)}
        said = set(terms(case.said.text)) - told
        failing += _taken_for(cited, [name for *_, name in entries], case)
        failing += [name for *_, name in entries if name not in cited and (own_ := set(terms(name))) and own_ <= said]
    return tuple(dict.fromkeys(failing))


def _taken_for(cited: Sequence[str], names: Sequence[str], case: Case) -> Iterator[str]:
    """Names of entries that are taken for what another states: a maximum load weight for what a thing weighs."""
    said = set(terms(case.said.text))
    for name in cited:
        family = family_of(name)
        if family is None or is_wholly_named(name, family) or own_words(name, family) & said:
            continue
        yield from (other for other in names if family_of(other) is family and is_wholly_named(other, family))


def _entries(item: Evidence) -> Iterator[tuple[int, int, str]]:
    """Where the entries of a list stand, and their names."""
    for start, end in lines(item.text):
        name, colon, value = item.text[start:end].partition(": ")
        if colon and value.strip() and len(name) <= _LONGEST_NAME:
            yield start, end, name


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


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
