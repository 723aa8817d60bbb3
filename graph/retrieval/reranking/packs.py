"""The public data the reranker learns from: named here, not copied into this project."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph.retrieval.reranking.candidate import Candidate
from graph.trained.packs import read_rows

RANKING = Path("ranking-epqa-dev/data.jsonl")
QUESTIONS = Path("answers-hetpqa/data.jsonl")
LICENCE = "CDLA-Sharing-1.0"
FULL = 2
"""Relevance of a candidate that answers the question alone."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A question and how relevant each of its candidates is.

    Attributes:
        query: The question.
        product: Id of the product it is about.
        candidates: Evidence about that product.
        relevances: 2 answers the question alone, 1 helps, 0 does not; one a candidate.
    """

    query: str
    product: str
    candidates: tuple[Candidate, ...]
    relevances: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Answered:
    """A question about a product, and one piece of evidence that answers it; others of that product may do so too."""

    query: str
    product: str
    evidence: Candidate


def read_judged(bench: Path, split: str) -> list[Judged]:
    """The judged questions of a split.

    Raises:
        MissingTrainingDataError: They are missing or malformed.
    """
    return read_rows(bench / RANKING, _judged, split)


def read_answered(bench: Path) -> list[Answered]:
    """Questions with evidence that answers them: train rows of the second pack.

    Raises:
        MissingTrainingDataError: They are missing or malformed.
    """
    return read_rows(bench / QUESTIONS, _answered, "train")


def _judged(row: dict[str, Any]) -> Judged:
    relevances = [row["relevance"].get(candidate["id"], 0) for candidate in row["candidates"]]
    candidates: Sequence[Candidate] = [_candidate(candidate) for candidate in row["candidates"]]
    return Judged(row["query"], row["product"]["id"], tuple(candidates), np.array(relevances, dtype=np.int64))


def _answered(row: dict[str, Any]) -> Answered:
    return Answered(row["question"], row["product"]["id"], _candidate(row["evidence"][0]))


def _candidate(row: dict[str, Any]) -> Candidate:
    return Candidate(row["text"], row.get("source_type"))
