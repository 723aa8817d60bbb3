"""Questions and statements as vectors: MPNet, taught on what shoppers ask and what answers it."""

from collections.abc import Sequence
from functools import cache, cached_property, partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from ingestion.encoder import Vectors
from ingestion.errors import UnusableModelError
from ingestion.inference import Transformer, checked, files_digest, initializers, model_files

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

FOLDER = Path(__file__).with_suffix("")
GRAPH, WEIGHTS, TOKENIZER = "graph.onnx", "weights.safetensors", "tokenizer.json"
DIGEST = "19a9922a9319c5283cdc1be56d7ef1509e22a615670b3864abfe250cda93320b"
"""SHA-256 of the weights that ship."""
SETTING = "encoder"
MODEL = "footnote-statements"
DIMENSIONS = 768
MAX_TOKENS = 128
OUTPUT = "sentence_embedding"
"""As sentence-transformers calls the mean of a text's states."""
BATCH = 32
"""Texts that another encoder reads at once."""


class StatementEncoder:
    """The encoder that ships: embeds texts of up to 128 tokens as unit vectors; the rest of a longer text is not seen.

    The model is loaded on the first `encode`; several threads may use it.
    """

    def __init__(self) -> None:
        self._loading = Lock()

    @cached_property
    def fingerprint(self) -> str:
        """Name and revision: vectors of encoders with another fingerprint do not compare.

        Raises:
            AlteredModelError: The weights are not those that ship.
        """
        checked(FOLDER / WEIGHTS, DIGEST)
        return f"{MODEL}@{DIGEST[:12]}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts.

        Args:
            texts: Any number of texts.

        Returns:
            Unit vectors, a row for each text; of the encoder that ships with 768 dimensions.
        """
        if not texts:
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        with self._loading:  # not held while texts are embedded
            model = self._model
        batch = self._batch(len(texts))
        found = model.encode(list(texts), batch_size=batch, show_progress_bar=False, normalize_embeddings=True)
        return np.asarray(found, dtype=np.float32)

    def _batch(self, texts: int) -> int:
        return texts  # the transformer reads text by text, and shares many out among threads

    @cached_property
    def _model(self) -> "SentenceTransformer":
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - heavy, with the next

        from ingestion.transformer_module import TransformerModule  # noqa: PLC0415

        weights = partial(initializers, checked(FOLDER / WEIGHTS, DIGEST))
        transformer = Transformer(FOLDER / GRAPH, weights, FOLDER / TOKENIZER, MAX_TOKENS)
        return SentenceTransformer(modules=[TransformerModule(transformer, OUTPUT)], device="cpu")


class NamedStatementEncoder(StatementEncoder):
    """An encoder of the shop's choice, on the device that sentence-transformers finds; its window is its own.

    Args:
        name: Folder, installed package or hub name of a `SentenceTransformer`. How near is near enough was measured for
            the encoder that ships: another is best taught as that one is, by `footnote train reader`.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    @cached_property
    def fingerprint(self) -> str:
        """Name and digest.

        Raises:
            UnusableModelError: There is no such model.
        """
        return f"{Path(self._name).name}@{files_digest(model_files(SETTING, self._name))[:12]}"

    def _batch(self, texts: int) -> int:
        return min(texts, BATCH)

    @cached_property
    def _model(self) -> "SentenceTransformer":
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - heavy

        try:
            return SentenceTransformer(str(model_files(SETTING, self._name)))
        except (OSError, ValueError, KeyError) as error:
            raise UnusableModelError(SETTING, self._name, "sentence-transformers cannot load it") from error


@cache
def shared_statement_encoder(name: str | None = None) -> StatementEncoder:
    """The one statement encoder of this process, or the one of a name."""
    return StatementEncoder() if name is None else NamedStatementEncoder(name)
