"""The public data the learned rewriter learns from: named here, not copied into this project."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graph.rewriting.learned.reading.passages import WORD
from graph.trained.packs import read_rows

CANARD = "rewriting-canard"
CAST_2019 = "rewriting-cast2019"
CAST_2020 = "rewriting-cast2020"
LICENCES = {CANARD: "CC BY-SA 4.0", CAST_2019: "MIT", CAST_2020: "MIT"}

_PARENTHESES = re.compile(r"(?:(?<!\s)\s+)?\([^)]{0,500}\)")
_OPENERS = ("Tell me about {}.", "What do you know about {}?", "I am interested in {}.")


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something that was said."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """A question in its conversation, and how people say it alone.

    Attributes:
        id: Of the row.
        query: The question.
        history: What was said before, oldest first.
        context: Titles of the open page.
        golds: Standalone questions, as lower-cased words.
        alone: The first of them as it is written.
    """

    id: str
    query: str
    history: tuple[Utterance, ...]
    context: tuple[str, ...]
    golds: tuple[tuple[str, ...], ...]
    alone: str = ""

    @property
    def dialogue(self) -> str:
        """The dialogue that it belongs to."""
        return re.split(r"[-_]\d+$", self.id)[0]

    @property
    def needs_rewrite(self) -> bool:
        """Whether people changed its words."""
        return words_of(self.query) not in self.golds


def words_of(text: str) -> tuple[str, ...]:
    """The words by which questions are compared."""
    return tuple(WORD.findall(text.lower()))


def read_conversations(bench: Path, pack: str, split: str) -> list[Conversation]:
    """The rows of a split of a pack.

    Raises:
        MissingTrainingDataError: They are missing or malformed.
    """
    return read_rows(bench / pack / "data.jsonl", _conversation, split)


def without_page(rows: Sequence[Conversation]) -> list[Conversation]:
    """The same questions as if no page were open and nobody had answered: the first thing said names the topic."""
    return [Conversation(row.id, row.query, (_opener(row), *_asked(row)), (), row.golds) for row in rows if row.context]


def already_alone(rows: Sequence[Conversation], others: int = 2) -> list[Conversation]:
    """What people made of questions, asked at once: in the same conversation and after others, nothing is missing."""
    return [
        Conversation(row.id, row.alone, history, (), (words_of(row.alone),), row.alone)
        for row in rows
        for history in (row.history, *(_asked_of(rows, row, time) for time in range(others)))
    ]


def _asked_of(rows: Sequence[Conversation], row: Conversation, time: int) -> tuple[Utterance, ...]:
    """What was asked in another conversation, drawn by the row's id."""
    other = rows[_drawn(f"{row.id} {time}", len(rows))]
    return (*_asked(other), Utterance("user", other.query)) if other.dialogue != row.dialogue else ()


def _drawn(text: str, among: int) -> int:
    """A number below another, the same for the same text."""
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % among


def _conversation(row: dict[str, Any]) -> Conversation:
    return Conversation(
        id=row["id"],
        query=row["query"],
        history=tuple(Utterance(said["role"], said["content"]) for said in row["history"]),
        context=tuple(row.get("context", ())),
        golds=tuple(words_of(gold) for gold in row["gold"]),
        alone=row["gold"][0],
    )


def _opener(row: Conversation) -> Utterance:
    title = _PARENTHESES.sub("", row.context[0]).strip() or row.context[0]
    return Utterance("user", _OPENERS[_drawn(row.id, len(_OPENERS))].format(title))


def _asked(row: Conversation) -> tuple[Utterance, ...]:
    return tuple(said for said in row.history if said.role == "user")
