"""Matching: what in the evidence is about a clause: attributes, statements, and the rows of tables."""

from collections.abc import Sequence
from dataclasses import dataclass

from graph.answering.candidate import cited, span
from graph.draft import Sentence
from graph.language.families import covered_terms
from graph.language.notation import measured_parts, plain_name, plain_value
from graph.language.sentences import capitalised, ended
from graph.language.terms import terms
from graph.parts import Encoder
from graph.understanding.parsed_question import ParsedClause
from ingestion.evidence import Evidence, lines
from ingestion.source_types import POLICIES
from ingestion.spans import sentence_spans

WHOLLY_ABOUT = 0.9
"""Least coverage of an attribute that is about all that was asked, however the question is framed."""
LONGEST_NAME = 60
"""Characters of an attribute's name; before a later colon stands a sentence."""


@dataclass(frozen=True, slots=True)
class AttributeMatch:
    """A line `Name: value` of a specification and how well it fits a clause (0 to 1)."""

    evidence: Evidence
    name: str
    value: str
    start: int
    end: int
    coverage: float
    score: float


def attribute_lines(evidence: Evidence) -> list[tuple[str, str, int, int]]:
    """The attributes a specification states, in words: `(name, value, start, end)` of each line."""
    found = []
    for start, end in lines(evidence.text):
        row = evidence.text[start:end]
        tabular = row.count(" | ") == 1 and ":" not in row.partition(" | ")[0]
        name, colon, value = row.partition(" | ") if tabular else row.partition(":")
        if colon and value.strip() and len(name) <= LONGEST_NAME:
            parts = measured_parts(value.strip()) or ((plain_name(name.strip()), plain_value(value.strip())),)
            found += [(*part, start, end) for part in parts]
    return found


def statements(evidence: Evidence) -> list[tuple[int, int]]:
    """The sentences of an evidence, without the lines of attributes that stand below a fact."""
    stated = {at[2:] for at in attribute_lines(evidence) if at[2]}
    return [at for at in sentence_spans(evidence.text) if at not in stated]


def match_attributes(asked: ParsedClause, evidence: Sequence[Evidence], encoder: Encoder) -> list[AttributeMatch]:
    """Attributes of specifications, best fit first."""
    rows = [(item, *line) for item in evidence for line in attribute_lines(item)]
    if not rows or not asked.terms:
        return []
    vectors = encoder.encode([asked.text, *(name for _, name, *_ in rows)])
    meaning = vectors[1:] @ vectors[0]
    matches = []
    for (item, name, value, start, end), cosine in zip(rows, meaning, strict=True):
        covered = covered_terms(name, value)
        share = asked.coverage(covered)
        if asked.specific and asked.specific <= covered:
            share = max(share, WHOLLY_ABOUT)
        own = len(asked.terms.intersection(terms(name))) / (len(set(terms(name))) or 1)
        score = 0.65 * share + 0.2 * max(0.0, float(cosine)) + 0.15 * own
        matches.append(AttributeMatch(item, name, value, start, end, share, score))
    return sorted(matches, key=lambda match: -match.score)


def spoken_of_product(item: Evidence, sentence: str) -> str:
    """What a rule says of a product, without the product's name before it: its words are no matter of the rule."""
    named = item.source_type in POLICIES and item.product_id is not None
    return sentence.partition(": ")[2] or sentence if named else sentence


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
    """Say the cells asked for in a sentence, such as `Department: Camping; Commission: 12 percent`."""
    first, *pairs = zip(row.heads, row.cells, strict=True)
    wanted = [first, *([(head, cell) for head, cell in pairs if asked.terms & set(terms(head))] or pairs)]
    said = "; ".join(f"{head}: {cell}" if head else cell for head, cell in wanted)
    text = ended(capitalised(said).replace("[", "(").replace("]", ")"))
    return cited(text, span(item, row.start, row.end), product_id=item.product_id)
