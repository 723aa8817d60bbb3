"""The public data that continuity is learnt from: named here, not copied into this project."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.training.packs import read_rows

DIALOGUES = Path("rewriting-canard/data.jsonl")
LICENCE = "CC BY-SA 4.0"


@dataclass(frozen=True, slots=True)
class DialogueQuestion:
    """A question of a dialogue.

    Attributes:
        dialogue: Which dialogue it is from.
        title: What that is about.
        history: Messages `{role, content}` before it.
        query: As it was asked.
        standalone: As someone rewrote it to stand alone.
    """

    dialogue: str
    title: str
    history: Sequence[Mapping[str, str]]
    query: str
    standalone: str


def read_questions(bench: Path) -> list[DialogueQuestion]:
    """Train rows of the pack that have a history.

    Raises:
        MissingTrainingDataError: They are missing or malformed.
    """
    return [one for one in read_rows(bench / DIALOGUES, _question, "train") if one.history]


def _question(row: dict[str, Any]) -> DialogueQuestion:
    return DialogueQuestion(
        dialogue=row["id"].rpartition("-")[0],
        title=" ".join(row.get("context", [])),
        history=row["history"],
        query=row["query"],
        standalone=row["gold"][0],
    )
