"""The model of the statement encoder, as sentence-transformers runs it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import InputModule, Normalize, Pooling
from tokenizers import Tokenizer
from torch import Tensor
from transformers import MPNetConfig, MPNetModel

from ingestion.statement_encoder.packing import unpack


def load(folder: Path, max_tokens: int) -> SentenceTransformer:
    """Load packed weights.

    Args:
        folder: With `config.json`, `tokenizer.json` and `weights.safetensors`.
        max_tokens: Tokens from which on a text is cut.
    """
    transformer = PackedTransformer(folder, max_tokens)
    pooling = Pooling(transformer.model.config.hidden_size, "mean")
    return SentenceTransformer(modules=[transformer, pooling, Normalize()], device="cpu")


class PackedTransformer(InputModule):
    """A transformer whose weights ship in four bits; its tokenizer may be used by several threads at once."""

    def __init__(self, folder: Path, max_tokens: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        dtype = precision()
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(max_tokens)
        self.model = MPNetModel.from_pretrained(
            None,
            config=MPNetConfig.from_pretrained(folder),
            state_dict=unpack(folder / "weights.safetensors", dtype),
            dtype=dtype,
            add_pooling_layer=False,
        )

    def preprocess(self, inputs: Sequence[Any], prompt: str | None = None, **_: Any) -> dict[str, Tensor]:  # noqa: ANN401, ARG002 - the library's signature
        """Token ids of texts, padded to the longest, and where there is a token."""
        rows = [encoding.ids for encoding in self.tokenizer.encode_batch(list(inputs))]
        longest = max(map(len, rows))
        padding = self.model.config.pad_token_id or 0
        ids = torch.tensor([row + [padding] * (longest - len(row)) for row in rows])
        return {"input_ids": ids, "attention_mask": ids.ne(padding).long()}

    def forward(self, features: dict[str, Tensor], **_: Any) -> dict[str, Tensor]:  # noqa: ANN401 - as above
        """Add the state of every token."""
        states = self.model(features["input_ids"], features["attention_mask"]).last_hidden_state
        return features | {"token_embeddings": states.float()}

    def save(self, output_path: str, *_: Any, **__: Any) -> None:  # noqa: ANN401 - as above
        """Nothing is saved: the weights are packed by `footnote train reader`."""
        raise NotImplementedError(output_path)


def precision() -> torch.dtype:
    """Bfloat16 where the processor multiplies it: half the time, and a vector moves by less than packing moves it."""
    capable = torch.cpu.get_capabilities()
    return torch.bfloat16 if capable.get("amx_tile") or capable.get("avx512_bf16") else torch.float32
