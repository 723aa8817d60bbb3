"""Models that settings name: where their files lie, and what tells them apart."""

import hashlib
from importlib.util import find_spec
from pathlib import Path

from ingestion.errors import UnusableModelError

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
