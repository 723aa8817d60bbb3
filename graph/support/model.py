"""Support: how probable it is that evidence says what a sentence claims."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graph.budget import check_budget
from graph.parts import Reader
from graph.support.passages import window
from graph.support.wording import read


class SupportModel:
    """Judges sentences by their evidence; safe to share.

    What is said of a product should be among the evidence's words with the product's name, such as the title of the
    source above the cited line.

    Args:
        reader: Reads a claim beside as much of the evidence as it takes at once.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def probability(self, claim: str, evidence: Sequence[str]) -> float:
        """How probable it is that the evidence, all of it together, supports a claim; 0 without evidence."""
        return float(self.probabilities([(claim, evidence)])[0])

    def probabilities(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> NDArray[np.float32]:
        """The same of many claims, read at once, in their order."""
        check_budget()
        found = np.zeros(len(pairs), dtype=np.float32)
        said = [
            place
            for place, (claim, evidence) in enumerate(pairs)
            if claim.strip() and any(text.strip() for text in evidence)
        ]
        shown = [(pairs[place][0], window(read(pairs[place][0]), pairs[place][1])) for place in said]
        found[said] = [one.supported for one in self._reader.judge(shown)]
        return found
