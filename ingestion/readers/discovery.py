"""Finding a shop's files and telling what each one is."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from ingestion.errors import MissingPathError
from ingestion.readers.config import CONFIG_NAME, TABLES, ShopConfig, read_config

TABLE_SUFFIXES = frozenset({".jsonl", ".json", ".csv", ".parquet"})
DOCUMENT_SUFFIXES = frozenset({".md", ".html", ".htm", ".txt", ".pdf", ".docx"})
SIDECAR_SUFFIX = ".meta.json"
IGNORE_NAME = ".footnoteignore"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file to read.

    Attributes:
        path: Where it lies.
        relative: The same relative to the PATH it was found under, with `/`.
        table: `products`, `reviews`, `questions` or `facts`; None for a document.
        config: What the nearest `shop.toml` says.
        sidecar: The `NAME.meta.json` beside a document.
    """

    path: Path
    relative: str
    table: str | None
    config: ShopConfig
    sidecar: Path | None = None


@dataclass(slots=True)
class Discovery:
    """What lies under the given paths.

    Attributes:
        files: The files to read, in a stable order.
        configs: Every `shop.toml`, as path and content.
        ignored: Files that are not read, and why, for the report.
    """

    files: list[SourceFile] = field(default_factory=list)
    configs: list[tuple[Path, ShopConfig]] = field(default_factory=list)
    ignored: dict[str, str] = field(default_factory=dict)


def discover(paths: Sequence[Path], exclude: Path | None = None) -> Discovery:
    """Find the files of a shop.

    Args:
        paths: Files and folders.
        exclude: A folder not to look into (the index itself).

    Raises:
        MissingPathError: A path does not exist.
        ShopConfigError: A `shop.toml` cannot be understood.
    """
    found = Discovery()
    seen: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise MissingPathError(path)
        root = path if path.is_dir() else path.parent
        candidates = _walk(path, exclude) if path.is_dir() else [path]
        configs: dict[Path, ShopConfig] = {}
        for candidate in candidates:
            if candidate.resolve() not in seen:
                seen.add(candidate.resolve())
                _classify(candidate, root, configs, found)
        found.configs += [
            (folder / CONFIG_NAME, config) for folder, config in configs.items() if config != ShopConfig()
        ]
    return found


def _walk(root: Path, exclude: Path | None) -> Iterator[Path]:
    excluded = exclude.resolve() if exclude else None
    visited: set[Path] = set()
    for folder, subfolders, names in os.walk(root, followlinks=True):
        here = Path(folder)
        visited.add(here.resolve())
        subfolders[:] = sorted(
            name
            for name in subfolders
            if not name.startswith(".") and (here / name).resolve() not in visited | {excluded}
        )
        yield from (here / name for name in sorted(names) if not name.startswith("."))


def _classify(path: Path, root: Path, configs: dict[Path, ShopConfig], found: Discovery) -> None:
    relative = path.relative_to(root).as_posix()
    if _is_unread(path) or _is_ignored(path, root):
        return
    suffix = path.suffix.lower()
    stem = path.stem.lower()
    if suffix in TABLE_SUFFIXES and stem in TABLES:
        found.files.append(SourceFile(path, relative, stem, _config_of(path.parent, root, configs)))
    elif suffix in DOCUMENT_SUFFIXES:
        config = _config_of(path.parent, root, configs)
        found.files.append(SourceFile(path, relative, None, config, _sidecar_of(path)))
    elif path.name == CONFIG_NAME:
        _config_of(path.parent, root, configs)
    elif suffix in TABLE_SUFFIXES:
        known = ", ".join(TABLES)
        found.ignored[relative] = f"a table of another name; known are {known}"
    else:
        found.ignored[relative] = f"a format that is not read ({suffix or 'no suffix'})"


def _is_unread(path: Path) -> bool:
    """Whether a file is silently left out by its name."""
    aside = path.stem.lower() in {"readme", "license"} or path.name.startswith(("README", "LICENSE"))
    return aside or path.name.startswith(".") or path.name.endswith(SIDECAR_SUFFIX)


def _is_ignored(path: Path, root: Path) -> bool:
    """Whether a `.footnoteignore` in the file's folder, or one above it, has a glob for it."""
    for folder in _folders_up(path.parent, root):
        ignore = folder / IGNORE_NAME
        if not ignore.is_file():
            continue
        parts = path.relative_to(folder).parts
        tails = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
        for line in ignore.read_text(encoding="utf-8-sig", errors="replace").splitlines():
            glob = line.strip().strip("/")
            if glob and not glob.startswith("#") and any(fnmatchcase(name, glob) for name in (*tails, *parts)):
                return True
    return False


def _config_of(folder: Path, root: Path, configs: dict[Path, ShopConfig]) -> ShopConfig:
    """What the nearest `shop.toml` at or above a folder says."""
    for candidate in _folders_up(folder, root):
        if candidate not in configs:
            path = candidate / CONFIG_NAME
            configs[candidate] = read_config(path) if path.is_file() else ShopConfig()
        if (candidate / CONFIG_NAME).is_file():
            return configs[candidate]
    return ShopConfig()


def _folders_up(folder: Path, root: Path) -> list[Path]:
    return [candidate for candidate in (folder, *folder.parents) if candidate == root or root in candidate.parents]


def _sidecar_of(path: Path) -> Path | None:
    for name in (path.name, path.stem):
        sidecar = path.with_name(name + SIDECAR_SUFFIX)
        if sidecar.is_file():
            return sidecar
    return None
