"""The public data that continuity is learnt from: named here, not copied into this project."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DIALOGUES = Path("rewriting-canard/data.jsonl")
LICENCE = "CC BY-SA 4.0"


class MissingTrainingDataError(Exception):
    """The data to train on are not where they were said to be, or are not what they should be."""


@dataclass(frozen=True, slots=True)
class Question:
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


def read_questions(bench: Path) -> list[Question]:
    """Train rows of the pack that have a history.

    Raises:
        MissingTrainingDataError: They are missing or malformed.
    """
    file = bench / DIALOGUES
    try:
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        return [_question(row) for row in rows if row["split"] == "train" and row["history"]]
    except (OSError, ValueError, KeyError, IndexError) as error:
        message = (
            f"{file} cannot be used ({error}). Name the folder of the benchmark packs: --bench DIR or FOOTNOTE_BENCH."
        )
        raise MissingTrainingDataError(message) from error


def _question(row: dict[str, Any]) -> Question:
    return Question(
        dialogue=row["id"].rpartition("-")[0],
        title=" ".join(row.get("context", [])),
        history=row["history"],
        query=row["query"],
        standalone=row["gold"][0],
    )
