"""Comparisons: a table with a citation in each cell, what differs first."""

import re
from collections.abc import Sequence

from graph.answering.candidate import cited, paragraph, remark, span
from graph.answering.facts import STRUCTURED
from graph.answering.matching import attribute_lines, match_attributes
from graph.catalog.units import units
from graph.draft import Block, Segment, Sentence, YesNo
from graph.language.families import covered_terms, family_of
from graph.language.locale import reply, word_class
from graph.language.quantities import amount_of, comparable
from graph.language.sentences import capitalised, lower_name, the, titled
from graph.language.terms import terms, words
from graph.parts import Encoder
from graph.rewriting.scene import is_kind
from graph.understanding.parsed_question import ParsedClause
from ingestion.evidence import Evidence, Product
from ingestion.stems import stem

ROWS = 16
SHARED = 4
NOT_STATED = reply("not_stated")
CLOSE = 0.1

LESS = word_class("lesser")
MORE = word_class("greater")
Cell = tuple[Evidence, str, int, int]


def compare(
    asked: ParsedClause,
    products: Sequence[Product],
    evidence: Sequence[tuple[Evidence, float]],
    encoder: Encoder,
    parts: Sequence[ParsedClause] = (),
) -> tuple[list[Block], list[str]]:
    """A table of the attributes asked for, or of all; the names of its rows come with it.

    Args:
        asked: What is compared.
        products: The products.
        evidence: What was found.
        encoder: Tells which attributes are meant.
        parts: The parts that are asked for together ("weight and price"), each with rows of its own.
    """
    cells = {product.id: _cells(product, evidence) for product in products}
    rows = [row for part in parts or [asked] for row in rows_asked(part, products, evidence, encoder)]
    rows = list(dict.fromkeys(rows))
    if not rows and is_particular(asked, products):
        # "Which has the better camera" is not answered by what else is known of both.
        return [], []
    rows = rows or _rows(products, cells)
    values = {row: {own[row][1].casefold() if row in own else None for own in cells.values()} for row in rows}
    differing = [row for row in rows if len(values[row]) > 1]
    same = [row for row in rows if len(values[row]) == 1]
    asked_for = differing[:ROWS] or same[:ROWS]
    if not asked_for:
        return [], []
    table = Block(
        kind="table",
        columns=["", *(product.name for product in products)],
        row_names=[_title(row, cells) for row in asked_for],
        sentences=[_cell(cells[product.id].get(row), product) for row in asked_for for product in products],
    )
    first = _first_named(asked, products, asked_for, cells)
    shared = _shared([row for row in same if row not in asked_for][:SHARED], products, cells)
    return [*first, table, *shared], [_title(row, cells) for row in asked_for]


def _first_named(
    asked: ParsedClause, products: Sequence[Product], rows: Sequence[str], cells: dict[str, dict[str, Cell]]
) -> list[Block]:
    """What a comparative asks for, before the table that shows it: `Yes.`, or the product that has the more or less."""
    degree = [word for word in words(asked.text) if word in LESS | MORE][:1]
    if not degree or len(rows) != 1 or any(rows[0] not in cells[product.id] for product in products):
        return []
    sign = -1 if degree[0] in LESS else 1
    amounts = [amount for product in products if (amount := amount_of(cells[product.id][rows[0]][1]))]
    figures = [sign * figure for figure in comparable(amounts)]
    if len(figures) != len(products) or figures.count(max(figures)) > 1:
        return []
    first = products[figures.index(max(figures))]
    if asked.yes_no and len(products) == 2 and "than" in asked.text.lower():  # noqa: PLR2004
        verdict = YesNo.of(first is products[0]).removesuffix(".")
        return [paragraph(remark(f"{verdict}, {the(first.name)}:"))]
    return [paragraph(remark(f"{capitalised(the(first.name))}:"))]


def _cells(product: Product, evidence: Sequence[tuple[Evidence, float]]) -> dict[str, Cell]:
    """Attribute (case folded) to where it is stated, the specification before the datasheet."""
    found: dict[str, Cell] = {}
    structured = [item for item, _ in evidence if item.source_type in STRUCTURED and item.product_id == product.id]
    for item in sorted(structured, key=lambda e: STRUCTURED.index(e.source_type)):
        for name, value, start, end in attribute_lines(item):
            found.setdefault(name.casefold(), (item, value, start, end))
    return found


def rows_asked(
    asked: ParsedClause, products: Sequence[Product], evidence: Sequence[tuple[Evidence, float]], encoder: Encoder
) -> list[str]:
    """The attributes a comparison is confined to; empty when it asks for no particular one."""
    if not is_particular(asked, products):
        return []
    known = {product.id for product in products}
    structured = [item for item, _ in evidence if item.source_type in STRUCTURED and item.product_id in known]
    matches = match_attributes(asked, structured, encoder)
    fitting = [match for match in matches if asked.specific & covered_terms(match.name, "")]
    return list(dict.fromkeys(m.name.casefold() for m in fitting if m.score >= fitting[0].score - CLOSE))


def is_particular(asked: ParsedClause, products: Sequence[Product]) -> bool:
    """Whether a question names something that is compared, so that what else is known does not answer it.

    A part of a product's name ("the Race") is none, nor what the products are ("the two kettles").
    """
    named = {term for product in products for term in terms(product.name)}
    plurals = [word for word in words(asked.text) if any(unit.plural for unit in units(word)[-1:])]
    named.update(stem(word) for word in plurals if all(is_kind(word, product) for product in products))
    return bool(asked.specific - named) or asked.quantity or asked.money


def _rows(products: Sequence[Product], cells: dict[str, dict[str, Cell]]) -> list[str]:
    """Attributes stated for at least two of the products, those stated for all first, in the shop's order."""
    order = list(dict.fromkeys(name for product in products for name in cells[product.id]))
    counts = {name: sum(name in cells[product.id] for product in products) for name in order}
    return sorted(
        (name for name in order if counts[name] > 1), key=lambda name: (-counts[name], family_of(name) is None)
    )


def _title(row: str, cells: dict[str, dict[str, Cell]]) -> str:
    item, _, start, end = next(found[row] for found in cells.values() if row in found)
    return titled(re.split(r":| \| ", item.text[start:end], maxsplit=1)[0].strip())


def _cell(cell: Cell | None, product: Product) -> Sentence:
    if cell is None:
        return remark(NOT_STATED)
    item, value, start, end = cell
    return cited(value.replace("[", "(").replace("]", ")"), span(item, start, end), product_id=product.id)


def _shared(rows: Sequence[str], products: Sequence[Product], cells: dict[str, dict[str, Cell]]) -> list[Block]:
    """One line of what all have in common."""
    if not rows:
        return []
    segments = [Segment(text=reply("both_share" if len(products) == 2 else "all_share"))]  # noqa: PLR2004
    for index, row in enumerate(rows):
        own = [cells[product.id][row] for product in products]
        text = f"{', ' if index else ''}{lower_name(_title(row, cells))} {own[0][1]}"
        segments.append(Segment(text=text, spans=[span(item, start, end) for item, _, start, end in own]))
    return [paragraph(Sentence(segments=[*segments, Segment(text=".")]))]
