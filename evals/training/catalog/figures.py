"""How good a matcher is, in the figures of `footnote eval catalog`."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evals.training.catalog.fitting import Decision
from graph.intents.training import calibration_error


@dataclass(frozen=True, slots=True)
class MatchingMetrics:
    """Figures over look-ups.

    Attributes:
        rows: Look-ups, with a product or none.
        hit: Share of those with a product where it is ranked first.
        accept_f1: Harmonic mean of precision (of what is accepted) and recall (of the look-ups with a product).
        invented: Share of all look-ups where another product is accepted.
        ece: Expected calibration error of the probability that the first one is meant.
    """

    rows: int
    hit: float
    accept_f1: float
    invented: float
    ece: float

    def __str__(self) -> str:
        return f"hit@1 {self.hit:.3f}, accept F1 {self.accept_f1:.3f}, invented {self.invented:.3f}, n {self.rows}"


def measure(decisions: Sequence[Decision], threshold: float) -> MatchingMetrics:
    """Measure decisions at a threshold."""
    accepted = [one for one in decisions if one.probability >= threshold]
    right = sum(one.right for one in accepted)
    sold = sum(one.sold for one in decisions)
    return MatchingMetrics(
        rows=len(decisions),
        hit=sum(one.right for one in decisions) / max(sold, 1),
        accept_f1=2 * right / max(len(accepted) + sold, 1),
        invented=(len(accepted) - right) / max(len(decisions), 1),
        ece=calibration_error(
            np.array([one.probability for one in decisions]), np.array([one.right for one in decisions])
        ),
    )
