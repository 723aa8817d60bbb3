"""What reads: finds among statements those that may answer a question."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

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
