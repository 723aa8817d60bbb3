"""Refined texts: what a dialogue manager says of a question, searched beside it."""

from collections.abc import Sequence

from graph.retrieval.history import WeightedText

REFINED_WEIGHT = 0.4
"""What all refined texts together count beside the question, chosen on train rows of a help-centre pack.

Sentences of the right document in a model's place gain three quarters there of what they gain at 0.85, and sentences of
a wrong one lose a quarter.
"""


def weighed(texts: Sequence[str]) -> list[WeightedText]:
    """Texts as they count beside the question: what a model makes up helps to find, and cannot outvote what was asked.

    A vector averaged from both is that of HyDE (Gao et al., 2023).
    """
    return [WeightedText(text, round(REFINED_WEIGHT / len(texts), 4)) for text in texts]
