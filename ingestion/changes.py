"""What a generation holds that the one before it did not, and the other way round."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ingestion.knowledge_file import read_digests


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
