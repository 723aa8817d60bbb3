"""What the shop's people add to an index between its files: facts they write and files they upload.

All of it lies in one folder beside the index, in the formats of a shop, and every ingest of the index reads it.
"""

import json
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from datetime import date
from pathlib import Path
from typing import Any

from filelock import FileLock

from app.errors import InputError
from app.settings import Settings
from ingestion.generations import LOCK_WAIT_SECONDS, silent
from ingestion.index import index_info, roll_back
from ingestion.ingest import Progress
from ingestion.ingest import ingest as run
from ingestion.report import IngestReport
from ingestion.statement_encoder import shared_statement_encoder

FACTS = "facts.jsonl"
LONGEST_FACT = 2000
LARGEST_UPLOAD = 20_000_000


def added_folder(index: Path) -> Path:
    """Where what was added to an index lies."""
    return index.with_name(f"{index.name}.added")


def ingest_shop(
    paths: Sequence[Path],
    index: Path,
    settings: Settings,
    *,
    strict: bool = False,
    progress: Progress = silent,
    wait: float = LOCK_WAIT_SECONDS,
) -> IngestReport:
    """Ingest a shop's files, and what was added to the index, as settings say.

    Raises:
        IngestError: The run could not finish; the message says why and what to do.
    """
    added = added_folder(index)
    return run(
        [*paths, *([added] if added.is_dir() else [])],
        index,
        strict=strict,
        progress=progress,
        statements=shared_statement_encoder(settings.encoder),
        chunk_tokens=settings.ingestion.chunk_tokens,
        limits=settings.ingestion.limits,
        loaders=settings.ingestion.loaders,
        wait_seconds=wait,
    )


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that somebody wrote.

    Attributes:
        id: Its name among the facts.
        source_type: What kind of evidence it is.
        updated_at: The day it was written, as ISO text.
        product_id: The product; None for the shop.
    """

    id: str
    source_type: str
    text: str
    updated_at: str
    product_id: str | None = None

    @property
    def evidence_id(self) -> str:
        """The id of the evidence that it becomes."""
        return f"{self.source_type}:{self.id}"


class ShopKnowledge:
    """An index as the shop's people see and change it.

    Args:
        index: The index's folder.
        settings: How files are read.

    Attributes:
        folder: Where what is added lies.
    """

    def __init__(self, index: Path, settings: Settings) -> None:
        self._index, self._settings = index, settings
        self.folder = added_folder(index)

    def info(self) -> dict[str, Any]:
        """Generations, sources and sizes, as `footnote index info` tells them."""
        return index_info(self._index)

    def write_fact(self, text: str, source_type: str, product_id: str | None = None) -> str:
        """Add a fact; it is answered from the next ingest on.

        Returns:
            The id of the evidence that it becomes.

        Raises:
            InputError: There is no text, too much of it, or the same fact already.
        """
        if not 0 < len(text.strip()) <= LONGEST_FACT:
            msg = f"A fact has 1 to {LONGEST_FACT:,} characters; this has {len(text.strip()):,}. Say one thing in it."
            raise InputError(msg)
        today = date.today().isoformat()  # noqa: DTZ011 - the shop's day
        fact = Fact(f"staff-{uuid.uuid4().hex[:12]}", source_type, text.strip(), today, product_id)
        row = {key: value for key, value in asdict(fact).items() if value is not None}
        with self._changing_facts() as rows:
            if any(one | {"id": fact.id, "updated_at": today} == row for one in rows):
                msg = "This fact is there already, of the same kind and about the same. Change what is to be added."
                raise InputError(msg)
            rows.append(row)
        return fact.evidence_id

    def facts(self) -> list[Fact]:
        """The facts that were written, oldest first.

        Raises:
            InputError: Somebody has changed their file, and a line of it is no fact.
        """
        names = [one.name for one in fields(Fact)]
        try:
            return [Fact(**{name: row[name] for name in names if name in row}) for row in self._fact_rows()]
        except TypeError as error:
            msg = f"A line of {self.folder / FACTS} is no fact: {error}. Mend the line, or take it out."
            raise InputError(msg) from error

    def withdraw(self, fact_id: str) -> None:
        """Take a written fact back; the next ingest forgets it."""
        with self._changing_facts() as rows:
            rows[:] = [one for one in rows if one.get("id") != fact_id]

    def _fact_rows(self) -> list[dict[str, Any]]:
        path = self.folder / FACTS
        if not path.exists():
            return []
        with path.open(encoding="utf-8") as lines:
            try:
                return [dict(json.loads(line)) for line in lines if line.strip()]
            except (TypeError, ValueError) as error:
                msg = f"{path} cannot be read as JSON Lines: {error}. Mend the line, or take it out."
                raise InputError(msg) from error

    @contextmanager
    def _changing_facts(self) -> Iterator[list[dict[str, Any]]]:
        """The rows of the facts, to be changed by nobody else meanwhile; written at the end, whole or not at all."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with FileLock(self.folder.with_name(f"{self.folder.name}.lock")):
            rows = self._fact_rows()
            yield rows
            written = self.folder.with_name(f"{self.folder.name}.{FACTS}")
            written.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
            written.replace(self.folder / FACTS)

    def upload(self, name: str, content: bytes) -> Path:
        """Add a file; it is answered from the next ingest on. One of the same name gives way.

        Raises:
            InputError: The name is none, is that of the written facts, or the file is too large.
        """
        plain = Path(name).name
        if plain != name or plain.startswith(".") or plain in ("", FACTS):
            msg = f"A file cannot be called {name!r}. Give it a plain name that says what it is, such as returns.md."
            raise InputError(msg)
        if len(content) > LARGEST_UPLOAD:
            msg = f"{name} has {len(content):,} bytes; at most {LARGEST_UPLOAD:,} are taken. Put it with the files."
            raise InputError(msg)
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / plain
        path.write_bytes(content)
        return path

    def added(self) -> list[Path]:
        """The files that were uploaded, by name."""
        found = self.folder.iterdir() if self.folder.is_dir() else ()
        return sorted(path for path in found if path.name != FACTS)

    def remove(self, name: str) -> None:
        """Take an uploaded file back; the next ingest forgets it."""
        if name in {path.name for path in self.added()}:
            (self.folder / name).unlink()

    def ingest(self, progress: Callable[[str, int, int], None] = silent) -> IngestReport:
        """Read the shop's files again, where they lay at the last ingest, with all that was added.

        Raises:
            InputError: The index does not say where they lie.
            IngestError: The run could not finish; the message says why and what to do.
        """
        paths = [Path(path) for path in self.info()["paths"]]
        shop = [path for path in paths if path != self.folder.resolve()]
        if not shop:
            msg = f"The index {self._index} does not say where its shop's files lie. Run `footnote ingest` once."
            raise InputError(msg)
        return ingest_shop(shop, self._index, self._settings, progress=progress)

    def roll_back(self, generation: str) -> None:
        """Let an earlier generation answer again."""
        roll_back(self._index, generation)
