"""What browsing finds: a draft that shows products, with all that it rests on."""

from dataclasses import dataclass

from graph.draft import Draft
from ingestion.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Browsed:
    """A draft that shows products.

    Attributes:
        draft: The draft.
        evidence: What it cites or counts, by id.
    """

    draft: Draft
    evidence: dict[str, Evidence]
