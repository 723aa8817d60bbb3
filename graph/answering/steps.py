"""Answers from procedures: the steps of one article or manual, complete and in order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from graph.answering.asked import Asked
from graph.answering.candidate import Candidate, cited, paragraph, remark, span
from graph.answering.prose import hard_terms
from graph.draft import Block
from graph.language.sources import quoted, source_kinds
from graph.language.terms import stem, terms, words
from graph.parts import Encoder
from graph.retrieval.relevance import searchable_text
from ingestion.evidence import Evidence, lines

PROCEDURAL = re.compile(
    r"(?i)\b(how (do|can|to|should|would|might|does one)|what (do|should|can|must) (i|we) do|steps?|instructions?"
    r"|guide|way to|help me|where (do|can) (i|we))\b"
)
ENQUIRING = re.compile(r"(?i)\A(?:\W*|.*,\s*)(what|which|when|who|whose|why)\b")
"""Opens a question for a fact rather than for a way to do something."""
STEP = re.compile(r"(\d{1,6})[.)]\s+")
BULLET = re.compile(r"[-•*]\s+")
ACCEPTED = 0.42
NEAR = 0.05
LEAST_STEPS = 2
HEADED = 0.12
"""Added to the procedure whose heading names what is to be done, in the same word or another."""
ACTIONS = tuple(
    frozenset(map(stem, group.split()))
    for group in (
        "use using redeem spend apply operate",
        "buy purchase order get",
        "send return ship post",
        "cancel stop end",
        "change edit update switch",
        "check see view track find look",
        "clean wash care maintain",
        "start begin activate set setup install",
        "remove delete close uninstall",
        "fix repair mend replace troubleshoot",
    )
)
"""Words for the same thing to do."""
ACTION = re.compile(
    r"(?i)\bhow (?:do|can|to|should|would|might|could|does)(?: (?:i|we|you|one))?(?: best)? (?:to )?(\w+)"
)
FAR = 8
"""Lines between two steps beyond which the second is another list's."""


@dataclass(frozen=True, slots=True)
class Procedure:
    """An ordered list in a document.

    Attributes:
        evidence: The chunk it begins in.
        steps: Its steps there, as `(start, end)` without their numbers.
        introduction: The line before it.
        rest: The steps that stand in the chunks after it, each with its chunk.
    """

    evidence: Evidence
    steps: tuple[tuple[int, int], ...]
    introduction: str
    rest: tuple[tuple[Evidence, int, int], ...] = ()


def procedures(evidence: Evidence) -> list[Procedure]:
    """The ordered lists of a document, from their step 1 on.

    A line without a number belongs to the step before it as long as the next number follows later.
    """
    spans = list(lines(evidence.text))
    found: list[Procedure] = []
    index = 0
    while index < len(spans):
        number = STEP.match(evidence.text, *spans[index])
        if number and int(number[1]) == 1:
            steps, after = _steps_from(evidence.text, spans, index, 1)
            if len(steps) >= LEAST_STEPS:
                introduction = evidence.text[slice(*spans[index - 1])] if index else ""
                found.append(Procedure(evidence, tuple(steps), introduction))
            index = after
        else:
            index += 1
    return found


def continued(procedure: Procedure, evidence: Sequence[Evidence]) -> Procedure:
    """A procedure with the steps that stand in other chunks of its section, where it was cut at the end of its own."""
    first = procedure.evidence
    if procedure.steps[-1][1] < len(first.text.rstrip()):
        return procedure
    rest: list[tuple[Evidence, int, int]] = []
    chunks = [item for item in evidence if (item.row_id, item.section) == (first.row_id, first.section)]
    for item in sorted(chunks, key=lambda item: _number(item.evidence_id)):
        if _number(item.evidence_id) <= _number(first.evidence_id):
            continue
        spans = list(lines(item.text))
        wanted = len(procedure.steps) + len(rest) + 1
        # A chunk may repeat the last steps of the one before it.
        at = next((line for line, span in enumerate(spans) if _step_number(item.text, span) == wanted), None)
        if at is None or any(_step_number(item.text, span) == 1 for span in spans[:at]):
            break
        rest += [(item, *step) for step in _steps_from(item.text, spans, at, wanted)[0]]
    return replace(procedure, rest=tuple(rest))


def _number(evidence_id: str) -> int:
    """The number of a chunk in its document."""
    return int(evidence_id.rpartition("#")[2]) if "#" in evidence_id else 0


def _step_number(text: str, span: tuple[int, int]) -> int | None:
    number = STEP.match(text, *span)
    return int(number[1]) if number else None


def _steps_from(
    text: str, spans: Sequence[tuple[int, int]], first: int, wanted: int
) -> tuple[list[tuple[int, int]], int]:
    """The steps of a list from the one that stands at a line on, and the line after its last."""
    steps: list[tuple[int, int]] = []
    at = first
    while True:
        number = STEP.match(text, *spans[at])
        assert number is not None
        following = _line_of(text, spans, at + 1, wanted + 1)
        last = following - 1 if following is not None else _bullets_end(text, spans, at)
        steps.append((number.end(), spans[last][1]))
        if following is None:
            return steps, last + 1
        at, wanted = following, wanted + 1


def _line_of(text: str, spans: Sequence[tuple[int, int]], start: int, wanted: int) -> int | None:
    """The line on which a step's number stands, before any other step 1 and not far away."""
    for index in range(start, min(start + FAR, len(spans))):
        number = STEP.match(text, *spans[index])
        if number:
            return index if int(number[1]) == wanted else None
    return None


def _bullets_end(text: str, spans: Sequence[tuple[int, int]], at: int) -> int:
    """The last bullet that belongs to the last step."""
    while at + 1 < len(spans) and BULLET.match(text, *spans[at + 1]):
        at += 1
    return at


def find_steps(
    asked: Asked, evidence: Sequence[tuple[Evidence, float]], encoder: Encoder, intents: Sequence[str]
) -> Candidate | None:
    """The procedure that answers a clause."""
    enquires = ENQUIRING.match(asked.text) or asked.quantity or asked.money
    if not PROCEDURAL.search(asked.text) and (enquires or "how_to" not in intents[:1]):
        return None
    scored = _scored(asked, evidence, encoder)
    if not scored:
        return None
    top, best_row = max(score for score, _ in scored), _best_row(scored)
    # Of near equals the one that stands first in its document: what is general comes before special cases.
    score, best = min(
        (pair for pair in scored if pair[0] >= top - NEAR),
        key=lambda pair: (pair[1].evidence.row_id != best_row, pair[1].evidence.evidence_id, pair[1].steps[0]),
    )
    # What stands under a closer heading without steps answers in prose.
    return _candidate(best, score) if score >= ACCEPTED and not _headed_closer(asked, best, evidence) else None


def _headed_closer(asked: Asked, best: Procedure, evidence: Sequence[tuple[Evidence, float]]) -> bool:
    """Whether another section of the same document, one without steps, is headed by more of what was asked for."""
    steps = " ".join(chunk.text[start:end] for chunk, start, end in _steps_of(best))
    matter = asked.specific - frozenset(terms(best.evidence.title))
    own = (_heading_terms(best.evidence) | frozenset(terms(steps))) & matter
    return any(
        item.row_id == best.evidence.row_id and own < _heading_terms(item) & matter and not procedures(item)
        for item, _ in evidence
    )


def _steps_of(procedure: Procedure) -> list[tuple[Evidence, int, int]]:
    """All steps, each with the chunk it stands in."""
    return [*((procedure.evidence, *step) for step in procedure.steps), *procedure.rest]


def _heading_terms(item: Evidence) -> frozenset[str]:
    return frozenset(terms((item.section or "").rsplit(" > ", 1)[-1]))


def _scored(
    asked: Asked, evidence: Sequence[tuple[Evidence, float]], encoder: Encoder
) -> list[tuple[float, Procedure]]:
    """Every procedure of the articles and manuals, with how well its name and its document fit."""
    rows = []
    for item, relevance in evidence:
        if item.source_type not in ("help_article", "manual"):
            continue
        if hard_terms(asked, item.source_type) - frozenset(terms(searchable_text(item))):
            continue
        held = frozenset(terms(searchable_text(item))) | source_kinds()[item.source_type].cues
        for procedure in (continued(found, [one for one, _ in evidence]) for found in procedures(item)):
            name = ". ".join(filter(None, [item.title, item.section, procedure.introduction]))
            named = asked.coverage(frozenset(terms(f"{name} {' '.join(item.keywords)}")))
            headed = HEADED if _heads(asked, procedure) else 0.0
            rows.append((0.3 * named + 0.15 * asked.coverage(held) + 0.2 * relevance + headed, name, procedure))
    if not rows:
        return []
    vectors = encoder.encode([asked.text, *(name for _, name, _ in rows)])
    meaning = vectors[1:] @ vectors[0]
    return [(fit + 0.35 * max(0.0, float(m)), procedure) for (fit, _, procedure), m in zip(rows, meaning, strict=True)]


def _heads(asked: Asked, procedure: Procedure) -> bool:
    """Whether a procedure stands under a heading that names what the question wants to do."""
    action = ACTION.search(asked.text)
    wanted = stem(action[1].lower()) if action else ""
    same = frozenset({wanted}).union(*(group for group in ACTIONS if wanted in group))
    heading = (procedure.evidence.section or "").rsplit(" > ", 1)[-1]
    return bool(wanted) and not same.isdisjoint(stem(word) for word in words(heading))


def _best_row(scored: Sequence[tuple[float, Procedure]]) -> str:
    return max(scored, key=lambda pair: pair[0])[1].evidence.row_id


def _candidate(procedure: Procedure, score: float) -> Candidate:
    item = procedure.evidence
    section = (item.section or "").split(" > ")[-1]
    heading = section if section and section != item.title and not section.isupper() else item.title
    steps = [
        cited(quoted("help_article", chunk.text[start:end]), span(chunk, start, end), product_id=chunk.product_id)
        for chunk, start, end in _steps_of(procedure)
    ]
    return Candidate(
        blocks=(paragraph(remark(f"{heading.rstrip('.:?')}:")), Block(kind="steps", sentences=steps)),
        score=min(1.0, score + 0.1),
        source_type=item.source_type,
        evidence_ids=frozenset({item.evidence_id, *(chunk.evidence_id for chunk, *_ in procedure.rest)}),
    )
