"""Packed transformers, as modules that sentence-transformers runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from sentence_transformers.sentence_transformer.modules import InputModule
from tokenizers import Tokenizer
from torch import Tensor
from transformers import MPNetConfig, MPNetForSequenceClassification, MPNetModel

from ingestion.packed.weights import unpack


class PackedTransformer(InputModule):
    """A transformer whose weights ship in four bits; its tokenizer may be used by several threads at once.

    Args:
        weights: What `pack` wrote.
        config: Of the model.
        tokenizer: Of the model.
        max_tokens: Tokens from which on a text, or of a pair the longer of the two, is cut.
        model: Its architecture.
        options: What else the architecture is told.
    """

    def __init__(
        self,
        weights: Path,
        config: Path,
        tokenizer: Path,
        max_tokens: int,
        model: type[MPNetModel | MPNetForSequenceClassification],
        **options: Any,  # noqa: ANN401 - what the library takes
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        dtype = precision()
        self.tokenizer = Tokenizer.from_file(str(tokenizer))
        self.tokenizer.enable_truncation(max_tokens)
        self.model = model.from_pretrained(
            None,
            config=MPNetConfig.from_pretrained(config),
            state_dict=unpack(weights, dtype),
            dtype=dtype,
            **options,
        )

    def preprocess(self, inputs: Sequence[Any], prompt: str | None = None, **_: Any) -> dict[str, Tensor]:  # noqa: ANN401, ARG002 - the library's signature
        """Token ids of texts or of pairs of texts, padded to the longest, and where there is a token."""
        rows = [encoding.ids for encoding in self.tokenizer.encode_batch(list(inputs))]
        longest = max(map(len, rows))
        padding = self.model.config.pad_token_id or 0
        ids = torch.tensor([row + [padding] * (longest - len(row)) for row in rows])
        return {"input_ids": ids, "attention_mask": ids.ne(padding).long()}

    def forward(self, features: dict[str, Tensor], **_: Any) -> dict[str, Tensor]:  # noqa: ANN401 - as above
        """Add the state of every token, or what a classifier says of each text."""
        found = self.model(features["input_ids"], features["attention_mask"])
        if isinstance(self.model, MPNetModel):
            return features | {"token_embeddings": found.last_hidden_state.float()}
        return features | {"scores": found.logits.float()}

    def save(self, output_path: str, *_: Any, **__: Any) -> None:  # noqa: ANN401 - as above
        """Nothing is saved: the weights are packed by `footnote train reader`."""
        raise NotImplementedError(output_path)


def precision() -> torch.dtype:
    """Bfloat16 where the processor multiplies it: half the time, and a vector moves by less than packing moves it."""
    capable = torch.cpu.get_capabilities()
    return torch.bfloat16 if capable.get("amx_tile") or capable.get("avx512_bf16") else torch.float32
