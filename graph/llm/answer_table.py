"""The table of an answer as a model writes it: every cell is judged as what it says of its row's matter."""

from collections.abc import Iterable, Sequence

from graph.answering.candidate import remark
from graph.answering.comparison import NOT_STATED
from graph.draft import Block, Sentence
from graph.language.terms import terms
from graph.llm.acceptance import Acceptance
from graph.llm.stream_events import DraftedClaim, DraftedRow


def read_table(rows: Sequence[DraftedRow], acceptance: Acceptance) -> tuple[Block | None, int]:
    """A table of products side by side, its head in the first row.

    A cell that is not borne out is stated as unknown; a row without a fact is left out, as is a table without a row.

    Returns:
        The table, and how many cells were refused.
    """
    if not rows:
        return None, 0
    names = {product.name.casefold(): product.id for product in acceptance.question.products}
    columns = [_text(cell) for cell in rows[0].cells]
    about = [names.get(column.casefold()) for column in columns[1:]]
    if not about or None in about:
        return None, sum(len(row.cells) for row in rows[1:])
    read = [(_text(row.cells[0]), row.cells[1:]) for row in rows[1:] if len(row.cells) == len(columns)]
    judged = [(name, [_cell(name, cell, key or "", acceptance) for cell, key in zip(cells, about, strict=True)])
              for name, cells in read]  # fmt: skip
    refused = sum(
        cell is None and bool(_text(told))
        for (_, told_cells), (_, cells) in zip(read, judged, strict=True)
        for told, cell in zip(told_cells, cells, strict=True)
    )
    kept = [(name, cells) for name, cells in judged if any(cells)]
    if not kept:
        return None, refused
    sentences = [cell or remark(NOT_STATED) for _, cells in kept for cell in cells]
    return Block(kind="table", sentences=sentences, columns=columns, row_names=[name for name, _ in kept]), refused


def _cell(name: str, cell: tuple[DraftedClaim, ...], product_id: str, acceptance: Acceptance) -> Sentence | None:
    """What may be shown of a cell: judged with the name of its row, shown without."""
    lead = f"{name}: "
    if not cell or not set(terms(name)):
        return None
    accepted = acceptance.accepted(
        [(lead + cell[0].text, cell[0].ids), *((claim.text, claim.ids) for claim in cell[1:])], quoting=False
    )
    if len(accepted) != 1 or accepted[0].product_id != product_id or not accepted[0].text.startswith(lead):
        return None
    first, *rest = accepted[0].claims
    claims = [first.model_copy(update={"text": first.text.removeprefix(lead)}), *rest]
    return accepted[0].model_copy(update={"claims": claims})


def _text(claims: Iterable[DraftedClaim]) -> str:
    return "".join(claim.text for claim in claims).strip()
