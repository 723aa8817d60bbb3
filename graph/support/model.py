"""The support model: how probable it is that evidence says what a sentence claims."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graph.budget import check_budget
from graph.support.entailment import CrossEncoder
from graph.support.features import Reader, describe, is_long
from graph.support.meaning import TokenEncoder
from graph.support.weights import SupportWeights, shipped


class SupportModel:
    """Judges sentences by their evidence; safe to share.

    What is said of a product should be among the evidence's words with the product's name, such as the title of the
    source above the cited line; else a name in the sentence counts as unsupported.
    """

    def __init__(self, encoder: TokenEncoder, weights: SupportWeights | None = None) -> None:
        self._weights = weights or shipped()
        self._reader = Reader(encoder, CrossEncoder(self._weights.adapter), self._weights.rarity)

    def probability(self, claim: str, evidence: Sequence[str]) -> float:
        """How probable it is that the evidence, all of it together, supports a claim; 0 without evidence."""
        return float(self.probabilities([(claim, evidence)])[0])

    def probabilities(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> NDArray[np.float32]:
        """The same of many claims, embedded at once, in their order."""
        check_budget()
        long = np.array([is_long(evidence) for _, evidence in pairs], dtype=np.bool_)
        found = self._weights.probabilities(describe(pairs, self._reader), long)
        for place, (claim, evidence) in enumerate(pairs):
            if not claim.strip() or not any(text.strip() for text in evidence):
                found[place] = 0.0
        return found
