"""How the weights of a transformer ship: in four bits.

What is learnt behind the packing lies beside it, in adapters of low rank (Dettmers et al., "QLoRA", 2023): a late round
changes weights by less than a step of four bits, or of eight, so that packing once more would round it away.
"""

from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor

from ingestion.inference import BITS, GROUP, LEVELS, SCALES, SHAPE, ZEROS

LEAST_SIZE = 500_000
"""Weights from which on a matrix is packed; of few, such as those of positions, each counts."""
RANK = 32
"""Of an adapter."""
LEAST_SCALE = 1e-8
"""Of a group whose weights are all alike."""


def packs(tensor: Tensor) -> bool:
    """Whether a weight is packed: a large matrix whose rows are made of whole groups."""
    return tensor.dim() == 2 and tensor.numel() >= LEAST_SIZE and tensor.shape[1] % GROUP == 0  # noqa: PLR2004 - a matrix


def pack(weights: Mapping[str, Tensor], path: Path) -> None:
    """Write weights: large matrices in four bits, all else in half precision.

    Args:
        weights: Tensors by name.
        path: Gets a safetensors file.
    """
    stored: dict[str, Tensor] = {}
    for name, tensor in weights.items():
        if packs(tensor):
            stored |= _packed(name, tensor.float())
        else:
            stored[name] = tensor.half().contiguous()
    save_file(stored, path)


def _packed(name: str, matrix: Tensor) -> dict[str, Tensor]:
    groups = matrix.reshape(-1, GROUP)
    low, high = groups.amin(1, keepdim=True).clamp(max=0), groups.amax(1, keepdim=True).clamp(min=0)
    scales = ((high - low) / LEVELS).clamp(min=LEAST_SCALE).half()
    zeros = (-low / scales.float()).round().clamp(0, LEVELS)
    levels = ((groups / scales.float()).round() + zeros).clamp(0, LEVELS).to(torch.uint8).reshape(-1, 2)
    return {
        name: levels[:, 0] | levels[:, 1] << BITS,
        name + SCALES: scales.flatten(),
        name + ZEROS: zeros.to(torch.uint8).flatten(),
        name + SHAPE: torch.tensor(matrix.shape),
    }
