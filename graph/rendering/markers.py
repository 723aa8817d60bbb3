"""Markers: one number per evidence and span, in order of first appearance."""

from collections.abc import Mapping

from graph.answering.matching import attribute_lines
from graph.draft import Span
from graph.turn import Citation
from ingestion.evidence import Evidence


class MarkerBook:
    """Numbers spans as they are shown and keeps the citation behind each number."""

    def __init__(self, evidence: Mapping[str, Evidence], generation: str) -> None:
        self._evidence = evidence
        self._generation = generation
        self._citations: dict[tuple[str, int, int], Citation] = {}

    @property
    def citations(self) -> list[Citation]:
        """The citations so far, by marker."""
        return list(self._citations.values())

    def source(self, span: Span) -> Evidence:
        """The evidence a span is cut from."""
        return self._evidence[span.evidence_id]

    def marker(self, span: Span) -> int:
        """The number of a span; a new one if it was not shown yet."""
        key = (span.evidence_id, span.start, span.end)
        known = self._citations.get(key)
        if known is None:
            known = self._citation(span, len(self._citations) + 1)
        elif known.derived is None and span.derived is not None:
            known = known.model_copy(update={"derived": span.derived})
        self._citations[key] = known
        return known.marker

    def _citation(self, span: Span, marker: int) -> Citation:
        item = self._evidence[span.evidence_id]
        return Citation(
            marker=marker,
            evidence_id=item.evidence_id,
            source_type=item.source_type,
            title=item.title,
            section=item.section or _attribute(item, span),
            page=item.page,
            url=item.url,
            updated_at=item.updated_at,
            product_id=item.product_id,
            quote=item.text[span.start : span.end],
            start=span.start,
            end=span.end,
            generation=self._generation,
            derived=span.derived,
        )


def _attribute(item: Evidence, span: Span) -> str | None:
    """The section of a specification is the attribute."""
    if item.source_type not in ("spec", "datasheet"):
        return None
    return next((name for name, _, start, _ in attribute_lines(item) if start == span.start), None)
