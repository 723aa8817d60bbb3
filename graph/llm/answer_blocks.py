"""From events to the blocks of a draft: paragraphs, lists and tables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from graph.answering.candidate import remark
from graph.answering.comparison import NOT_STATED
from graph.draft import Block, Segment, Sentence
from graph.language.terms import terms
from graph.llm.acceptance import VERDICT, Acceptance, Pieces
from graph.llm.stream_events import DraftedRow, DraftedSegment, DraftedSentence


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


def _cell(name: str, cell: tuple[DraftedSegment, ...], product_id: str, acceptance: Acceptance) -> Sentence | None:
    """What may be shown of a cell: judged with the name of its row, shown without."""
    lead = f"{name}: "
    if not cell or not set(terms(name)):
        return None
    accepted = acceptance.accepted([(lead + cell[0].text, cell[0].ids), *cell[1:]], quoting=False)
    if len(accepted) != 1 or accepted[0].product_id != product_id or not accepted[0].text.startswith(lead):
        return None
    first, *rest = accepted[0].segments
    segments = [first.model_copy(update={"text": first.text.removeprefix(lead)}), *rest]
    return accepted[0].model_copy(update={"segments": segments})


_KINDS = {"paragraph": "paragraph", "bullet": "bullets", "step": "steps"}


@dataclass(slots=True)
class AnswerBlocks:
    """Accepted sentences in their blocks.

    Attributes:
        acceptance: Decides on each.
        blocks: What may be shown so far.
        refused: How many sentences were not accepted.
    """

    acceptance: Acceptance
    blocks: list[Block] = field(default_factory=list)
    refused: int = 0
    _lead: list[Sentence] = field(default_factory=list)
    _steps: list[DraftedSentence] = field(default_factory=list)
    _rows: list[DraftedRow] = field(default_factory=list)
    _opens: bool = True

    @property
    def stated(self) -> int:
        """How many factual sentences may be shown."""
        return sum(len(block.facts) for block in self.blocks)

    def add(self, said: DraftedSentence | DraftedRow) -> None:
        """Take the next sentence or row; a procedure and a table wait until they are whole."""
        if not isinstance(said, DraftedRow):
            self._close_table()
        if not (isinstance(said, DraftedSentence) and said.kind == "step"):
            self._close_steps()
        if isinstance(said, DraftedRow):
            self._rows.append(said)
        elif said.kind == "step":
            self._add_step(said)
        else:
            self._add_sentence(said)

    def close(self) -> None:
        """The answer is over."""
        self._close_table()
        self._close_steps()
        self._lead = []

    def _add_sentence(self, said: DraftedSentence) -> None:
        self._opens |= said.opens
        if _leads(said):
            self._lead = self.acceptance.lead(said.text)
            return
        pieces, verdict = _without_verdict(said.segments)
        accepted = self.acceptance.accepted(pieces)
        lead = self.acceptance.lead(verdict) if verdict else self._lead
        self._lead = []
        self.refused += not accepted
        if accepted:
            self._append([*self.acceptance.borne_out(lead, accepted), *accepted], _KINDS[said.kind])
            if said.continues and said.kind == "bullet":
                self._join_item()

    def _add_step(self, said: DraftedSentence) -> None:
        if said.continues and self._steps:
            before = self._steps.pop()
            said = replace(before, segments=(*before.segments, DraftedSegment(" "), *said.segments))
        self._steps.append(said)

    def _append(self, sentences: list[Sentence], kind: str) -> None:
        last = self.blocks[-1] if self.blocks else None
        if last is not None and last.kind == kind and not self._opens:
            self.blocks[-1] = last.model_copy(update={"sentences": [*last.sentences, *sentences]})
        else:
            self.blocks.append(Block.model_validate({"kind": kind, "sentences": sentences}))
        self._opens = False

    def _join_item(self) -> None:
        """The last sentence goes on the list item before it."""
        block = self.blocks[-1]
        *others, item, more = [None, *block.sentences]
        if item is not None and more is not None:
            segments = [*item.segments, Segment(text=" "), *more.segments]
            joined = item.model_copy(update={"segments": segments, "support": min(item.support, more.support)})
            sentences = [*filter(None, others), joined]
            self.blocks[-1] = block.model_copy(update={"sentences": sentences})

    def _close_steps(self) -> None:
        """A step that is not borne out takes its procedure with it: a part of one can mislead."""
        steps, self._steps = self._steps, []
        if not steps:
            return
        accepted = [self.acceptance.accepted(step.segments, quoting=False) for step in steps]
        self.refused += sum(not one for one in accepted)
        lead, self._lead = self._lead, []
        if all(len(one) == 1 for one in accepted) and _in_order([sentence for one in accepted for sentence in one]):
            if lead:
                self._append(lead, "paragraph")
            self._opens = True
            self._append([sentence for one in accepted for sentence in one], "steps")
        self._opens = True

    def _close_table(self) -> None:
        rows, self._rows = self._rows, []
        self._lead = [] if rows else self._lead
        table, refused = read_table(rows, self.acceptance)
        self.refused += refused
        self.blocks += [table] if table else []
        self._opens = self._opens or bool(rows)


def _in_order(steps: list[Sentence]) -> bool:
    """Whether the steps of each source follow one another as there."""
    places = [(span.evidence_id, span.start) for step in steps for span in step.spans[:1]]
    return all(one[0] != next_[0] or one[1] <= next_[1] for one, next_ in pairwise(places))


def _leads(said: DraftedSentence) -> bool:
    """Whether a sentence only leads to the next: it ends in a colon and cites nothing, or says yes or no."""
    uncited = not any(segment.ids for segment in said.segments)
    return uncited and (said.text.rstrip().endswith(":") or VERDICT.fullmatch(said.text) is not None)


def _without_verdict(segments: Iterable[DraftedSegment]) -> tuple[Pieces, str]:
    """A sentence without the yes or no it opens with, and that word."""
    first, *rest = segments
    opening = VERDICT.match(first.text)
    if opening is None or opening.end() == len(first.text) or not opening[0].rstrip().endswith((",", ".", "!", ":")):
        return (first, *rest), ""
    text = first.text[opening.end() :]
    return (DraftedSegment(text[:1].upper() + text[1:], first.ids), *rest), opening[1]


def _text(segments: Iterable[DraftedSegment]) -> str:
    return "".join(segment.text for segment in segments).strip()
