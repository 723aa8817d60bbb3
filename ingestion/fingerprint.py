"""What a generation was made from, as one hash: equal hashes make equal generations."""

import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path

from ingestion.readers.config import CONFIG_NAME
from ingestion.readers.discovery import Discovery, SourceFile
from ingestion.readers.opening import RefusedFileError, open_regular

_PARSERS = ("beautifulsoup4", "ftfy", "lxml", "mammoth", "markdown-it-py", "pyarrow", "pypdfium2", "pyyaml")


def fingerprint(discovery: Discovery, sources: Iterable[bytes], recipe: str) -> str:
    """Hash what a generation is made from.

    Args:
        discovery: The files.
        sources: A digest of each of them.
        recipe: Names the code that reads and cuts them and the embedding model.
    """
    digest = hashlib.sha256(f"{recipe}\n".encode() + b"".join(sources))
    for folder_config, _ in discovery.configs:
        digest.update(f"{CONFIG_NAME}\n{_hash(folder_config)}\n".encode())
    digest.update(repr(sorted(discovery.ignored.items())).encode())
    digest.update(repr(sorted(map(str, discovery.unreadable))).encode())
    return digest.hexdigest()


def source_digest(source: SourceFile) -> bytes:
    """Hash of all that decides what is read from a file, the mapping of a table's columns included."""
    columns = source.config.columns.get(source.table or "", {})
    named = f"{source.relative}\n{source.table}\n{sorted(columns.items())}\n"
    digest = hashlib.sha256(named.encode(errors="surrogateescape"))
    for path in filter(None, (source.path, source.sidecar)):
        digest.update(f"{path.name}\n{_hash(path)}\n".encode(errors="surrogateescape"))
    return digest.digest()


def _hash(path: Path) -> str:
    try:
        with open_regular(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, RefusedFileError):
        return "unreadable"  # reading it will say so


@cache
def code_version() -> str:
    """Hash of this package and its parsers, so that evidence composed by older versions is composed anew."""
    package = Path(__file__).parent
    digest = hashlib.sha256("\n".join(f"{name} {version(name)}" for name in _PARSERS).encode())
    for path in sorted(package.rglob("*.py")):
        digest.update(f"{path.relative_to(package)}\n".encode() + path.read_bytes())
    return digest.hexdigest()
