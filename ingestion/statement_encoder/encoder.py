"""Questions and statements as vectors: MPNet, taught on what shoppers ask and what answers it."""

from collections.abc import Sequence
from functools import cache, cached_property, partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from ingestion.encoder import Vectors
from ingestion.inference import Transformer, checked
from ingestion.inference.weights import initializers

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from tokenizers import Tokenizer

FOLDER = Path(__file__).parent
GRAPH, WEIGHTS, TOKENIZER = "graph.onnx", "weights.safetensors", "tokenizer.json"
DIGEST = "19a9922a9319c5283cdc1be56d7ef1509e22a615670b3864abfe250cda93320b"
"""SHA-256 of the weights that ship."""
MODEL = "footnote-statements"
DIMENSIONS = 768
MAX_TOKENS = 128
OUTPUT = "sentence_embedding"
"""As sentence-transformers calls the mean of a text's states."""


class StatementEncoder:
    """Embeds texts of up to 128 tokens as unit vectors; the rest of a longer text is not seen.

    The model is loaded on the first `encode`; several threads may use it.
    """

    max_tokens = MAX_TOKENS
    dimensions = DIMENSIONS

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

    def count_tokens(self, text: str) -> int:
        """Count the word pieces of a text, without the special ones around it."""
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts.

        Args:
            texts: Any number of texts.

        Returns:
            Unit vectors, shape `(len(texts), 768)`.
        """
        if not texts:
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        with self._loading:  # not held while texts are embedded
            model = self._model
        vectors = model.encode(list(texts), batch_size=len(texts), show_progress_bar=False, convert_to_tensor=True)
        return np.asarray(vectors.numpy(), dtype=np.float32)

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        from tokenizers import Tokenizer  # noqa: PLC0415 - heavy

        return Tokenizer.from_file(str(FOLDER / TOKENIZER))

    @cached_property
    def _model(self) -> "SentenceTransformer":
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - heavy, with all below
        from sentence_transformers.sentence_transformer.modules import Normalize  # noqa: PLC0415

        from ingestion.inference.module import TransformerModule  # noqa: PLC0415

        weights = partial(initializers, checked(FOLDER / WEIGHTS, DIGEST))
        transformer = Transformer(FOLDER / GRAPH, weights, FOLDER / TOKENIZER, MAX_TOKENS)
        return SentenceTransformer(modules=[TransformerModule(transformer, OUTPUT), Normalize()], device="cpu")


@cache
def shared_statement_encoder() -> StatementEncoder:
    """The one statement encoder of this process."""
    return StatementEncoder()
