"""The cross-encoder: reads a claim and a piece of evidence at once and says whether the one follows from the other."""

from collections.abc import Sequence
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graph.budget import check_budget
from graph.support.entailment.adapter import Adapter
from graph.support.entailment.pairs import Pair, pair, pair_states
from ingestion.encoder import matrix_precision, model_folder

if TYPE_CHECKING:
    from torch import Tensor

    from ingestion.bert import Bert

    _Merged = tuple[Bert, Tensor, Tensor]

_AT_ONCE = 64
_SUREST = 1e-6


class CrossEncoder:
    """Judges pairs of texts; safe to share, and to ask from several threads at once. The model is made on first use."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter
        self._loading = Lock()

    def log_odds(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """For each claim beside a piece of evidence the log odds that it follows, shape `(len(pairs),)`."""
        read = [pair(claim, evidence) for claim, evidence in pairs]
        order = sorted(range(len(read)), key=lambda place: len(read[place].ids))
        found = np.zeros(len(read), dtype=np.float32)
        with self._loading:
            merged = self._model
        for at in range(0, len(order), _AT_ONCE):
            check_budget()
            batch = order[at : at + _AT_ONCE]
            found[batch] = _judged([read[place] for place in batch], merged)
        return found

    @cached_property
    def _model(self) -> "_Merged":
        import torch  # noqa: PLC0415 - heavy

        from ingestion.bert import Bert  # noqa: PLC0415 - heavy

        merged = self._adapter.merged(Bert(model_folder(), matrix_precision()))
        return merged, torch.from_numpy(self._adapter.head).float(), torch.from_numpy(self._adapter.bias)


def _judged(pairs: Sequence[Pair], merged: "_Merged") -> NDArray[np.float32]:
    import torch  # noqa: PLC0415 - heavy

    model, head, bias = merged
    with torch.inference_mode():
        chances = torch.softmax(pair_states(model, pairs) @ head.T + bias, dim=1)[:, 0]
        odds: NDArray[np.float32] = torch.logit(chances, _SUREST).numpy()
    return odds
