"""Which evidence is found by search, and which by its product."""

from ingestion.evidence import Evidence

DOCUMENT_SOURCES = frozenset({"manual", "datasheet", "help_article"})


def is_searched(evidence: Evidence) -> bool:
    """Whether an evidence is found by search: all that is not about one product, and every document.

    A product's other evidence is a few dozen rows, read by its product and scored exactly.
    """
    return evidence.product_id is None or evidence.source_type in DOCUMENT_SOURCES
