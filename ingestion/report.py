"""What an ingest run did."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ingestion.readers.issues import RowIssue


@dataclass(frozen=True, slots=True)
class IngestReport:
    """The result of an ingest run.

    Attributes:
        generation: The generation that now answers.
        unchanged: Whether nothing had changed since the last run, so that nothing was done.
        products: Number of products.
        evidence: Number of evidence by source type.
        embedded: Texts that were embedded in this run; the others came from the cache.
        skipped: Rows and files that are not used.
        unknown_columns: Table name to unknown column and the number of rows that have it; kept with the rows.
        ignored: Files that are not read, and why.
        seconds: How long it took.
    """

    generation: str
    unchanged: bool
    products: int
    evidence: Mapping[str, int]
    embedded: int = 0
    skipped: tuple[RowIssue, ...] = ()
    unknown_columns: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    ignored: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data."""
        return asdict(self)

    def to_json(self) -> str:
        """The report as one JSON object."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "IngestReport":
        """Read what `to_dict` wrote."""
        return cls(**{**data, "skipped": tuple(RowIssue(**issue) for issue in data["skipped"])})
