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

QUESTION, ANSWER = "Question:", "\nAnswer:"
NUMBERED = re.compile(r"(?:(?<=\s)|^)\d[.)]\s+", re.MULTILINE)
LEAST_STEPS = 2
ACCEPTED = 0.45
COMPARED = 6
"""Question and answer pairs compared by meaning; the others share fewer words."""


def find_customer_answer(
    asked: Asked, product: Product | None, evidence: Sequence[tuple[Evidence, float]], encoder: Encoder
) -> Candidate | None:
    """The answer to the most similar customer question."""
    asked_and_told = [pair for pair in evidence if pair[0].source_type == "qa"]
    pairs = [(item, relevance, pair) for item, relevance in asked_and_told if (pair := _pair(item.text))][:COMPARED]
    if not pairs:
        return None
    vectors = encoder.encode([asked.text, *(question for _, _, (question, _) in pairs)])
    scored = []
    for (item, relevance, (_, start)), cosine in zip(pairs, vectors[1:] @ vectors[0], strict=True):
        held = frozenset(terms(item.text))
        uncovered = asked.uncovered(held)
        if hard_terms(asked, "qa") & uncovered or (asked.yes_no and uncovered):
            continue
        score = 0.45 * max(0.0, float(cosine)) + 0.35 * asked.coverage(held) + 0.2 * relevance
        scored.append((score, item, start))
    if not scored or max(scored, key=lambda row: row[0])[0] < ACCEPTED:
        return None
    score, item, start = max(scored, key=lambda row: row[0])
    return Candidate(
        blocks=_blocks(
            item,
            start,
            item.product_id or (product.id if product else None),
            verdict_of(asked, item.text, "qa", product, encoder),
        ),
        score=score,
        source_type="qa",
        evidence_ids=frozenset({item.evidence_id}),
    )


def _pair(text: str) -> tuple[str, int] | None:
    """The question of a pair and where its answer begins; None for a text that is no pair."""
    head, _, answer = text.partition(ANSWER)
    if not head.startswith(QUESTION) or not answer.strip():
        return None
    return head.removeprefix(QUESTION).strip(), len(text) - len(answer.lstrip())


def _blocks(item: Evidence, start: int, about: str | None, verdict: str | None) -> tuple[Block, ...]:
    """The answer whole behind its yes or no, or its steps where it numbers them."""
    end = len(item.text)
    numbers = list(NUMBERED.finditer(item.text, start, end))
    if len(numbers) < LEAST_STEPS:
        whole = cited(quoted("qa", item.text[start:]), span(item, start, end), product_id=about)
        return (paragraph(*([remark(verdict)] if verdict else []), whole),)
    ends = [number.start() for number in numbers[1:]] + [end]
    steps = []
    for number, stop in zip(numbers, ends, strict=True):
        text = item.text[number.end() : stop].rstrip()
        where = span(item, number.end(), number.end() + len(text))
        steps.append(cited(quoted("help_article", text), where, product_id=about))
    lead = remark("In the customer Q&A, the steps given are:")
    return paragraph(lead), Block(kind="steps", sentences=steps)
