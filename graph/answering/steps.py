"""Answers from procedures: the steps of one article or manual, complete and in order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import mean

from graph.answering.candidate import Candidate, cited, paragraph, remark, span
from graph.answering.prose import BULLET, DOCUMENTS, LEAST, hard_terms
from graph.draft import Block
from graph.language.sentences import quoted
from graph.language.terms import terms
from graph.parts import Models, Question, Statement
from graph.retrieval.search import searchable_text
from graph.understanding.parsed_question import Form, ParsedClause
from ingestion.evidence import Evidence, lines

STEP = re.compile(r"(\d{1,6})[.)]\s+")
NEAR = 0.1
"""So much farther a step may be than another statement where a way is asked for."""
TOLD_BY, AS_NEAR = 3, 0.05
"""A procedure is as near as the mean of so many of its steps, and as near as another within so little."""
LEAST_STEPS = 2
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
    asked: ParsedClause, evidence: Sequence[Evidence], models: Models, question: Question
) -> Candidate | None:
    """The procedure that answers a clause: one of its steps comes nearest, or nearly so where a way is asked for.

    Args:
        asked: The clause.
        evidence: What is read.
        models: The finder tells how near a step comes to answering.
        question: The question that the clause is a part of.
    """
    documents = [item for item in evidence if item.source_type in DOCUMENTS]
    found = [continued(one, documents) for item in documents for one in procedures(item)]
    if not found:
        return None
    read = models.finder.nearest([asked.text], documents, question.before)
    wanted = hard_terms(asked)
    fit = {item.evidence_id for item in documents if wanted <= frozenset(terms(searchable_text(item)))}
    read = [one for one in read if one.evidence.evidence_id in fit]
    scores = [([one.score for one in read if _is_of(one, way)] or [0.0], way) for way in found]
    top = max(own[0] for own, _ in scores)
    slack = NEAR if Form.STEPS in asked.forms else 0.0
    if top < LEAST or top + slack < read[0].score:
        return None
    ranked = [(mean(own[:TOLD_BY]), way) for own, way in scores]
    nearest, first = max(ranked, key=lambda pair: pair[0])
    # Of near equals the one that stands first in its document: what is general comes before special cases.
    _, best = min(
        (pair for pair in ranked if pair[0] >= nearest - AS_NEAR),
        key=lambda pair: (pair[1].evidence.row_id != first.evidence.row_id, pair[1].evidence.evidence_id),
    )
    return _candidate(best, top + slack)


def _is_of(one: Statement, procedure: Procedure) -> bool:
    """Whether a statement stands in a step of a procedure, or is what introduces it."""
    chunk = one.evidence.evidence_id
    if chunk == procedure.evidence.evidence_id and procedure.introduction and one.text in procedure.introduction:
        return True
    return any(
        item.evidence_id == chunk and start < one.end and one.start < end for item, start, end in _steps_of(procedure)
    )


def _steps_of(procedure: Procedure) -> list[tuple[Evidence, int, int]]:
    """All steps, each with the chunk it stands in."""
    return [*((procedure.evidence, *step) for step in procedure.steps), *procedure.rest]


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
        score=score,
        source_type=item.source_type,
        evidence_ids=frozenset({item.evidence_id, *(chunk.evidence_id for chunk, *_ in procedure.rest)}),
    )
