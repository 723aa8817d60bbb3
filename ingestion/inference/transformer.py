"""Transformers as ONNX Runtime computes them: operators in one file, weights in another."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ingestion.inference.weights import Array

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

INPUTS = ("input_ids", "attention_mask")
"""Of a graph, each of shape `(texts, tokens)`."""


class Transformer:
    """A transformer that reads one text after the other; several threads may use it at once.

    Nothing is loaded before the first text. A text is one call, in which the interpreter is free for other turns.

    Args:
        graph: Its operators, as `evals.training.packing` writes them; the one output has a row for each text.
        weights: Loads theirs, by name.
        tokenizer: Of the model.
        max_tokens: Tokens from which on a text, or of a pair the longer of the two, is cut.
        threads: Those that share the work of a text; None for as many as there are cores.
    """

    def __init__(
        self,
        graph: Path,
        weights: Callable[[], Mapping[str, Array]],
        tokenizer: Path,
        max_tokens: int,
        threads: int | None = None,
    ) -> None:
        self._graph, self._weights, self._tokenizer = graph, weights, tokenizer
        self._max_tokens, self._threads = max_tokens, threads
        self._loading = Lock()

    @cached_property
    def tokenizer(self) -> "Tokenizer":
        """Cuts texts where the window ends, and pads none."""
        from tokenizers import Tokenizer  # noqa: PLC0415 - heavy

        tokenizer: Tokenizer = Tokenizer.from_file(str(self._tokenizer))
        tokenizer.enable_truncation(self._max_tokens)
        tokenizer.no_padding()
        return tokenizer

    def tokens(self, texts: Sequence[Any]) -> list[list[int]]:
        """Token ids of texts or of pairs of texts."""
        return [encoding.ids for encoding in self.tokenizer.encode_batch(list(texts))]

    def read(self, tokens: Sequence[Sequence[int]]) -> list[NDArray[np.float32]]:
        """What the graph gives out for each text.

        Args:
            tokens: Of each text. They are read one by one: on a few cores a batch wins nothing, and padding costs.
        """
        with self._loading:  # not held while texts are read: who asks for one does not wait for another's thousand
            session = self._session
        return [_read(session, one) for one in tokens]

    @cached_property
    def _session(self) -> "InferenceSession":
        from onnxruntime import InferenceSession, OrtValue, SessionOptions  # noqa: PLC0415 - heavy

        options = SessionOptions()
        options.intra_op_num_threads = self._threads or len(os.sched_getaffinity(0))
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # cores that wait are another turn's
        values = self._weights()
        options.add_external_initializers(list(values), [OrtValue.ortvalue_from_numpy(one) for one in values.values()])
        return InferenceSession(self._graph, options, providers=["CPUExecutionProvider"])


def _read(session: "InferenceSession", tokens: Sequence[int]) -> NDArray[np.float32]:
    ids = np.array([tokens], dtype=np.int64)
    ((found,),) = session.run(None, dict(zip(INPUTS, (ids, np.ones_like(ids)), strict=True)))
    return np.asarray(found, dtype=np.float32)
