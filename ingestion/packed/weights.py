"""Weights of four bits, in groups with a scale and a zero of their own (Dettmers and Zettlemoyer, 2023)."""

import hashlib
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor

from ingestion.errors import AlteredModelError

GROUP = 128
"""Neighbouring weights that share a scale."""
LEVELS = 15
LEAST_SIZE = 500_000
"""Weights from which on a matrix is packed; of few, such as those of positions, each counts."""
_SCALES, _ZEROS, _SHAPE = ".scales", ".zeros", ".shape"
_LEAST = 1e-8
"""Scale of a group whose weights are all alike."""


def pack(weights: dict[str, Tensor], path: Path) -> None:
    """Write weights: matrices in four bits, all else in half precision.

    Args:
        weights: Tensors by name; a large matrix is packed if its size is a multiple of the group.
        path: Gets a safetensors file.
    """
    stored: dict[str, Tensor] = {}
    for name, tensor in weights.items():
        if tensor.numel() >= LEAST_SIZE and tensor.numel() % GROUP == 0:
            stored |= _packed(name, tensor.float())
        else:
            stored[name] = tensor.half().contiguous()
    save_file(stored, path)


def unpack(path: Path, dtype: torch.dtype) -> dict[str, Tensor]:
    """Read what `pack` wrote, every tensor in one precision."""
    with safe_open(path, framework="pt") as file:
        stored = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - a file is no mapping
    names = [name for name in stored if not name.endswith((_SCALES, _ZEROS, _SHAPE))]
    return {name: (_unpacked(name, stored) if name + _SCALES in stored else stored[name]).to(dtype) for name in names}


def checked(path: Path, digest: str) -> Path:
    """A file whose SHA-256 is the one that ships.

    Raises:
        AlteredModelError: It is another.
    """
    with path.open("rb") as weights:
        if hashlib.file_digest(weights, "sha256").hexdigest() != digest:
            raise AlteredModelError(path)
    return path


def _packed(name: str, matrix: Tensor) -> dict[str, Tensor]:
    groups = matrix.reshape(-1, GROUP)
    low, high = groups.amin(1, keepdim=True).clamp(max=0), groups.amax(1, keepdim=True).clamp(min=0)
    scales = ((high - low) / LEVELS).clamp(min=_LEAST).half()
    zeros = (-low / scales.float()).round().clamp(0, LEVELS)
    levels = ((groups / scales.float()).round() + zeros).clamp(0, LEVELS).to(torch.uint8).reshape(-1, 2)
    return {
        name: levels[:, 0] | levels[:, 1] << 4,
        name + _SCALES: scales.flatten(),
        name + _ZEROS: zeros.to(torch.uint8).flatten(),
        name + _SHAPE: torch.tensor(matrix.shape),
    }


def _unpacked(name: str, stored: dict[str, Tensor]) -> Tensor:
    both = stored[name]
    levels = torch.stack([both & LEVELS, both >> 4], dim=1).reshape(-1, GROUP).float()
    groups = (levels - stored[name + _ZEROS][:, None]) * stored[name + _SCALES][:, None].float()
    return groups.reshape(*stored[name + _SHAPE].tolist())
