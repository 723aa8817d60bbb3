"""Finding a shop's files and telling what each one is."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from pathspec import GitIgnoreSpec

from ingestion.errors import MissingPathError
from ingestion.readers.cleaning import clean
from ingestion.readers.config import CONFIG_NAME, TABLES, ShopConfig, read_config
from ingestion.readers.issues import RowIssue

TABLE_SUFFIXES = frozenset({".jsonl", ".json", ".csv", ".parquet"})
DOCUMENT_SUFFIXES = frozenset({".md", ".html", ".htm", ".txt", ".pdf", ".docx"})
SIDECAR_SUFFIX = ".meta.json"
IGNORE_NAME = ".footnoteignore"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file to read.

    Attributes:
        path: Where it lies.
        relative: The same relative to the PATH it was found under, with `/`, as it can be shown and stored.
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
        unreadable: Files and folders that should be read and cannot be.
    """

    files: list[SourceFile] = field(default_factory=list)
    configs: list[tuple[Path, ShopConfig]] = field(default_factory=list)
    ignored: dict[str, str] = field(default_factory=dict)
    unreadable: list[RowIssue] = field(default_factory=list)


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
        candidates = _walk(path, exclude, found) if path.is_dir() else [path]
        configs: dict[Path, ShopConfig | None] = {}
        ignores: dict[Path, GitIgnoreSpec] = {}
        folders: dict[Path, Path] = {}
        for candidate in candidates:
            if (target := _target(candidate, folders)) not in seen:
                seen.add(target)
                _classify(candidate, root, configs, ignores, found)
        found.configs += [
            (folder / CONFIG_NAME, config)
            for folder, config in configs.items()
            if config is not None and config != ShopConfig()
        ]
    return found


def _target(path: Path, folders: dict[Path, Path]) -> Path:
    """The file that a path leads to; most lie in few folders, whose own ways are followed once."""
    if path.is_symlink():
        return path.resolve()
    if path.parent not in folders:
        folders[path.parent] = path.parent.resolve()
    return folders[path.parent] / path.name


def _walk(root: Path, exclude: Path | None, found: Discovery) -> Iterator[Path]:
    def report(error: OSError) -> None:
        folder = shown(Path(error.filename).relative_to(root))
        found.unreadable.append(RowIssue(folder, None, f"the folder cannot be read: {error.strerror}"))

    excluded = exclude.resolve() if exclude else None
    visited: set[Path] = set()
    for folder, subfolders, names in os.walk(root, followlinks=True, onerror=report):
        here = Path(folder)
        visited.add(here.resolve())
        subfolders[:] = sorted(
            name
            for name in subfolders
            if not name.startswith(".") and (here / name).resolve() not in visited | {excluded}
        )
        yield from (here / name for name in sorted(names) if not name.startswith("."))


def _classify(
    path: Path,
    root: Path,
    configs: dict[Path, ShopConfig | None],
    ignores: dict[Path, GitIgnoreSpec],
    found: Discovery,
) -> None:
    relative = shown(path.relative_to(root))
    if _is_unread(path) or _is_ignored(path, root, ignores):
        return
    if problem := _problem(path):
        found.unreadable.append(RowIssue(relative, None, problem))
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


def shown(relative: Path) -> str:
    """A path as it can be shown, stored and made an id of, the same on every system."""
    text = relative.as_posix().encode("utf-8", "backslashreplace").decode("utf-8")
    return " ".join(clean(text).split())


def _problem(path: Path) -> str | None:
    """Why a file cannot be opened."""
    if not path.exists():
        return "cannot be read: it links to nothing"
    if not path.is_file():
        return "cannot be read: it is no regular file"
    return None if os.access(path, os.R_OK) else "cannot be read: permission denied"


def _is_unread(path: Path) -> bool:
    """Whether a file is silently left out by its name."""
    aside = path.stem.lower() in {"readme", "license"} or path.name.startswith(("README", "LICENSE"))
    return aside or path.name.startswith(".") or path.name.endswith(SIDECAR_SUFFIX)


def _is_ignored(path: Path, root: Path, ignores: dict[Path, GitIgnoreSpec]) -> bool:
    """Whether a `.footnoteignore`, read as git reads its own, leaves a file out; the nearest that names it decides."""
    for folder in _folders_up(path.parent, root):
        if folder not in ignores:
            ignore = folder / IGNORE_NAME
            text = ignore.read_text(encoding="utf-8-sig", errors="replace") if ignore.is_file() else ""
            ignores[folder] = GitIgnoreSpec.from_lines(text.splitlines())
        if not ignores[folder].patterns:
            continue
        ignored = ignores[folder].check_file(path.relative_to(folder)).include
        if ignored is not None:
            return ignored
    return False


def _config_of(folder: Path, root: Path, configs: dict[Path, ShopConfig | None]) -> ShopConfig:
    """What the nearest `shop.toml` at or above a folder says."""
    for candidate in _folders_up(folder, root):
        if candidate not in configs:
            path = candidate / CONFIG_NAME
            configs[candidate] = read_config(path) if path.is_file() else None
        config = configs[candidate]
        if config is not None:
            return config
    return ShopConfig()


@lru_cache(maxsize=1024)
def _folders_up(folder: Path, root: Path) -> list[Path]:
    return [candidate for candidate in (folder, *folder.parents) if candidate == root or root in candidate.parents]


def _sidecar_of(path: Path) -> Path | None:
    for name in (path.name, path.stem):
        sidecar = path.with_name(name + SIDECAR_SUFFIX)
        if sidecar.is_file():
            return sidecar
    return None
