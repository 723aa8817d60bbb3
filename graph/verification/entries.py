"""Entries: the value of one entry of a list is not stated under the name of another."""

from collections.abc import Iterator, Sequence

from graph.language.families import family_of, is_wholly_named, own_words
from graph.language.terms import terms
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
