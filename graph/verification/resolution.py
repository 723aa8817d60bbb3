"""Resolution: every citation names an evidence of this turn and a stretch of its text."""

from collections.abc import Mapping

from graph.draft import Sentence, Span
from ingestion.evidence import Evidence


def resolves(sentence: Sentence, evidence: Mapping[str, Evidence]) -> bool:
    """Whether a sentence cites, and all that it cites is there."""
    return bool(sentence.spans) and all(_there(span, evidence) for span in sentence.spans)


def _there(span: Span, evidence: Mapping[str, Evidence]) -> bool:
    item = evidence.get(span.evidence_id)
    return item is not None and 0 <= span.start < span.end <= len(item.text)
