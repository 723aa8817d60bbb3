"""The public data that support is learnt from or measured on: named here, not copied into this project."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graph.language.notation import plain_value
from graph.trained.packs import read_rows

ATTRIBUTION = Path("support-attributionbench-dev/data.jsonl")
EXPERTS = Path("support-expertqa-val/data.jsonl")
INFERENCE = Path("support-nli/data.jsonl")
ANSWERS = Path("answers-hetpqa/data.jsonl")
SNLI = "snli"
"""A group of the inference pack; the other is MNLI."""
LICENCES: Mapping[Path, str] = {
    EXPERTS: "MIT",
    INFERENCE: "SNLI, CC BY-SA 4.0, MNLI, by part OANC (free), CC BY 3.0, CC BY-SA 3.0 or public domain",
    ANSWERS: "CDLA-Sharing-1.0",
}
"""Of what the weights are learnt from."""

_RELATIONS = {"entailment": 0, "neutral": 1, "contradiction": 2}
_MARKER = re.compile(r"(?:(?<!\s)\s+)?\[\d+\]")


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim beside its evidence, judged by people or made so that it is known.

    Attributes:
        claim: The sentence.
        evidence: What it cites.
        label: Whether that supports it.
        group: What part of its pack it is from.
        source: What it shares with other rows: its question, premise or product. Folds hold it back whole.
        relation: Entailment, neutral or contradiction, 0 to 2; None where only the label is known.
    """

    claim: str
    evidence: tuple[str, ...]
    label: bool
    group: str
    source: str
    relation: int | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """A question about a product and an answer that someone wrote from one piece of evidence."""

    question: str
    answer: str
    evidence: str
    product: str


def read_judged(bench: Path, pack: Path, split: str) -> list[Judged]:
    """Rows of a support pack.

    Args:
        bench: The folder of the packs.
        pack: `ATTRIBUTION`, `EXPERTS` or `INFERENCE`.
        split: `train` or `test`.

    Raises:
        MissingTrainingDataError: They are missing or malformed.
    """
    return read_rows(bench / pack, _judged, split)


def read_answered(bench: Path, split: str = "train") -> list[Answered]:
    """Questions about products with an answer written from evidence.

    Raises:
        MissingTrainingDataError: They are missing or malformed.
    """
    return read_rows(bench / ANSWERS, _answered, split)


def _judged(row: dict[str, Any]) -> Judged:
    return Judged(
        claim=_MARKER.sub("", row["claim"]),
        evidence=tuple(row["evidence"]),
        label=row["label"],
        group=row["group"],
        source=row.get("question") or row["evidence"][0],
        relation=_RELATIONS.get(row.get("nli_label", "")),
    )


def _answered(row: dict[str, Any]) -> Answered:
    return Answered(row["question"], row["answers"][0], plain_value(row["evidence"][0]["text"]), row["product"]["id"])
