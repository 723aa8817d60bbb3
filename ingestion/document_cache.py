"""What documents give, by the hash of the file, so that a run reads and cuts only those that changed."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ingestion.cache_file import CacheFile
from ingestion.evidence import Evidence
from ingestion.readers.repairs import Repair
from ingestion.records import evidence_record, read_evidence

_BATCH = 100
"""Documents read between two commits."""


@dataclass(frozen=True, slots=True)
class ComposedDocument:
    """What one document gives.

    Attributes:
        evidence: Its chunks.
        unknown: Its metadata that has no place of its own.
        repairs: What was put right in it.
        problem: Why it is not used; None where it is.
    """

    evidence: tuple[Evidence, ...] = ()
    unknown: Mapping[str, Any] = field(default_factory=dict)
    repairs: tuple[Repair, ...] = ()
    problem: str | None = None

    def to_json(self) -> str:
        """The same as JSON."""
        records = [evidence_record(one) for one in self.evidence]
        repairs = [asdict(repair) for repair in self.repairs]
        return json.dumps([records, self.unknown, repairs, self.problem], ensure_ascii=False, default=str)

    @classmethod
    def from_json(cls, text: str) -> "ComposedDocument":
        """Read what `to_json` wrote."""
        records, unknown, repairs, problem = json.loads(text)
        return cls(
            tuple(read_evidence(tuple(record)) for record in records),
            unknown,
            tuple(Repair(**{**repair, "lines": tuple(repair["lines"])}) for repair in repairs),
            problem,
        )


class DocumentCache:
    """Remembers what documents gave.

    Attributes:
        keys: Under which the cache knows the documents that were asked for.
    """

    def __init__(self, cache: CacheFile, digests: Mapping[Path, bytes], recipe: str) -> None:
        """Prepare for one run.

        Args:
            cache: Where it is kept.
            digests: The hash of every document and its metadata, by its path.
            recipe: Changes with all else that decides what a document gives.
        """
        self._cache, self._digests, self._recipe = cache, digests, recipe
        self._fresh: dict[bytes, str] = {}
        self.keys: set[bytes] = set()

    def composed(self, path: Path, compose: Callable[[], ComposedDocument]) -> ComposedDocument:
        """What a document gives, composed only where it is not known."""
        key = hashlib.sha256(self._recipe.encode() + self._digests[path]).digest()
        self.keys.add(key)
        if known := self._cache.documents([key]).get(key):
            return ComposedDocument.from_json(known)
        document = compose()
        self._fresh[key] = document.to_json()
        if len(self._fresh) >= _BATCH:
            self.keep()
        return document

    def keep(self) -> None:
        """Write down what was composed."""
        self._cache.keep_documents(self._fresh)
        self._fresh = {}
