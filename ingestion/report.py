"""What an ingest run did."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from ingestion.changes import Changes
from ingestion.readers.issues import RowIssue
from ingestion.readers.repairs import Repair


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
        repaired: What was put right while reading, by kind and file.
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
    repaired: tuple[Repair, ...] = ()
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
        """Read what `to_dict` wrote."""
        skipped = tuple(RowIssue(**issue) for issue in data["skipped"])
        repaired = tuple(Repair(**{**repair, "lines": tuple(repair["lines"])}) for repair in data["repaired"])
        changes = Changes(**data["changes"])
        return cls(**{**data, "changes": changes, "skipped": skipped, "repaired": repaired})
