"""What a generation was made from, as one hash: equal hashes make equal generations."""

import hashlib
from functools import cache
from pathlib import Path

from ingestion.readers.config import CONFIG_NAME
from ingestion.readers.discovery import Discovery


def fingerprint(discovery: Discovery, model: str) -> str:
    """Hash the content and names of all files, the code that reads them, and the embedding model."""
    digest = hashlib.sha256(f"{model}\n{_code_version()}\n".encode())
    for source in discovery.files:
        for path in (source.path, source.sidecar):
            if path is not None:
                digest.update(f"{source.relative}\n{_hash(path)}\n".encode())
    for folder_config, _ in discovery.configs:
        digest.update(f"{CONFIG_NAME}\n{_hash(folder_config)}\n".encode())
    digest.update(repr(sorted(discovery.ignored.items())).encode())
    return digest.hexdigest()


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@cache
def _code_version() -> str:
    """Hash of this package, so that evidence composed by an older version is composed anew."""
    package = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(f"{path.relative_to(package)}\n".encode() + path.read_bytes())
    return digest.hexdigest()
