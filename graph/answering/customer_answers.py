"""Answers from the customer Q&A: a question like the one asked, and the answer it got, quoted whole."""

import re
from collections.abc import Sequence

from graph.answering.asked import Asked
from graph.answering.candidate import Candidate, cited, paragraph, remark, span
from graph.answering.prose import hard_terms
from graph.answering.yes_no import verdict_of
from graph.draft import Block
from graph.language.sources import quoted
from graph.language.terms import terms
from graph.parts import Encoder
from ingestion.evidence import Evidence, Product

PAIR = re.compile(r"Question:\s*(?P<question>.*?)\s*\nAnswer:\s*(?P<answer>.+)", re.DOTALL)
NUMBERED = re.compile(r"(?:(?<=\s)|^)\d[.)]\s+", re.MULTILINE)
LEAST_STEPS = 2
ACCEPTED = 0.45
COMPARED = 6
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
    return Candidate(
        blocks=_blocks(
            item,
            pair,
            item.product_id or (product.id if product else None),
            verdict_of(asked, item.text, "qa", product, encoder),
        ),
        score=score,
        source_type="qa",
        evidence_ids=frozenset({item.evidence_id}),
    )


def _blocks(item: Evidence, pair: re.Match[str], about: str | None, verdict: str | None) -> tuple[Block, ...]:
    """The answer whole behind its yes or no, or its steps where it numbers them."""
    start, end = pair.span("answer")
    numbers = list(NUMBERED.finditer(item.text, start, end))
    if len(numbers) < LEAST_STEPS:
        whole = cited(quoted("qa", pair["answer"]), span(item, start, end), product_id=about)
        return (paragraph(*([remark(verdict)] if verdict else []), whole),)
    ends = [number.start() for number in numbers[1:]] + [end]
    steps = []
    for number, stop in zip(numbers, ends, strict=True):
        text = item.text[number.end() : stop].rstrip()
        where = span(item, number.end(), number.end() + len(text))
        steps.append(cited(quoted("help_article", text), where, product_id=about))
    lead = remark("In the customer Q&A, the steps given are:")
    return paragraph(lead), Block(kind="steps", sentences=steps)
