"""Answers from tables in documents: the cell where the row and the column that were asked for meet."""

from collections.abc import Sequence
from dataclasses import dataclass

from graph.answering.asked import Asked
from graph.answering.candidate import Candidate, cited, paragraph, span
from graph.answering.matching import context_terms
from graph.answering.prose import lacks_figure
from graph.language.sentences import ended, lower_name
from graph.language.terms import terms
from ingestion.evidence import Evidence, lines

DIVIDER = " | "
LEAST_COLUMNS = 2
SCORE, NAMED = 0.66, 0.85
"""Scores of a row that is named in part, and of one named whole."""
MOST = 3


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table under its heads, and where it stands."""

    heads: tuple[str, ...]
    cells: tuple[str, ...]
    start: int
    end: int


def rows_of(evidence: Evidence) -> list[Row]:
    """The rows of all tables of a document; the first row of each is its heads."""
    found: list[Row] = []
    heads: tuple[str, ...] = ()
    for start, end in lines(evidence.text):
        cells = tuple(cell.strip() for cell in evidence.text[start:end].split(DIVIDER))
        if len(cells) < LEAST_COLUMNS:
            heads = ()
        elif len(heads) != len(cells):
            heads = cells
        else:
            found.append(Row(heads, cells, start, end))
    return found


def find_in_tables(asked: Asked, evidence: Sequence[tuple[Evidence, float]]) -> Candidate | None:
    """The cells whose row is named in a clause and whose column, or table, is what it asks for."""
    best: list[tuple[float, Evidence, Row]] = []
    for item, relevance in evidence:
        about = context_terms(item)
        for row in rows_of(item):
            named = frozenset(terms(row.cells[0]))
            if named.isdisjoint(asked.specific):
                continue
            covered = named | about | frozenset(terms(" ".join([*row.heads, *row.cells])))
            if not asked.uncovered(covered) and not lacks_figure(asked, " ".join(row.cells)):
                best.append((len(named & asked.terms) / len(named) + relevance, item, row))
    if not best:
        return None
    table = max(best, key=lambda found: found[0])[1].evidence_id
    chosen = [(item, row) for _, item, row in best if item.evidence_id == table]
    whole = [(item, row) for item, row in chosen if set(terms(row.cells[0])) <= asked.terms]
    chosen = (whole or chosen)[:MOST]
    sentences = [cited(_said(asked, row), span(item, row.start, row.end)) for item, row in chosen]
    return Candidate(
        blocks=(paragraph(*sentences),),
        score=NAMED if whole else SCORE,
        source_type=chosen[0][0].source_type,
        evidence_ids=frozenset(item.evidence_id for item, _ in chosen),
    )


def _said(asked: Asked, row: Row) -> str:
    """Say the cells asked for in a sentence, such as `Camping: commission 12 percent`."""
    pairs = list(zip(row.heads[1:], row.cells[1:], strict=True))
    wanted = [(head, cell) for head, cell in pairs if asked.terms & set(terms(head))] or pairs
    said = ", ".join(f"{lower_name(head)} {cell}" for head, cell in wanted)
    return ended(f"{row.cells[0]}: {said}".replace("[", "(").replace("]", ")"))
