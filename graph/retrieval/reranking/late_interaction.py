"""Late interaction: each word of a question looks for the word of a text that comes nearest to it.

The score is MaxSim of ColBERT (Khattab and Zaharia, 2020), read from the unchanged sentence encoder, with two
differences: words count by how rare they are, and what all token states have in common is taken away before they are
compared.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graph.retrieval.reranking.weights import RerankerWeights
from ingestion.encoder import TokenStates

Floats = NDArray[np.float32]


def directions(tokens: TokenStates, weights: RerankerWeights) -> Floats:
    """Token states as unit vectors around their common centre, shape `(pieces, dimensions)`."""
    centred = tokens.states - weights.centre
    return np.asarray(centred / np.linalg.norm(centred, axis=1, keepdims=True), dtype=np.float32)


def max_sim(question: TokenStates, texts: Sequence[Floats], weights: RerankerWeights) -> Floats:
    """Score texts against a question.

    Args:
        question: Its word pieces; a question without any finds nothing.
        texts: The directions of each text's word pieces; a text without any scores 0.
        weights: How much each word piece of the question counts.

    Returns:
        For each text the weighted mean, over the question's pieces, of the highest cosine that a piece of the text has
        to it; -1 to 1.
    """
    scores = np.zeros(len(texts), dtype=np.float32)
    spoken = [position for position, text in enumerate(texts) if len(text)]
    if not len(question.ids) or not spoken:
        return scores
    shares = weights.piece_weights[question.ids]
    cosines = directions(question, weights) @ np.concatenate([texts[position] for position in spoken]).T
    starts = np.cumsum([0, *(len(texts[position]) for position in spoken[:-1])])
    scores[spoken] = (shares / shares.sum()) @ np.maximum.reduceat(cosines, starts, axis=1)
    return scores
