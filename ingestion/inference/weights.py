"""Files of models: the weights that ship, checked and unpacked, and where those lie that settings name."""

import hashlib
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from ingestion.errors import AlteredModelError, UnusableModelError

GROUP = 128
"""Neighbouring weights that share a scale."""
SCALES, ZEROS, SHAPE = ".scales", ".zeros", ".shape"
"""What the names of a packed matrix's other parts end in."""
LOOKED_UP = "_embeddings.weight"
"""What the name of a matrix ends in whose rows are looked up."""

Array = NDArray[np.generic]


def initializers(path: Path) -> dict[str, Array]:
    """Read weights as ONNX Runtime's operators on four bits take them (Dettmers and Zettlemoyer, 2023).

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


CONFIGS = ("modules.json", "config.json")
"""One of which lies in the folder of every model of sentence-transformers."""


def model_files(setting: str, name: str) -> Path:
    """The folder of a model.

    Args:
        setting: What it is set as, for the message.
        name: A folder, an installed package that holds one, or the name of a repository of the hub, which is fetched
            once and kept.

    Raises:
        UnusableModelError: There is none of this name.
    """
    if Path(name).is_dir():
        return Path(name)
    package = find_spec(name) if name.isidentifier() else None
    for folder in package.submodule_search_locations or () if package else ():
        found = [Path(folder), *(one for one in sorted(Path(folder).iterdir()) if one.is_dir())]
        holding = [one for one in found if any((one / config).is_file() for config in CONFIGS)]
        if holding:
            return holding[0]
    from huggingface_hub import snapshot_download  # noqa: PLC0415 - heavy, with the next
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError  # noqa: PLC0415

    try:
        return Path(snapshot_download(name))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        why = "there is no such folder or package, and the hub does not give it"
        raise UnusableModelError(setting, name, why) from error


def files_digest(folder: Path) -> str:
    """SHA-256 of a model's weights and configurations, whatever else lies beside them."""
    digest = hashlib.sha256()
    for path in sorted([*folder.rglob("*.safetensors"), *folder.rglob("*.json")]):
        digest.update(f"{path.relative_to(folder)}\n".encode())
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()
