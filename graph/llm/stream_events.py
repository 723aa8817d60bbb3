"""What a streamed answer says, piece by piece: an outcome, sentences, table rows, and what is missing."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

ModelOutcome = Literal["clear", "ambiguous", "no_answer"]
"""The outcomes that a language model may give."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the answer ends; the first event, given once. Only `clear` is followed by text."""

    value: ModelOutcome


class DraftedSegment(NamedTuple):
    """A piece of a sentence.

    Attributes:
        text: Its words without markers, spacing clean.
        ids: The evidence ids of this request that stand at its end, without repetition.
    """

    text: str
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DraftedSentence:
    """One sentence or a sentence of a list item.

    Attributes:
        segments: Its text in order; joined, they are the sentence's text.
        kind: What it is part of.
        opens: Whether it starts a new paragraph or list.
        continues: Whether it goes on the list item of the sentence before.
    """

    segments: tuple[DraftedSegment, ...]
    kind: Literal["paragraph", "bullet", "step"]
    opens: bool
    continues: bool = False

    @property
    def text(self) -> str:
        """The sentence without markers."""
        return "".join(segment.text for segment in self.segments)

    @property
    def ids(self) -> tuple[str, ...]:
        """All evidence it cites, in order, without repetition."""
        return tuple(dict.fromkeys(one for segment in self.segments for one in segment.ids))


@dataclass(frozen=True, slots=True)
class DraftedRow:
    """One row of a table, the row of column heads among them.

    Attributes:
        cells: The segments of each cell; an empty cell has none.
    """

    cells: tuple[tuple[DraftedSegment, ...], ...]


@dataclass(frozen=True, slots=True)
class Missing:
    """A part of the question that the evidence does not answer."""

    text: str


Event = Outcome | DraftedSentence | DraftedRow | Missing
