"""How near rewritten questions come to what people wrote."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from graph.rewriting.learned.training.lessons import nearness
from graph.rewriting.learned.training.packs import Conversation


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures over conversations.

    Attributes:
        rows: Questions that people changed.
        token_f1: Mean token F1 of those.
        kept_rows: Questions that people left as they were.
        kept: Share of those that are left byte for byte.
    """

    rows: int
    token_f1: float
    kept_rows: int
    kept: float

    def __str__(self) -> str:
        changed = f"token F1 {self.token_f1:.3f} over {self.rows} changed"
        return f"{changed}, left alone {self.kept:.3f} of {self.kept_rows} others"


def measure(rows: Sequence[Conversation], rewrites: Sequence[str]) -> Figures:
    """Measure the rewrite of each question."""
    pairs = list(zip(rows, rewrites, strict=True))
    changed = [nearness(rewrite, row.golds) for row, rewrite in pairs if row.needs_rewrite]
    kept = [rewrite == row.query for row, rewrite in pairs if not row.needs_rewrite]
    return Figures(len(changed), _mean(changed), len(kept), _mean(kept))


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else math.nan
