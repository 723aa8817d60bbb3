"""BERT as the embedding model of passages computes it, on one core or many.

Loading the whole transformers library takes longer than embedding what a daily run changes, and its model casts all
weights anew in every batch; here they are cast once.
"""

import json
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import torch
from torch.nn import functional

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from torch import Tensor


class Linear(Protocol):
    """A linear map of states, its weight of shape `(out, in)`."""

    @property
    def weight(self) -> "Tensor":
        """What states are multiplied by."""
        ...

    @property
    def bias(self) -> "Tensor":
        """What is added."""
        ...

    def __call__(self, states: "Tensor") -> "Tensor":
        """Map states."""
        ...


@dataclass(frozen=True, slots=True)
class PackedLinear:
    """A linear map whose weight is laid out once; torch does it anew in each product, half the time of a short text.

    The products are the same to the last bit. Where gradients are wanted, for float32, or on a processor that does not
    multiply bfloat16, torch's own is called.

    Attributes:
        weight: What states are multiplied by, shape `(out, in)`.
        bias: What is added, shape `(out,)`.
    """

    weight: "Tensor"
    bias: "Tensor"
    _packed: "Tensor | None" = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Lay out the weight."""
        packs = self.weight.dtype is torch.bfloat16 and torch.cpu.get_capabilities().get("amx_tile", False)
        packed = torch.ops.mkldnn._reorder_linear_weight(self.weight) if packs else None  # noqa: SLF001 - see below
        object.__setattr__(self, "_packed", packed)

    def __call__(self, states: "Tensor") -> "Tensor":
        """Map states, shape `(..., in)`."""
        if self._packed is None or torch.is_grad_enabled():
            return functional.linear(states, self.weight, self.bias)
        # What torch's own compiler writes for a frozen model, under no public name; hence torch's narrow bound. The
        # public `torch.utils.mkldnn` copies the states in and out of each product and is slower than torch's plain one.
        mapped: Tensor = torch.ops.mkldnn._linear_pointwise(states, self._packed, self.bias, "none", [], "")  # noqa: SLF001
        return mapped


@dataclass(frozen=True, slots=True)
class _Norm:
    weight: "Tensor"
    bias: "Tensor"
    epsilon: float

    def __call__(self, states: "Tensor") -> "Tensor":
        return functional.layer_norm(states, self.weight.shape, self.weight, self.bias, self.epsilon)


@dataclass(frozen=True, slots=True)
class _Layer:
    """Self-attention and a feed-forward network, each added to its input and normalised.

    The states between them stay in float32, whatever the precision of the products: sums keep what products may lose.
    """

    heads: int
    query_key_value: Linear
    attended: Linear
    attended_norm: _Norm
    widened: Linear
    narrowed: Linear
    narrowed_norm: _Norm

    def __call__(self, states: "Tensor", mask: "Tensor | None") -> "Tensor":
        texts, tokens, width = states.shape
        dtype = self.attended.weight.dtype
        parted = self.query_key_value(states.to(dtype)).view(texts, tokens, 3, self.heads, width // self.heads)
        query, key, value = parted.permute(2, 0, 3, 1, 4)
        attention = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        together = attention.transpose(1, 2).reshape(texts, tokens, width)
        states = self.attended_norm(self.attended(together) + states)
        return self.narrowed_norm(self.narrowed(functional.gelu(self.widened(states.to(dtype)))) + states)

    def replaced(self, number: int, maps: "Mapping[tuple[int, str], Linear]") -> "_Layer":
        """The same layer with other linear maps."""
        return replace(
            self,
            query_key_value=maps.get((number, "query_key_value"), self.query_key_value),
            attended=maps.get((number, "attended"), self.attended),
            widened=maps.get((number, "widened"), self.widened),
            narrowed=maps.get((number, "narrowed"), self.narrowed),
        )


class Bert:
    """A BERT encoder without its pooler, for inference."""

    def __init__(self, folder: Path, dtype: torch.dtype = torch.float32) -> None:
        """Load the weights.

        Args:
            folder: With `model.safetensors` and `config.json` as transformers writes them.
            dtype: The precision of matrix products and attention.
        """
        from safetensors.torch import load_file  # noqa: PLC0415 - heavy

        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        weights = load_file(folder / "model.safetensors")
        embeddings = "embeddings.{}_embeddings.weight"
        self._words = weights[embeddings.format("word")]
        self._places = weights[embeddings.format("position")] + weights[embeddings.format("token_type")][0]
        epsilon = config["layer_norm_eps"]
        self._norm = _norm(weights, "embeddings.LayerNorm", epsilon)
        self._layers = [
            _layer(weights, f"encoder.layer.{number}", config["num_attention_heads"], dtype, epsilon)
            for number in range(config["num_hidden_layers"])
        ]

    def __call__(self, ids: "Tensor", mask: "Tensor | None" = None) -> "Tensor":
        """Compute the last hidden states.

        Args:
            ids: Token ids, shape `(texts, tokens)`.
            mask: True where there is a token, of the same shape; None where no text is padded.

        Returns:
            States of shape `(texts, tokens, width)`.
        """
        for states in self.layers(ids, mask):
            last = states
        return last

    def linear(self, layer: int, name: str) -> Linear:
        """A linear map of a layer: `query_key_value`, `attended`, `widened` or `narrowed`."""
        found: Linear = getattr(self._layers[layer], name)
        return found

    def replaced(self, maps: "Mapping[tuple[int, str], Linear]") -> "Bert":
        """The same encoder with other linear maps, by their layer and name; all else is shared."""
        other = copy(self)
        other._layers = [layer.replaced(number, maps) for number, layer in enumerate(self._layers)]  # noqa: SLF001 - own
        return other

    def layers(self, ids: "Tensor", mask: "Tensor | None" = None) -> "Iterator[Tensor]":
        """Compute the hidden states after each layer, in order; arguments and shapes as of a call."""
        states = self._norm(self._words[ids] + self._places[: ids.shape[1]])
        seen = None if mask is None else mask[:, None, None, :]
        for layer in self._layers:
            states = layer(states, seen)
            yield states


def _layer(weights: "dict[str, Tensor]", name: str, heads: int, dtype: torch.dtype, epsilon: float) -> _Layer:
    return _Layer(
        heads=heads,
        query_key_value=_linear(
            weights, [f"{name}.attention.self.{part}" for part in ("query", "key", "value")], dtype
        ),
        attended=_linear(weights, [f"{name}.attention.output.dense"], dtype),
        attended_norm=_norm(weights, f"{name}.attention.output.LayerNorm", epsilon),
        widened=_linear(weights, [f"{name}.intermediate.dense"], dtype),
        narrowed=_linear(weights, [f"{name}.output.dense"], dtype),
        narrowed_norm=_norm(weights, f"{name}.output.LayerNorm", epsilon),
    )


def _linear(weights: "dict[str, Tensor]", names: list[str], dtype: torch.dtype) -> Linear:
    """One linear map for several of the same input: one large product is faster than three small ones."""
    return PackedLinear(
        torch.cat([weights[f"{name}.weight"] for name in names]).to(dtype),
        torch.cat([weights[f"{name}.bias"] for name in names]).to(dtype),
    )


def _norm(weights: "dict[str, Tensor]", name: str, epsilon: float) -> _Norm:
    return _Norm(weights[f"{name}.weight"], weights[f"{name}.bias"], epsilon)
