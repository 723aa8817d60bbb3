"""Answers from procedures: the steps of one article or manual, complete and in order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graph.answering.asked import Asked
from graph.answering.candidate import Candidate, cited, paragraph, remark, span
from graph.draft import Block
from graph.language.sources import quoted, source_kinds
from graph.language.terms import terms
from graph.parts import Encoder
from ingestion.evidence import Evidence, lines

PROCEDURAL = re.compile(
    r"(?i)\b(how (do|can|to|should|would|might|does one)|steps?|instructions?|guide|way to|help me|where (do|can)"
    r" (i|we))\b"
)
STEP = re.compile(r"(\d+)[.)]\s+")
BULLET = re.compile(r"[-•*]\s+")
ACCEPTED = 0.42
NEAR = 0.05
LEAST_STEPS = 2


@dataclass(frozen=True, slots=True)
class Procedure:
    """An ordered list in a document: its steps as `(start, end)` without their numbers, and what introduces it."""

    evidence: Evidence
    steps: tuple[tuple[int, int], ...]
    introduction: str


def procedures(evidence: Evidence) -> list[Procedure]:
    """The ordered lists of a document; a line that follows a step without a number of its own belongs to it."""
    found: list[Procedure] = []
    steps: list[tuple[int, int]] = []
    introduction, before = "", ""
    for start, end in [*lines(evidence.text), (len(evidence.text), len(evidence.text))]:
        line = evidence.text[start:end]
        number = STEP.match(line)
        if number and (int(number[1]) == 1 or not steps):
            found += _closed(evidence, steps, introduction)
            steps, introduction = [(start + number.end(), end)], before
        elif number:
            steps.append((start + number.end(), end))
        elif steps and BULLET.match(line):
            steps[-1] = (steps[-1][0], end)
        else:
            found += _closed(evidence, steps, introduction)
            steps, before = [], line
    return found


def find_steps(
    asked: Asked, evidence: Sequence[tuple[Evidence, float]], encoder: Encoder, intents: Sequence[str]
) -> Candidate | None:
    """The procedure that answers a clause."""
    if not PROCEDURAL.search(asked.text) and "how_to" not in intents[:1]:
        return None
    scored = []
    for item, relevance in evidence:
        if item.source_type not in ("help_article", "manual"):
            continue
        for procedure in procedures(item):
            name = ". ".join(filter(None, [item.title, item.section, procedure.introduction]))
            covered = (
                frozenset(terms(f"{name} {' '.join(item.keywords)} {item.text}"))
                | source_kinds()[item.source_type].cues
            )
            named = asked.coverage(frozenset(terms(f"{name} {' '.join(item.keywords)}")))
            score = (
                0.35 * _meaning(encoder, asked.text, name)
                + 0.3 * named
                + 0.15 * asked.coverage(covered)
                + 0.2 * relevance
            )
            scored.append((score, procedure))
    if not scored:
        return None
    top = max(score for score, _ in scored)
    # Of near equals the one that stands first in its document: what is general comes before special cases.
    score, best = min(
        (pair for pair in scored if pair[0] >= top - NEAR),
        key=lambda pair: (pair[1].evidence.row_id != _best_row(scored), pair[1].evidence.evidence_id, pair[1].steps[0]),
    )
    return _candidate(best, score) if score >= ACCEPTED else None


def _best_row(scored: Sequence[tuple[float, Procedure]]) -> str:
    return max(scored, key=lambda pair: pair[0])[1].evidence.row_id


def _meaning(encoder: Encoder, question: str, name: str) -> float:
    vectors = encoder.encode([question, name])
    return max(0.0, float(vectors[0] @ vectors[1]))


def _closed(evidence: Evidence, steps: list[tuple[int, int]], introduction: str) -> list[Procedure]:
    return [Procedure(evidence, tuple(steps), introduction)] if len(steps) >= LEAST_STEPS else []


def _candidate(procedure: Procedure, score: float) -> Candidate:
    item = procedure.evidence
    section = (item.section or "").split(" > ")[-1]
    heading = section if section and section != item.title else item.title
    steps = [
        cited(quoted("help_article", item.text[start:end]), span(item, start, end), product_id=item.product_id)
        for start, end in procedure.steps
    ]
    return Candidate(
        blocks=(paragraph(remark(f"{heading.rstrip('.:?')}:")), Block(kind="steps", sentences=steps)),
        score=min(1.0, score + 0.1),
        source_type=item.source_type,
        evidence_ids=frozenset({item.evidence_id}),
    )
