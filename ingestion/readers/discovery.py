"""Finding a shop's files and telling what each one is."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import re2
from pathspec import GitIgnoreSpec

from ingestion.errors import MissingPathError
from ingestion.readers.cleaning import clean
from ingestion.readers.config import CONFIG_NAME, TABLES, ShopConfig, read_config
from ingestion.readers.formats import DOCUMENT_FORMATS
from ingestion.readers.notes import RowIssue
from ingestion.readers.opening import RefusedFileError, read_small

TABLE_SUFFIXES = frozenset({".jsonl", ".json", ".csv", ".parquet"})
SIDECAR_SUFFIX = ".meta.json"
IGNORE_NAME = ".footnoteignore"
_OUTSIDE = "is a link that leaves the shop's folder, and is not read; put the file itself here, or name its folder too"
_MATCHED_BY = "re2"
"""The engine of the patterns of a `.footnoteignore`, which takes a time that grows with the name alone."""
_SHOWN_SUFFIX = 20


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file to read.

    Attributes:
        path: Where it lies.
        relative: The same relative to the PATH it was found under, with `/`, as it can be shown and stored.
        table: `products`, `reviews`, `questions` or `facts`; None for a document.
        config: What the nearest `shop.toml` says.
        sidecar: The `NAME.meta.json` beside a document.
        loader: The LangChain loader that reads a document; None for our own readers.
    """

    path: Path
    relative: str
    table: str | None
    config: ShopConfig
    sidecar: Path | None = None
    loader: str | None = None


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


def discover(paths: Sequence[Path], exclude: Path | None = None, loaders: Mapping[str, str] | None = None) -> Discovery:
    """Find the files of a shop.

    A link is followed where it stays within the folder it was found under, or leads into another of the paths.

    Args:
        paths: Files and folders.
        exclude: A folder not to look into (the index itself).
        loaders: Suffix to the LangChain loader that reads documents of it.

    Raises:
        MissingPathError: A path does not exist.
        ShopConfigError: A `shop.toml` cannot be understood.
    """
    found = Discovery()
    for path in paths:
        if not path.exists():
            raise MissingPathError(path)
    inside = tuple(_real(path) for path in paths)
    seen: set[Path] = set()
    for path in paths:
        search = _Search(path, (*inside, _real(path.parent)) if path.is_file() else inside, found, loaders or {})
        for candidate in search.walk(exclude) if path.is_dir() else [path]:
            if (target := _real(candidate)) not in seen:
                seen.add(target)
                search.classify(candidate)
        found.configs += [
            (folder / CONFIG_NAME, config)
            for folder, config in search.configs.items()
            if config is not None and config != ShopConfig()
        ]
    return found


def _real(path: Path) -> Path:
    """Where a path leads; unlike `Path.resolve`, no error where links lead in a circle."""
    return Path(os.path.realpath(path))


@dataclass(slots=True)
class _Search:
    """Looks for files under one path.

    Attributes:
        path: A folder or a file.
        inside: Folders and files that links may lead to.
        found: Told what there is.
        loaders: Suffix to the loader of documents.
        configs: The `shop.toml` of each folder.
        ignores: The `.footnoteignore` of each folder.
    """

    path: Path
    inside: tuple[Path, ...]
    found: Discovery
    loaders: Mapping[str, str]
    configs: dict[Path, ShopConfig | None] = field(default_factory=dict)
    ignores: dict[Path, GitIgnoreSpec] = field(default_factory=dict)

    @property
    def root(self) -> Path:
        """The folder that names are relative to."""
        return self.path if self.path.is_dir() else self.path.parent

    def problem(self, path: Path) -> str | None:
        """Why a file is not opened."""
        if path != self.path and not self._is_inside(path):
            return _OUTSIDE
        if not path.exists():
            return "cannot be read: it links to nothing"
        if not path.is_file():
            return "cannot be read: it is no regular file"
        return None if os.access(path, os.R_OK) else "cannot be read: permission denied"

    def _is_inside(self, path: Path) -> bool:
        target = _real(path)
        return any(target == allowed or allowed in target.parents for allowed in self.inside)

    def walk(self, exclude: Path | None) -> Iterator[Path]:
        """The files of a folder in a stable order."""
        excluded = _real(exclude) if exclude else None
        visited: set[Path] = set()
        for folder, subfolders, names in os.walk(self.path, followlinks=True, onerror=self._report_folder):
            here = Path(folder)
            visited.add(_real(here))
            subfolders[:] = [
                name
                for name in sorted(subfolders)
                if not name.startswith(".")
                and _real(here / name) not in visited | {excluded}
                and self._is_entered(here / name)
            ]
            yield from (here / name for name in sorted(names) if not name.startswith("."))

    def _report_folder(self, error: OSError) -> None:
        self._report(Path(error.filename), f"the folder cannot be read: {error.strerror}")

    def _report(self, path: Path, problem: str) -> None:
        self.found.unreadable.append(RowIssue(shown(path.relative_to(self.root)), None, problem))

    def _is_entered(self, folder: Path) -> bool:
        if self._is_inside(folder):
            return True
        self._report(folder, _OUTSIDE)
        return False

    def classify(self, path: Path) -> None:
        """Tell what a file is."""
        relative = shown(path.relative_to(self.root))
        if _is_unread(path) or self._is_ignored(path):
            return
        if path.name == CONFIG_NAME:
            self._config_of(path.parent)
            return
        if problem := self.problem(path):
            self._report(path, problem)
            return
        suffix = path.suffix.lower()
        stem = path.stem.lower()
        if suffix in TABLE_SUFFIXES and stem in TABLES:
            self.found.files.append(SourceFile(path, relative, stem, self._config_of(path.parent)))
        elif suffix in DOCUMENT_FORMATS or suffix in self.loaders:
            self._document(path, relative)
        elif suffix in TABLE_SUFFIXES:
            known = ", ".join(TABLES)
            self.found.ignored[relative] = f"a table of another name; known are {known}"
        else:
            kind = shown(Path(suffix))[:_SHOWN_SUFFIX] if suffix else "no suffix"
            self.found.ignored[relative] = f"a format that is not read ({kind})"

    def _document(self, path: Path, relative: str) -> None:
        config, loader = self._config_of(path.parent), self.loaders.get(path.suffix.lower())
        sidecars = (path.with_name(name + SIDECAR_SUFFIX) for name in (path.name, path.stem))
        sidecar = next(filter(os.path.lexists, sidecars), None)
        # What it says may be for whom a document is; without it, it is not read.
        if sidecar and (problem := self.problem(sidecar)):
            self._report(path, f"is not read, because of its sidecar {shown(Path(sidecar.name))}: {problem}")
            return
        self.found.files.append(SourceFile(path, relative, None, config, sidecar, loader))

    def _is_ignored(self, path: Path) -> bool:
        """Whether a `.footnoteignore`, read as git reads its own, leaves a file out; the nearest to name it decides."""
        for folder in _folders_up(path.parent, self.root):
            if folder not in self.ignores:
                self.ignores[folder] = self._ignore_at(folder / IGNORE_NAME)
            if not self.ignores[folder].patterns:
                continue
            ignored = self.ignores[folder].check_file(_written(path.relative_to(folder))).include
            if ignored is not None:
                return ignored
        return False

    def _ignore_at(self, path: Path) -> GitIgnoreSpec:
        nothing = GitIgnoreSpec.from_lines([], backend=_MATCHED_BY)
        if not os.path.lexists(path):
            return nothing
        problem = self.problem(path)
        try:
            if problem is None:
                lines = read_small(path).decode("utf-8-sig", errors="replace").splitlines()
                return GitIgnoreSpec.from_lines(lines, backend=_MATCHED_BY)
        except (OSError, RefusedFileError, ValueError, re2.error) as error:
            problem = f"cannot be read: {getattr(error, 'strerror', None) or error}"
        self._report(path, f"{problem}; it leaves out nothing")
        return nothing

    def _config_of(self, folder: Path) -> ShopConfig:
        """What the nearest `shop.toml` at or above a folder says."""
        for candidate in _folders_up(folder, self.root):
            if candidate not in self.configs:
                self.configs[candidate] = self._config_at(candidate / CONFIG_NAME)
            config = self.configs[candidate]
            if config is not None:
                return config
        return ShopConfig()

    def _config_at(self, path: Path) -> ShopConfig | None:
        if not os.path.lexists(path):
            return None
        if problem := self.problem(path):
            self._report(path, f"{problem}; the shop is read without it")
            return None
        return read_config(path)


def shown(relative: Path) -> str:
    """A path as it can be shown, stored and made an id of, the same on every system."""
    return " ".join(clean(_written(relative)).split())


def _written(relative: Path) -> str:
    """A path as text, whatever bytes it has."""
    return relative.as_posix().encode("utf-8", "backslashreplace").decode("utf-8")


def _is_unread(path: Path) -> bool:
    """Whether a file is silently left out by its name."""
    aside = path.stem.lower() in {"readme", "license"} or path.name.startswith(("README", "LICENSE"))
    return aside or path.name.startswith(".") or path.name.endswith(SIDECAR_SUFFIX)


@lru_cache(maxsize=1024)
def _folders_up(folder: Path, root: Path) -> list[Path]:
    return [candidate for candidate in (folder, *folder.parents) if candidate == root or root in candidate.parents]
