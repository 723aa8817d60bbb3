"""Scope: no citation about one product supports a sentence about another."""

from collections.abc import Mapping

from graph.draft import Sentence
from ingestion.evidence import Evidence


def in_scope(sentence: Sentence, evidence: Mapping[str, Evidence]) -> bool:
    """Whether all that a sentence cites is about its product or about no one product."""
    about = {evidence[span.evidence_id].product_id for span in sentence.spans} - {None}
    return sentence.product_id is None or about <= {sentence.product_id}
