"""What reads: finds among statements those that may answer a question, and decides what a passage says."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from graph.parts.knowledge import Encoder
from ingestion.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Statement:
    """A stretch of an evidence that says something by itself.

    Attributes:
        evidence: Where it stands.
        start: Its first code point.
        end: Behind its last.
        score: How near it comes to answering the question, -1 to 1.
    """

    evidence: Evidence
    start: int
    end: int
    score: float

    @property
    def text(self) -> str:
        """The stretch, character for character."""
        return self.evidence.text[self.start : self.end]


class StatementFinder(Protocol):
    """Finds what may answer."""

    def nearest(self, questions: Sequence[str], evidence: Sequence[Evidence], before: str = "") -> list[Statement]:
        """All statements of evidence, those that answer best first.

        Args:
            questions: Wordings of one question; the nearest of them counts.
            evidence: What is read.
            before: What the customer said in the turn before.
        """
        ...


Pair = tuple[str, str]
"""A question or a statement, and a passage behind what names its source."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a passage says to a question, or to a statement, as probabilities.

    Attributes:
        answers: That it answers the question.
        yes: That it says yes to it.
        no: That it says no to it.
        supported: That it bears the statement out.
    """

    answers: float
    yes: float
    no: float
    supported: float


class Reader(Protocol):
    """Decides what passages say."""

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """What the second text of each pair says to the first."""
        ...


@dataclass(frozen=True, slots=True)
class Models:
    """What an answer is composed with.

    Attributes:
        encoder: Compares meanings.
        finder: Finds the statements that answer.
        reader: Decides what they say.
    """

    encoder: Encoder
    finder: StatementFinder
    reader: Reader
