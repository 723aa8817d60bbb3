"""Transformers as modules that sentence-transformers runs."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from sentence_transformers.sentence_transformer.modules import InputModule
from torch import Tensor

from ingestion.inference import INPUTS, Transformer


class TransformerModule(InputModule):
    """A transformer as the first module of a model.

    Args:
        transformer: Reads texts.
        output: The name of what it finds in each.
    """

    def __init__(self, transformer: Transformer, output: str) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.tokenizer = transformer.tokenizer
        self._transformer, self._output = transformer, output

    def preprocess(self, inputs: Sequence[Any], prompt: str | None = None, **_: Any) -> dict[str, Tensor]:  # noqa: ANN401, ARG002 - the library's signature
        """Token ids of texts or of pairs of texts, and where there is one: the library wants them in one array."""
        rows = [torch.tensor(one) for one in self._transformer.tokens(inputs)]
        seen = [torch.ones_like(row) for row in rows]
        return {
            name: torch.nn.utils.rnn.pad_sequence(one, batch_first=True)
            for name, one in zip(INPUTS, (rows, seen), strict=True)
        }

    def forward(self, features: dict[str, Tensor], **_: Any) -> dict[str, Tensor]:  # noqa: ANN401 - as above
        """Add what is found in each text."""
        ids, seen = (features[name] for name in INPUTS)
        tokens = [row[at.bool()].tolist() for row, at in zip(ids, seen, strict=True)]
        return features | {self._output: torch.from_numpy(np.stack(self._transformer.read(tokens)))}

    def save(self, output_path: str, *_: Any, **__: Any) -> None:  # noqa: ANN401 - as above
        """Nothing is saved: graph and weights are written by `footnote train reader`."""
        raise NotImplementedError(output_path)
