"""A linear map of states, its weight laid out as the processor multiplies it."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import torch
from torch.nn import functional

if TYPE_CHECKING:
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

    The products are the same to the last bit. Where gradients are wanted, or for float32, torch's own is called.

    Attributes:
        weight: What states are multiplied by, shape `(out, in)`.
        bias: What is added, shape `(out,)`.
    """

    weight: "Tensor"
    bias: "Tensor"
    _packed: "Tensor | None" = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Lay out the weight."""
        packs = self.weight.dtype is torch.bfloat16 and torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]  # torch tells no type
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
