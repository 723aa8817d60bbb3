"""Answers from the customer Q&A: a question like the one asked, and the answer it got, quoted whole."""

import re
from collections.abc import Sequence

from graph.answering.asked import Asked
from graph.answering.candidate import Candidate, cited, paragraph, span
from graph.answering.prose import hard_terms
from graph.language.sources import quoted
from graph.language.terms import terms
from graph.parts import Encoder
from ingestion.evidence import Evidence, Product

PAIR = re.compile(r"Question:\s*(?P<question>.*?)\s*\nAnswer:\s*(?P<answer>.+)", re.DOTALL)
ACCEPTED = 0.45
COMPARED = 8
"""Question and answer pairs compared by meaning; the others share fewer words."""


def find_customer_answer(
    asked: Asked, product: Product | None, evidence: Sequence[tuple[Evidence, float]], encoder: Encoder
) -> Candidate | None:
    """The answer to the most similar customer question."""
    pairs = [(item, relevance, pair) for item, relevance in evidence if (pair := PAIR.match(item.text))]
    pairs = [row for row in pairs if row[0].source_type == "qa"][:COMPARED]
    if not pairs:
        return None
    vectors = encoder.encode([asked.text, *(pair["question"] for _, _, pair in pairs)])
    scored = []
    for (item, relevance, pair), cosine in zip(pairs, vectors[1:] @ vectors[0], strict=True):
        held = frozenset(terms(item.text))
        uncovered = asked.uncovered(held)
        if hard_terms(asked, "qa") & uncovered or (asked.yes_no and uncovered):
            continue
        score = 0.45 * max(0.0, float(cosine)) + 0.35 * asked.coverage(held) + 0.2 * relevance
        scored.append((score, item, pair))
    if not scored or max(scored, key=lambda row: row[0])[0] < ACCEPTED:
        return None
    score, item, pair = max(scored, key=lambda row: row[0])
    start, end = pair.span("answer")
    about = item.product_id or (product.id if product else None)
    said = cited(quoted("qa", pair["answer"]), span(item, start, end), product_id=about)
    return Candidate(
        blocks=(paragraph(said),), score=score, source_type="qa", evidence_ids=frozenset({item.evidence_id})
    )
