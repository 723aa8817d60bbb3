"""Packed transformers, as modules that sentence-transformers runs."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from onnxruntime import InferenceSession, OrtValue, SessionOptions
from sentence_transformers.sentence_transformer.modules import InputModule
from tokenizers import Tokenizer
from torch import Tensor

from ingestion.packed.weights import initializers

INPUTS = ("input_ids", "attention_mask")
"""Of a graph, each of shape `(texts, tokens)`."""
PADDING = ("<pad>", "[PAD]")
"""As MPNet and BERT name it."""


class PackedTransformer(InputModule):
    """A transformer that ONNX Runtime computes on matrices of four bits; several threads may use it at once.

    The whole model is one call, in which the interpreter is free for other turns.

    Args:
        graph: Its operators, as `footnote train reader` writes them; the one output is what the module adds.
        weights: Theirs, by name.
        tokenizer: Of the model.
        max_tokens: Tokens from which on a text, or of a pair the longer of the two, is cut.
    """

    def __init__(self, graph: Path, weights: Path, tokenizer: Path, max_tokens: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.tokenizer = Tokenizer.from_file(str(tokenizer))
        self.tokenizer.enable_truncation(max_tokens)
        self._padding = next(one for one in map(self.tokenizer.token_to_id, PADDING) if one is not None)
        self._session = _session(graph, weights)
        (output,) = self._session.get_outputs()
        self._output = output.name

    def preprocess(self, inputs: Sequence[Any], prompt: str | None = None, **_: Any) -> dict[str, Tensor]:  # noqa: ANN401, ARG002 - the library's signature
        """Token ids of texts or of pairs of texts, padded to the longest, and where there is a token."""
        rows = [encoding.ids for encoding in self.tokenizer.encode_batch(list(inputs))]
        longest = max(map(len, rows))
        ids = torch.tensor([row + [self._padding] * (longest - len(row)) for row in rows])
        return dict(zip(INPUTS, (ids, ids.ne(self._padding).long()), strict=True))

    def forward(self, features: dict[str, Tensor], **_: Any) -> dict[str, Tensor]:  # noqa: ANN401 - as above
        """Add the state of every token, or what a classifier says of each text."""
        (found,) = self._session.run([self._output], {name: features[name].numpy() for name in INPUTS})
        return features | {self._output: torch.from_numpy(np.asarray(found))}

    def save(self, output_path: str, *_: Any, **__: Any) -> None:  # noqa: ANN401 - as above
        """Nothing is saved: graph and weights are written by `footnote train reader`."""
        raise NotImplementedError(output_path)


def _session(graph: Path, weights: Path) -> InferenceSession:
    options = SessionOptions()
    options.intra_op_num_threads = len(os.sched_getaffinity(0))
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # cores that wait are another turn's
    values = initializers(weights)
    options.add_external_initializers(list(values), [OrtValue.ortvalue_from_numpy(one) for one in values.values()])
    return InferenceSession(graph, options, providers=["CPUExecutionProvider"])
