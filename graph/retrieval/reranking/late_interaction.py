"""Late interaction: each word of a question looks for the word of a text that comes nearest to it.

This is MaxSim of ColBERT (Khattab and Zaharia, 2020), read from the sentence encoder, with three differences: words
count by how rare they are; what all token states have in common is taken away before they are compared; and the cosine
of the two texts as wholes counts as much as that of their words.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.retrieval.reranking.weights import RerankerWeights
from ingestion.encoder import TokenStates

Floats = NDArray[np.float32]
_LEAST = 1e-12


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as it is compared; half precision, because many are kept.

    Attributes:
        whole: Direction of its mean token state, shape `(dimensions,)`; zeros where it has no words.
        pieces: Directions of its token states around their common centre, shape `(pieces, dimensions)`.
    """

    whole: NDArray[np.float16]
    pieces: NDArray[np.float16]

    @classmethod
    def of(cls, tokens: TokenStates, weights: RerankerWeights) -> "Reading":
        """Read the token states of a text."""
        whole = tokens.states.sum(axis=0)
        return cls(_unit(whole).astype(np.float16), _unit(tokens.states - weights.centre).astype(np.float16))


def similarities(question: TokenStates, texts: Sequence[Reading], weights: RerankerWeights) -> Floats:
    """Compare texts with a question.

    Args:
        question: Its word pieces.
        texts: Each text as it was read.
        weights: How much each word piece of the question counts.

    Returns:
        For each text the mean of two cosines: that of the wholes, and the weighted mean, over the question's pieces, of
        the highest that a piece of the text has to it; 0 where question or text have no words.
    """
    found = np.zeros(len(texts), dtype=np.float32)
    spoken = [place for place, text in enumerate(texts) if len(text.pieces)]
    if not len(question.ids) or not spoken:
        return found
    asked = Reading.of(question, weights)
    wholes = np.stack([texts[place].whole for place in spoken]).astype(np.float32) @ asked.whole.astype(np.float32)
    found[spoken] = (wholes + _max_sim(question, asked, [texts[place].pieces for place in spoken], weights)) / 2
    return found


def _max_sim(
    question: TokenStates, asked: Reading, texts: Sequence[NDArray[np.float16]], weights: RerankerWeights
) -> Floats:
    cosines = asked.pieces.astype(np.float32) @ np.concatenate(texts).astype(np.float32).T
    starts = np.cumsum([0, *(len(text) for text in texts[:-1])])
    shares = weights.piece_weights[question.ids]
    best = np.maximum.reduceat(cosines, starts, axis=1)
    return np.asarray((shares / shares.sum()) @ best, dtype=np.float32)


def _unit(vectors: Floats) -> Floats:
    return np.asarray(vectors / (np.linalg.norm(vectors, axis=-1, keepdims=True) + _LEAST), dtype=np.float32)
