"""How close a claim comes to its evidence in meaning: sentence by sentence, and word piece by word piece."""

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from graph.parts import Vectors
from graph.support.passages import Passage
from graph.support.wording import Wording

NAMES = (
    "nearest sentence",
    "sentence with the most terms",
    "nearest evidence",
    "word pieces matched",
    "word pieces matched by a sentence",
    "word piece matched least",
    "second least",
)
WHOLE = 2
"""So many of the evidences that share the most with the claim are read whole."""
ALIGNED = 3
"""So many of the nearest sentences are what word pieces are matched with."""


class TokenEncoder(Protocol):
    """An embedding model that tells the states of word pieces."""

    def encode_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """The states of each text's word pieces, special ones first and last, shape `(pieces, dimensions)`."""
        ...


def meanings(pairs: Sequence[tuple[Wording, Passage]], encoder: TokenEncoder) -> list[list[float]]:
    """Describe claims beside their evidence, one figure for each of `NAMES`; all are embedded at once.

    Word pieces are matched with the likest of the evidence, as in BERTScore (Zhang et al., 2020,
    https://arxiv.org/abs/1904.09675).
    """
    texts = [list(_texts(claim, passage)) for claim, passage in pairs]
    distinct = list(dict.fromkeys(text for own in texts for text in own))
    states = dict(zip(distinct, encoder.encode_tokens(distinct), strict=True)) if distinct else {}
    return [
        _figures([states[text] for text in own], len(passage.sentences))
        for own, (_, passage) in zip(texts, pairs, strict=True)
    ]


def _texts(claim: Wording, passage: Passage) -> Iterator[str]:
    yield claim.text
    yield from (one.text for one in passage.sentences)
    shared = [-len(claim.content & one.content) for one in passage.evidence]
    order = sorted(range(len(shared)), key=lambda place: (shared[place], place))
    yield from (passage.evidence[place].text for place in order[:WHOLE])


def _figures(states: Sequence[Vectors], sentences: int) -> list[float]:
    """Of the states of a claim, the sentences and the whole evidences, in this order."""
    means = _unit(np.stack([one.mean(axis=0) for one in states]))
    cosines = means[1:] @ means[0]
    near, whole = cosines[:sentences], cosines[sentences:]
    order = np.argsort(-near, kind="stable")
    claim = _unit(states[0][1:-1])
    parts = [_unit(states[1 + place][1:-1]) for place in order[:ALIGNED].tolist()]
    found = [float(near.max()), float(near[0]), float(whole.max(initial=-1.0))]
    likeness = [claim @ part.T for part in parts if part.size]
    if not likeness or not claim.size:
        return [*found, 0.0, 0.0, 0.0, 0.0]
    matched = np.concatenate(likeness, axis=1).max(axis=1)
    single = max(float(one.max(axis=1).mean()) for one in likeness)
    least = np.sort(matched)[:2]
    return [*found, float(matched.mean()), single, float(least[0]), float(least[-1])]


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-9), dtype=np.float32)
