"""What was said before a question, as retrieval reads it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Exchange:
    """What the user said in one turn, and what was answered.

    Attributes:
        question: The user's words; empty where the assistant spoke first.
        answers: What the assistant said to it.
        continues: How far it went on from what was said before it, 0 to 1, where that is known already.
    """

    question: str
    answers: tuple[str, ...] = ()
    continues: float | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """All that was said, in order, but what is blank."""
        return tuple(text for text in (self.question, *self.answers) if text.strip())


@dataclass(frozen=True, slots=True)
class WeightedText:
    """Something said before, and how much it counts beside the question, 0 to 1."""

    text: str
    weight: float


def exchanges_of(history: Sequence[Mapping[str, str]]) -> list[Exchange]:
    """Group messages `{role, content}` by the user's turns, oldest first."""
    grouped: list[tuple[str, list[str]]] = []
    for message in history:
        if message["role"] == "user":
            grouped.append((message["content"], []))
        elif grouped:
            grouped[-1][1].append(message["content"])
        else:
            grouped.append(("", [message["content"]]))
    return [Exchange(question, tuple(answers)) for question, answers in grouped]
