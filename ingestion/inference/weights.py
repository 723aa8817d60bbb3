"""Weights of four bits, in groups with a scale and a zero of their own (Dettmers and Zettlemoyer, 2023)."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from ingestion.errors import AlteredModelError

GROUP = 128
"""Neighbouring weights that share a scale."""
SCALES, ZEROS, SHAPE = ".scales", ".zeros", ".shape"
"""What the names of a packed matrix's other parts end in."""
LOOKED_UP = "_embeddings.weight"
"""What the name of a matrix ends in whose rows are looked up."""

Array = NDArray[np.generic]


def initializers(path: Path) -> dict[str, Array]:
    """Read weights as ONNX Runtime's operators on four bits take them.

    Args:
        path: A safetensors file of matrices in four bits, the lower half of a byte first, all else in half precision.

    Returns:
        By name: of a packed matrix its levels, two in a byte, of shape `(rows, groups, bytes)`, or `(rows, bytes)` if
        rows are looked up, its scales of shape `(rows, groups)`, and its zeros, two in a byte; of all else the values
        in single precision.
    """
    stored = load_file(path)
    packed = [name.removesuffix(SCALES) for name in stored if name.endswith(SCALES)]
    found = {name: values for one in packed for name, values in _matrix(one, stored).items()}
    parts = {one + ending for one in packed for ending in ("", SCALES, ZEROS, SHAPE)}
    return found | {name: values.astype(np.float32) for name, values in stored.items() if name not in parts}


def checked(path: Path, digest: str) -> Path:
    """A file whose SHA-256 is the one that ships.

    Raises:
        AlteredModelError: It is another.
    """
    with path.open("rb") as weights:
        if hashlib.file_digest(weights, "sha256").hexdigest() != digest:
            raise AlteredModelError(path)
    return path


def _matrix(name: str, stored: Mapping[str, Array]) -> dict[str, Array]:
    rows, _ = stored[name + SHAPE].tolist()
    zeros = stored[name + ZEROS].astype(np.uint8).reshape(rows, -1)
    zeros = np.pad(zeros, ((0, 0), (0, zeros.shape[1] % 2)))
    return {
        name: stored[name].reshape((rows, -1) if name.endswith(LOOKED_UP) else (rows, -1, GROUP // 2)),
        name + SCALES: stored[name + SCALES].reshape(rows, -1).astype(np.float32),
        name + ZEROS: np.ascontiguousarray(zeros[:, ::2] | zeros[:, 1::2] << 4),
    }
