"""What a small model is taught over rows of packs: requests of turns over a row's own evidence, and what people wrote.

Answers are those of hetPQA and ePQA, one piece of evidence each; sentences that people marked in the documents of
doc2dial; and what InSCIt's annotators asked back or left unanswered.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from app.settings import Settings
from app.wiring import TurnParts
from evals.metrics.answers import Answerable
from evals.row_turns import RowEvidence, RowQuestion, evidence_of, load_turns
from evals.rows import Message, Row
from evals.training.recipe import pack_rows
from evals.training.writer_examples import (
    CLEAR,
    NOWHERE,
    Asked,
    Dictated,
    WriterExample,
    cited,
    dictating,
    first_shown,
    refusal,
)
from graph.draft import YesNo
from ingestion.evidence import evidence_id
from ingestion.readers.formats import split_front_matter
from ingestion.spans import sentence_spans

HETPQA, EPQA, INSCIT, DOC2DIAL = "answers-hetpqa", "answers-epqa-dev", "clarify-inscit", "retrieval-doc2dial"
_OPENING = re.compile(r"(?i)\A(yes|no)\b[,.;:]*\s*")
_REFUSED = {"clarify": "ambiguous", "no-answer": "no_answer"}


@dataclass(frozen=True, slots=True)
class AskedRow:
    """A question of a pack, and what may be written to it: the first reply whose sentences all stand is taught."""

    question: RowQuestion
    replies: Sequence[str]


class Labelled(Row):
    """A row of InSCIt: what most people would do."""

    query: str
    history: list[Message]
    evidence: list[RowEvidence]
    label: str


class Grounding(Row):
    """A row of doc2dial: the document that answers, and what of it people marked."""

    query: str
    history: list[Message]
    gold: list[str]
    answer_spans: list[str]


def row_examples(bench: Path, most: int, random: Random) -> Iterator[WriterExample]:
    """Requests over train rows, each beside what people wrote or did.

    Args:
        bench: The folder of the packs.
        most: Of the rows of each pack, how many are asked.
        random: Draws them.

    Raises:
        InputError: A pack is missing or malformed.
    """
    settings = Settings.load().model_copy(update={"llm": NOWHERE})
    model, asked = Dictated(()), Asked()
    writer = TurnParts(settings, model).writer(settings.llm, settings.graph)
    assert writer is not None
    dictate = dictating(model, writer)
    ask = load_turns(asked)
    for read in (_answers, _clarifications, _documents):
        rows = list(read(bench))
        for row in random.sample(rows, min(most, len(rows))):
            ask(row.question)
            if (taken := asked.take()) is not None:
                yield from first_shown(row.replies, taken, dictate)


def _answers(bench: Path) -> Iterator[AskedRow]:
    """Answers stand in the order of their evidence; where one does not, the verifier refuses it."""
    for name in (HETPQA, EPQA):
        for row in pack_rows(bench / name / "data.jsonl", Answerable, "train"):
            ids = {one.row_id: one.evidence_id for one in evidence_of(row.evidence, row.product)}
            if row.answerable:
                told = [_as_reply(text, ids[key]) for text, key in zip(row.answers, row.gold_evidence, strict=False)]
                yield AskedRow(row.asked, told)
            elif not row.partial:
                yield AskedRow(row.asked, [refusal("no_answer")])


def _as_reply(text: str, key: str) -> str:
    """What somebody wrote from one piece of evidence; a yes or no stands alone."""
    opening = _OPENING.match(text)
    rest = text[opening.end() :] if opening else text
    verdict = f"{YesNo.of(opening[1].casefold() == 'yes')} " if opening else ""
    said = [rest[start:end].strip() for start, end in sentence_spans(rest)]
    return f"{CLEAR}\n{verdict}{' '.join(cited(one[0].upper() + one[1:], [key]) for one in said if one)}"


def _clarifications(bench: Path) -> Iterator[AskedRow]:
    for row in pack_rows(bench / INSCIT / "data.jsonl", Labelled, "train"):
        if row.label in _REFUSED:
            question = RowQuestion(row.query, row.evidence, history=row.history)
            yield AskedRow(question, [refusal(_REFUSED[row.label])])


def _documents(bench: Path) -> Iterator[AskedRow]:
    for row in pack_rows(bench / DOC2DIAL / "queries.jsonl", Grounding, "train"):
        written = (bench / DOC2DIAL / "docs" / f"{row.gold[0]}.md").read_text(encoding="utf-8")
        front, body = split_front_matter(written)
        texts = [text.strip() for text in body.split("\n\n") if text.strip()]
        evidence = [RowEvidence(id=f"{number}", text=text, title=front["title"]) for number, text in enumerate(texts)]
        marked = list(filter(None, (_marked(one, row.answer_spans) for one in evidence)))
        if marked:
            yield AskedRow(RowQuestion(row.query, evidence, history=row.history), marked[:1])


def _marked(piece: RowEvidence, spans: Sequence[str]) -> str | None:
    """The sentences of a piece of evidence that people marked."""
    said = [piece.text[start:end].strip() for start, end in sentence_spans(piece.text)]
    held = [one for one in said if any(one in span or span in one for span in spans)]
    told = " ".join(cited(one, [evidence_id(piece.source_type, piece.id)]) for one in held[:2])
    return f"{CLEAR}\n{told}" if told else None
