"""The adapter: what entailment adds to the embedding model, as two thin matrices for each of its linear maps.

Low-rank adaptation (Hu et al., 2021, https://arxiv.org/abs/2106.09685).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from torch import Tensor

    from ingestion.bert import Bert
    from ingestion.linear import Linear

MAPS = ("query_key_value", "attended", "widened", "narrowed")
LAYERS = 6
SCALE = 2.0
"""What the product of the thin matrices is multiplied by."""
Place = tuple[int, str]
"""A linear map of the encoder: its layer and name."""
PLACES: tuple[Place, ...] = tuple((layer, name) for layer in range(LAYERS) for name in MAPS)


@dataclass(frozen=True, slots=True)
class Adapter:
    """Learnt weights.

    Attributes:
        down: For each map, shape `(rank, in)`.
        up: For each map, shape `(out, rank)`.
        head: Judges a pair's states: entailment, neutral, contradiction, shape `(3, states)`.
        bias: Of the head, shape `(3,)`.
    """

    down: Mapping[Place, NDArray[np.float16]]
    up: Mapping[Place, NDArray[np.float16]]
    head: NDArray[np.float16]
    bias: NDArray[np.float32]

    def to_arrays(self) -> dict[str, Any]:
        """As arrays of plain names."""
        named = {f"{part}.{layer}.{name}": one[layer, name] for layer, name in PLACES for part, one in self._parts}
        return named | {"head": self.head, "head_bias": self.bias}

    @property
    def _parts(self) -> tuple[tuple[str, Mapping[Place, NDArray[np.float16]]], ...]:
        return (("down", self.down), ("up", self.up))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Any]) -> "Adapter":
        """Read what `to_arrays` gave.

        Raises:
            KeyError: An array is missing.
        """
        down, up = ({place: arrays[f"{part}.{place[0]}.{place[1]}"] for place in PLACES} for part in ("down", "up"))
        return cls(down, up, arrays["head"], arrays["head_bias"])

    def merged(self, base: "Bert") -> "Bert":
        """The encoder with what was learnt added to its linear maps."""
        return base.replaced({place: _merged(base.linear(*place), *self._thin(place)) for place in PLACES})

    def _thin(self, place: Place) -> "tuple[Tensor, Tensor]":
        import torch  # noqa: PLC0415 - heavy

        return torch.from_numpy(self.down[place]).float(), torch.from_numpy(self.up[place]).float()


def _merged(base: "Linear", down: "Tensor", up: "Tensor") -> "Linear":
    from ingestion.linear import PackedLinear  # noqa: PLC0415 - heavy

    return PackedLinear((base.weight.float() + SCALE * (up @ down)).to(base.weight.dtype), base.bias)
