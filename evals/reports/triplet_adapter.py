"""A bi-encoder adapted with triplet loss (equation 1 of papers/contextually-aware-product-qa.txt).

The sentence encoder stays as it is; a low-rank map learns what to add to its vectors. So an index need not be embedded
again, and some hundred questions are enough to train on.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.parts import Encoder, Vectors
from graph.retrieval.reranking.packs import FULL, Judged

RANK = 32
MARGIN = 0.2
EPOCHS = 4
_BATCH = 64
_STEP = 2e-3
_DECAY = 1e-2
_SEED = 0


@dataclass(frozen=True, slots=True)
class Triplets:
    """Questions with evidence that answers them and evidence that does not; unit vectors, one triplet a row."""

    questions: Vectors
    positives: Vectors
    negatives: Vectors


@dataclass(frozen=True, slots=True)
class Adapter:
    """What is added to the vectors of questions or of evidence: `x + x @ down @ up`, scaled to unit length."""

    down: NDArray[np.float32]
    up: NDArray[np.float32]

    def __call__(self, vectors: Vectors) -> Vectors:
        """Adapt unit vectors, one a row."""
        adapted = vectors + vectors @ self.down @ self.up
        return np.asarray(adapted / np.linalg.norm(adapted, axis=1, keepdims=True), dtype=np.float32)


def triplets_of(rows: Sequence[Judged], pairs: Sequence[tuple[str, str]], encoder: Encoder) -> Triplets:
    """Make triplets.

    Args:
        rows: Judged questions: each full answer against each candidate that is none.
        pairs: Questions with a text that answers them: against the text of another pair, drawn by lot.
        encoder: Embeds the texts.
    """
    texts = [
        (row.query, row.candidates[good].text, row.candidates[bad].text)
        for row in rows
        for good in np.flatnonzero(row.relevances == FULL).tolist()
        for bad in np.flatnonzero(row.relevances < FULL).tolist()
    ]
    others = np.random.default_rng(_SEED).permutation(len(pairs)).tolist()
    texts += [(question, answer, pairs[other][1]) for (question, answer), other in zip(pairs, others, strict=True)]
    distinct = list(dict.fromkeys(text for triplet in texts for text in triplet))
    vectors = encoder.encode(distinct)
    places = {text: place for place, text in enumerate(distinct)}
    columns = ([places[triplet[column]] for triplet in texts] for column in range(3))
    return Triplets(*(vectors[column] for column in columns))


def train(triplets: Triplets) -> tuple[Adapter, Adapter]:
    """Train an adapter for questions and one for evidence; the same triplets give the same adapters."""
    import torch  # noqa: PLC0415 - heavy

    torch.manual_seed(_SEED)
    width = triplets.questions.shape[1]
    maps = [torch.randn(width, RANK) / width**0.5, torch.zeros(RANK, width)] * 2
    maps = [one.clone().requires_grad_() for one in maps]
    optimizer = torch.optim.AdamW(maps, lr=_STEP, weight_decay=_DECAY)
    columns = [torch.from_numpy(one) for one in (triplets.questions, triplets.positives, triplets.negatives)]
    for _ in range(EPOCHS):
        for batch in torch.split(torch.randperm(len(columns[0])), _BATCH):
            question, positive, negative = (
                torch.nn.functional.normalize(rows[batch] + rows[batch] @ down @ up, dim=1)
                for rows, (down, up) in zip(columns, (maps[:2], maps[2:], maps[2:]), strict=True)
            )
            near, far = ((question - one).square().sum(dim=1) for one in (positive, negative))
            optimizer.zero_grad()
            torch.relu(near - far + MARGIN).mean().backward()  # type: ignore[no-untyped-call]  # torch tells no type
            optimizer.step()
    learnt = [one.detach().numpy() for one in maps]
    return Adapter(learnt[0], learnt[1]), Adapter(learnt[2], learnt[3])
