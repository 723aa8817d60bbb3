"""The report of an ingestion: what was read, what changed, and what could not be used."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from ingestion.knowledge_file import read_digests
from ingestion.readers.notes import RowIssue


@dataclass(frozen=True, slots=True)
class Changes:
    """How many pieces of evidence, and entries of the catalog (`product`), differ between two generations.

    Attributes:
        against: The generation that was compared with; None where there was none, and all is new.
        added: Source type to how many are new.
        changed: Source type to how many are not what they were, in whatever column.
        removed: Source type to how many are gone.
    """

    against: str | None = None
    added: Mapping[str, int] = field(default_factory=dict)
    changed: Mapping[str, int] = field(default_factory=dict)
    removed: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        """Such as `12 added, 3 changed, 1 removed`."""
        counts = {"added": self.added, "changed": self.changed, "removed": self.removed}
        return ", ".join(f"{sum(kinds.values()):,} {name}" for name, kinds in counts.items())


def compare(before: Path | None, after: Path) -> Changes:
    """Count what differs between two generations.

    Args:
        before: Folder of the earlier one; one that cannot be read counts as none.
        after: Folder of the later one.
    """
    new = read_digests(after)
    try:
        old = read_digests(before) if before else {}
    except sqlite3.DatabaseError:
        before, old = None, {}
    return Changes(
        before.name if before else None,
        added=_by_kind(new.keys() - old.keys()),
        changed=_by_kind(one for one in new.keys() & old.keys() if new[one] != old[one]),
        removed=_by_kind(old.keys() - new.keys()),
    )


def _by_kind(entries: Iterable[tuple[str, str]]) -> dict[str, int]:
    return dict(sorted(Counter(kind for kind, _ in entries).items()))


@dataclass(frozen=True, slots=True)
class IngestReport:
    """The result of an ingest run.

    Attributes:
        generation: The generation that now answers.
        unchanged: Whether nothing had changed since the last run, so that nothing was done.
        products: Number of products.
        evidence: Number of evidence by source type.
        embedded: Texts that were embedded in this run; the others came from the cache.
        changes: What differs from the generation that answered before.
        skipped: Rows and files that are not used.
        notes: What a shop should know of what is used all the same.
        unknown_columns: Table name to unknown column and the number of rows that have it; kept with the rows.
        ignored: Files that are not read, and why.
        seconds: How long it took.
    """

    generation: str
    unchanged: bool
    products: int
    evidence: Mapping[str, int]
    embedded: int = 0
    changes: Changes = field(default_factory=Changes)
    skipped: tuple[RowIssue, ...] = ()
    notes: tuple[RowIssue, ...] = ()
    unknown_columns: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    ignored: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data."""
        return asdict(self)

    def to_json(self) -> str:
        """The report as one JSON object."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def as_unchanged(self, seconds: float) -> "IngestReport":
        """The report of a run that found everything as this one had left it."""
        same = Changes(against=self.generation)
        return replace(self, unchanged=True, embedded=0, changes=same, seconds=seconds)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "IngestReport":
        """Read what `to_dict` wrote.

        Raises:
            ValueError: It is something else.
        """
        return TypeAdapter(cls).validate_python(data)
