"""Answers from procedures: the steps of one article or manual, complete and in order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import mean

from graph.answering.candidate import Candidate, cited, paragraph, remark, span
from graph.answering.prose import BULLET, DOCUMENTS, LEAST, proper_names
from graph.draft import Block
from graph.language.sentences import quoted
from graph.language.terms import terms
from graph.parts import Models, Question, Statement
from graph.retrieval.search import searchable_text
from graph.understanding.parsed_question import Form, ParsedClause
from ingestion.evidence import Evidence, lines

NUMBER = re.compile(r"(\d{1,6})[.)]\s+")
NEAR = 0.1
"""So much farther a step may be than another statement where a way is asked for."""
TOLD_BY, AS_NEAR = 3, 0.05
"""A procedure is as near as the mean of so many of its steps, and as near as another within so little."""
LEAST_STEPS = 2
FAR = 8
"""Lines between two steps beyond which the second is another list's."""
Step = tuple[Evidence, int, int]
"""The chunk it stands in, and where there, without its number."""


@dataclass(frozen=True, slots=True)
class Procedure:
    """An ordered list in a document.

    Attributes:
        evidence: The chunk it begins in.
        steps: Its steps, some of them in the chunks after it.
        introduction: The line before it.
    """

    evidence: Evidence
    steps: tuple[Step, ...]
    introduction: str

    def holds(self, statement: Statement) -> bool:
        """Whether a statement stands in one of its steps, or is what introduces it."""
        chunk = statement.evidence.evidence_id
        introduces = chunk == self.evidence.evidence_id and statement.text in self.introduction
        return introduces or any(
            item.evidence_id == chunk and start < statement.end and statement.start < end
            for item, start, end in self.steps
        )


def procedures(evidence: Sequence[Evidence]) -> list[Procedure]:
    """The ordered lists of documents, from their step 1 on, whichever chunks of a section they go on in.

    A line without a number belongs to the step before it as long as the next number follows soon; to the last step
    belong its bullets.
    """
    found: list[Procedure] = []
    for item in sorted(evidence, key=_place):
        spans = list(lines(item.text))
        numbers = [(at, number) for at, line in enumerate(spans) if (number := NUMBER.match(item.text, *line))]
        for (at, number), following in zip(numbers, [*numbers[1:], None], strict=False):
            last = _bullets_end(item.text, spans, at)
            if following and int(following[1][1]) == int(number[1]) + 1 and following[0] - at <= FAR:
                last = following[0] - 1
            step = (item, number.end(), spans[last][1])
            if int(number[1]) == 1:
                found.append(Procedure(item, (step,), item.text[slice(*spans[at - 1])] if at else ""))
            elif found and int(number[1]) == len(found[-1].steps) + 1 and _goes_on(found[-1], item, number.start()):
                # A chunk may repeat the last steps of the one before it.
                found[-1] = replace(found[-1], steps=(*found[-1].steps, step))
    return [one for one in found if len(one.steps) >= LEAST_STEPS]


def _place(item: Evidence) -> tuple[str, str, int]:
    """Its document, its section and its number there."""
    number = item.evidence_id.rpartition("#")[2] if "#" in item.evidence_id else "0"
    return item.row_id, item.section or "", int(number)


def _goes_on(procedure: Procedure, item: Evidence, start: int) -> bool:
    """Whether nothing stands between the last step of a procedure and a place in its chunk or in one behind that."""
    chunk, _, end = procedure.steps[-1]
    if chunk.evidence_id == item.evidence_id:
        return not item.text[end:start].strip()
    return _place(chunk)[:2] == _place(item)[:2] and not chunk.text[end:].strip()


def _bullets_end(text: str, spans: Sequence[tuple[int, int]], at: int) -> int:
    """The last bullet that belongs to a step."""
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
    found = procedures(documents)
    if not found:
        return None
    wanted = proper_names(asked, question)
    read = [
        one
        for one in models.finder.nearest([asked.text], documents, question.before)
        if wanted <= frozenset(terms(searchable_text(one.evidence)))
    ]
    scores = [([one.score for one in read if way.holds(one)] or [0.0], way) for way in found]
    top = max(own[0] for own, _ in scores)
    slack = NEAR if Form.STEPS in asked.forms else 0.0
    if top < LEAST or top + slack < read[0].score:
        return None
    ranked = [(mean(own[:TOLD_BY]), way) for own, way in scores]
    nearest, first = max(ranked, key=lambda pair: pair[0])
    # Of near equals the one that stands first in its document: what is general comes before special cases.
    near = [way for its, way in ranked if its >= nearest - AS_NEAR and way.evidence.row_id == first.evidence.row_id]
    best = min(near, key=lambda way: _place(way.evidence)[2])
    return _candidate(best, top + slack)


def _candidate(procedure: Procedure, score: float) -> Candidate:
    item = procedure.evidence
    section = (item.section or "").split(" > ")[-1]
    heading = section if section and section != item.title and not section.isupper() else item.title
    steps = [
        cited(quoted("help_article", chunk.text[start:end]), span(chunk, start, end), product_id=chunk.product_id)
        for chunk, start, end in procedure.steps
    ]
    return Candidate(
        blocks=(paragraph(remark(f"{heading.rstrip('.:?')}:")), Block(kind="steps", sentences=steps)),
        score=score,
        source_type=item.source_type,
    )
