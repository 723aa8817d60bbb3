"""From sentences to the blocks of a draft: paragraphs and lists."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from graph.draft import Block, Sentence
from graph.llm.acceptance import VERDICT, Acceptance, Pieces
from graph.llm.markers import DraftedSegment
from graph.llm.sentence_stream import DraftedSentence

Show = Callable[[Sequence[Block]], None]


@dataclass(slots=True)
class AnswerBlocks:
    """What was read of an answer: accepted sentences in their blocks.

    Attributes:
        acceptance: Decides on each.
        show: Told all that may be shown whenever that has grown, and at the end.
        blocks: What may be shown so far.
        refused: How many sentences were not accepted.
    """

    acceptance: Acceptance
    show: Show
    blocks: list[Block] = field(default_factory=list)
    refused: int = 0
    _lead: list[Sentence] = field(default_factory=list)
    _steps: list[DraftedSentence] = field(default_factory=list)
    _opens: bool = True

    @property
    def stated(self) -> int:
        """How many factual sentences may be shown."""
        return sum(len(block.facts) for block in self.blocks)

    def take(self, sentences: Iterable[DraftedSentence]) -> None:
        """Take what was read next, a procedure once it is whole."""
        for said in sentences:
            before = self.stated
            if said.kind == "steps":
                self._add_step(said)
            else:
                self._close_steps()
                self._add_sentence(said)
            if self.stated > before:
                self.show(self.blocks)

    def close(self) -> None:
        """The answer is over."""
        self._close_steps()
        self._lead = []
        if self.stated:
            self.show(self.blocks)

    def _add_sentence(self, said: DraftedSentence) -> None:
        self._opens |= said.first and said.kind == "paragraph"
        verdict, pieces = _opening_of(said.segments)
        leads = said.text.rstrip().endswith(":") and not said.ids
        if verdict or leads:
            self._lead = self.acceptance.lead(verdict or said.text)
        if leads or not pieces:
            return
        lead, self._lead = self._lead, []
        if accepted := self.acceptance.accepted(pieces):
            self._append([*self.acceptance.borne_out(lead, accepted), accepted], said.kind)
        else:
            self.refused += 1

    def _add_step(self, said: DraftedSentence) -> None:
        if self._steps and not said.first:
            before = self._steps.pop()
            said = replace(before, segments=(*before.segments, DraftedSegment(" "), *said.segments))
        self._steps.append(said)

    def _append(self, sentences: list[Sentence], kind: str) -> None:
        """Add to the last block or open one."""
        last = self.blocks[-1] if self.blocks else None
        if last is not None and last.kind == kind and not self._opens:
            self.blocks[-1] = last.model_copy(update={"sentences": [*last.sentences, *sentences]})
        else:
            self.blocks.append(Block.model_validate({"kind": kind, "sentences": sentences}))
        self._opens = False

    def _close_steps(self) -> None:
        """A step that is not borne out takes its procedure with it: a part of one can mislead."""
        steps, self._steps = self._steps, []
        if not steps:
            return
        judged = [self.acceptance.accepted(step.segments, quoting=False) for step in steps]
        accepted = [step for step in judged if step is not None]
        self.refused += len(steps) - len(accepted)
        lead, self._lead = self._lead, []
        if len(accepted) == len(steps) and _in_order(accepted):
            if lead:
                self._append(lead, "paragraph")
            self._opens = True
            self._append(accepted, "steps")
        self._opens = True


def _in_order(steps: list[Sentence]) -> bool:
    """Whether the steps of each source follow one another as there."""
    places = [(span.evidence_id, span.start) for step in steps for span in step.spans[:1]]
    return all(one[0] != next_[0] or one[1] <= next_[1] for one, next_ in pairwise(places))


def _opening_of(segments: Iterable[DraftedSegment]) -> tuple[str, Pieces]:
    """The yes or no that a sentence opens with, and the rest of it; all of one without."""
    first, *rest = segments
    opening = VERDICT.match(first.text)
    text = first.text[opening.end() :] if opening else ""
    if opening is None or (text and not opening[0].rstrip().endswith((",", ".", "!", ":"))):
        return "", (first, *rest)
    begun = [DraftedSegment(text[:1].upper() + text[1:], first.ids)] if text else []
    return opening[1], [*begun, *rest]
