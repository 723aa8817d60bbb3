"""Tables in documents: a row said in a sentence, under the heads of its columns."""

from dataclasses import dataclass

from graph.answering.candidate import cited, span
from graph.answering.parsed_clause import ParsedClause
from graph.draft import Sentence
from graph.language.sentences import ended, lower_name
from graph.language.terms import terms
from ingestion.evidence import Evidence, lines

DIVIDER = " | "
LEAST_COLUMNS = 2


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table under its heads, and where it stands."""

    heads: tuple[str, ...]
    cells: tuple[str, ...]
    start: int
    end: int


def rows_of(evidence: Evidence) -> list[TableRow]:
    """The rows of all tables of a document; the first row of each is its heads."""
    found: list[TableRow] = []
    heads: tuple[str, ...] = ()
    for start, end in lines(evidence.text):
        cells = tuple(cell.strip() for cell in evidence.text[start:end].split(DIVIDER))
        if len(cells) < LEAST_COLUMNS:
            heads = ()
        elif len(heads) != len(cells):
            heads = cells
        else:
            found.append(TableRow(heads, cells, start, end))
    return found


def row_at(item: Evidence, start: int) -> TableRow | None:
    """The row that stands at a place of a document; None for a table's heads and for what is in no table."""
    return next((row for row in rows_of(item) if row.start <= start < row.end), None)


def row_sentence(asked: ParsedClause, item: Evidence, row: TableRow) -> Sentence:
    """Say the cells asked for in a sentence, such as `Camping: commission 12 percent`."""
    pairs = list(zip(row.heads[1:], row.cells[1:], strict=True))
    wanted = [(head, cell) for head, cell in pairs if asked.terms & set(terms(head))] or pairs
    said = ", ".join(f"{lower_name(head)} {cell}" for head, cell in wanted)
    text = ended(f"{row.cells[0]}: {said}".replace("[", "(").replace("]", ")"))
    return cited(text, span(item, row.start, row.end), product_id=item.product_id)
