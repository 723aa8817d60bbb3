"""Training of the adapter on pairs of sentences of which people said whether one follows from the other."""

import math
import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from graph.support.entailment.adapter import PLACES, SCALE, Adapter, Place
from graph.support.entailment.pairs import FEATURES, Pair, pair_states
from ingestion.encoder import DIMENSIONS, matrix_precision, model_folder

if TYPE_CHECKING:
    from torch import Tensor

    from ingestion.bert import Bert

RANK = 16
EPOCHS = 3
LEARNING_RATE = 1.5e-3
BATCH = 32
_WARM_UP, _LEAST_RATE = 0.06, 0.02
_DROPPED = 0.1
_DECAY = 0.01
_POOL = 32 * BATCH
"""Rows among which those of like length share a batch."""
_CLASSES = 3


def adapt(pairs: Sequence[Pair], labels: Sequence[int], seed: int = 0) -> Adapter:
    """Learn an adapter; the same pairs give the same one on the same machine.

    Args:
        pairs: What is read.
        labels: 0 for entailment, 1 for neutral, 2 for contradiction.
        seed: Other seeds begin and order differently.
    """
    import torch  # noqa: PLC0415 - heavy

    from ingestion.bert import Bert  # noqa: PLC0415 - heavy

    torch.set_num_threads(1)  # threads add in another order each time
    torch.manual_seed(seed)
    base = Bert(model_folder(), matrix_precision())
    thin = {place: _thin(base, place) for place in PLACES}
    head = torch.nn.Parameter(torch.zeros(_CLASSES, DIMENSIONS * FEATURES))
    bias = torch.nn.Parameter(torch.zeros(_CLASSES))
    _descend(base.replaced({place: _Beside(base, place, *own) for place, own in thin.items()}), pairs, labels, [
        *(one for own in thin.values() for one in own), head, bias,
    ], seed)  # fmt: skip
    down, up = ({place: _half(own[side]) for place, own in thin.items()} for side in (0, 1))
    return Adapter(down, up, _half(head), bias.detach().numpy())


def _descend(model: "Bert", pairs: Sequence[Pair], labels: Sequence[int], weights: "list[Tensor]", seed: int) -> None:
    """Fit weights, the last two of which are the head and its bias, by AdamW with a falling rate."""
    import torch  # noqa: PLC0415 - heavy
    from torch.nn import functional  # noqa: PLC0415
    from torch.nn.attention import SDPBackend, sdpa_kernel  # noqa: PLC0415

    *_, head, bias = weights
    optimizer = torch.optim.AdamW(weights, lr=LEARNING_RATE, weight_decay=_DECAY)
    steps = EPOCHS * math.ceil(len(pairs) / BATCH)
    for step, batch in enumerate(_batches([len(one.ids) for one in pairs], seed)):
        for group in optimizer.param_groups:
            group["lr"] = LEARNING_RATE * _rate(step / steps)
        with sdpa_kernel(SDPBackend.MATH):  # going back through the fused one takes ten times as long
            states = functional.dropout(pair_states(model, [pairs[place] for place in batch]), _DROPPED)
        loss = functional.cross_entropy(states @ head.T + bias, torch.tensor([labels[place] for place in batch]))
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch tells no type
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()


def _rate(done: float) -> float:
    return min(1.0, done / _WARM_UP + 0.01) * max(_LEAST_RATE, 1 - done)


def _batches(lengths: Sequence[int], seed: int) -> Iterator[list[int]]:
    """Places of each batch, epoch by epoch, texts of like length together."""
    for epoch in range(EPOCHS):
        source = random.Random(f"{seed}-{epoch}")  # noqa: S311 - reproducible, no secret
        order = list(range(len(lengths)))
        source.shuffle(order)
        batches = []
        for at in range(0, len(order), _POOL):
            near = sorted(order[at : at + _POOL], key=lengths.__getitem__)
            batches += [near[start : start + BATCH] for start in range(0, len(near), BATCH)]
        source.shuffle(batches)
        yield from batches


def _thin(base: "Bert", place: Place) -> "tuple[Tensor, Tensor]":
    import torch  # noqa: PLC0415 - heavy

    wide, narrow = base.linear(*place).weight.shape
    down = torch.randn(RANK, narrow) / math.sqrt(narrow)
    return torch.nn.Parameter(down), torch.nn.Parameter(torch.zeros(wide, RANK))


class _Beside:
    """A linear map that stays as it is, and the thin matrices beside it."""

    def __init__(self, base: "Bert", place: Place, down: "Tensor", up: "Tensor") -> None:
        self._base, self._down, self._up = base.linear(*place), down, up

    @property
    def weight(self) -> "Tensor":
        return self._base.weight

    @property
    def bias(self) -> "Tensor":
        return self._base.bias

    def __call__(self, states: "Tensor") -> "Tensor":
        from torch.nn import functional  # noqa: PLC0415 - heavy

        narrow = functional.linear(states, self._down.to(states.dtype))
        return self._base(states) + SCALE * functional.linear(narrow, self._up.to(states.dtype))


def _half(weights: "Tensor") -> np.ndarray[tuple[int, ...], np.dtype[np.float16]]:
    halved: np.ndarray[tuple[int, ...], np.dtype[np.float16]] = weights.detach().half().numpy()
    return halved
