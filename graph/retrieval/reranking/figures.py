"""How good a reranker is, in the field's usual figures."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.intents.calibration import calibration_error
from graph.retrieval.reranking.packs import FULL, Judged


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures over judged questions.

    Attributes:
        rows: Questions that some candidate answers alone; the first two figures are over those.
        precision: P@1, the share of them with such a candidate ranked first.
        reciprocal_rank: Mean reciprocal rank of the first such candidate.
        ece: Expected calibration error of all candidates' probabilities.
    """

    rows: int
    precision: float
    reciprocal_rank: float
    ece: float

    def __str__(self) -> str:
        return f"P@1 {self.precision:.3f}, MRR {self.reciprocal_rank:.3f}, ECE {self.ece:.3f}, n {self.rows}"


def measure(rows: Sequence[Judged], scores: Sequence[NDArray[np.float32]]) -> Figures:
    """Measure the probabilities given to the candidates of each row; of equal ones the worst order counts."""
    full = [row.relevances == FULL for row in rows]
    ranks = [_rank(good, given) for good, given in zip(full, scores, strict=True) if good.any()]
    probabilities = np.concatenate(list(scores)).astype(np.float64)
    return Figures(
        rows=len(ranks),
        precision=float(np.mean([rank == 1 for rank in ranks])),
        reciprocal_rank=float(np.mean([1 / rank for rank in ranks])),
        ece=calibration_error(probabilities, np.concatenate(full)),
    )


def _rank(good: NDArray[np.bool_], scores: NDArray[np.float32]) -> int:
    best = scores[good].max()
    return 1 + int((scores[~good] >= best).sum())
