"""The labels of the nearest examples: they know odd wordings that straight lines through all of them smooth away."""

import numpy as np
from numpy.typing import NDArray

from graph.intents.weights import Floats, Neighbours

_COMPONENTS = 128
_NEAREST = 16
_FALLOFF = 12.0
_UNSEEN = 1e-3
_LEAST_LENGTH = 1e-6


def fit_neighbours(vectors: Floats, gold: NDArray[np.int64]) -> Neighbours:
    """Keep examples along the principal components of their embeddings, where they take little room."""
    centre = vectors.mean(axis=0)
    deviations = vectors - centre
    _, components = np.linalg.eigh((deviations.T @ deviations).astype(np.float64))
    projection = components[:, -_COMPONENTS:].astype(np.float32)
    return Neighbours(centre, projection, _directions(deviations @ projection), gold)


def neighbour_scores(neighbours: Neighbours, vectors: Floats, labels: int) -> NDArray[np.float64]:
    """Log probabilities of the labels by the nearest examples, the nearer the weightier; shape `(texts, labels)`."""
    cosines = _directions((vectors - neighbours.centre) @ neighbours.projection) @ neighbours.examples.T
    count = min(_NEAREST, cosines.shape[1])
    nearest = np.argpartition(-cosines, count - 1, axis=1)[:, :count]
    weights = np.exp(_FALLOFF * (np.take_along_axis(cosines, nearest, axis=1).astype(np.float64) - 1))
    mass = np.full((len(vectors), labels), _UNSEEN)
    np.add.at(mass, (np.arange(len(vectors))[:, None], neighbours.gold[nearest]), weights)
    return np.asarray(np.log(mass / mass.sum(axis=1, keepdims=True)), dtype=np.float64)


def _directions(rows: NDArray[np.floating]) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, _LEAST_LENGTH), dtype=np.float32)
