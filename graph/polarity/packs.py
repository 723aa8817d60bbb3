"""The public data polarity is learnt from: named here, not copied into this project."""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from graph.answering.asked import analyse
from graph.language.terms import terms
from graph.polarity.features import matter_of
from graph.polarity.question import can_be_settled
from graph.polarity.words import found_in, joined
from graph.support.wording import read
from graph.trained.packs import read_rows

ONE_EVIDENCE = Path("answers-hetpqa/data.jsonl")
MANY = Path("answers-epqa-dev/data.jsonl")
LICENCE = "CDLA-Sharing-1.0"
Label = Literal["yes", "no", "undecided"]

_POLAR = re.compile(r"(?i)\A\W*(?:(yes|yeah|yep)|(no|nope))\b")
_ONE_IN = 5
"""Of the evidence that does not bear on a question, one piece in so many is learnt from: there is far more of it."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A yes/no question beside a piece of evidence, and what people read from it.

    Attributes:
        question: The question.
        product: Id of the product it is about.
        text: The evidence.
        source_type: Its kind.
        label: What the answer written from it says; undecided where it was judged not to answer.
        spoken: Whether that answer begins with its yes or no; else it was read from the answer's words.
        pack: What it is from.
    """

    question: str
    product: str
    text: str
    source_type: str
    label: Label
    spoken: bool
    pack: str


def read_judged(bench: Path, split: str) -> list[Judged]:
    """The judged pairs of a split of both packs.

    Raises:
        MissingTrainingDataError: They are missing or malformed.
    """
    found = (rows for pack in (ONE_EVIDENCE, MANY) for rows in read_rows(bench / pack, partial(_judged, pack), split))
    return list(chain.from_iterable(found))


def _judged(pack: Path, row: dict[str, Any]) -> list[Judged]:
    return list(_judgements(pack, row))


def _judgements(pack: Path, row: dict[str, Any]) -> Iterator[Judged]:
    question, product = row["question"], row["product"]["id"]
    answers = dict(zip(row["gold_evidence"], row["answers"], strict=False))
    polar = analyse(question, ()).yes_no or any(map(_begins, answers.values()))
    if not polar or not can_be_settled(question):
        return
    helps = set(row.get("partial_evidence", ()))
    for one in row["evidence"]:
        label, spoken = _label(question, answers.get(one["id"])), _begins(answers.get(one["id"], "")) is not None
        if one["id"] not in answers:
            label, spoken = "undecided", True
            if one["id"] not in helps and zlib.crc32((question + one["text"]).encode()) % _ONE_IN:
                continue
        if label is not None:
            yield Judged(question, product, one["text"], one["source_type"], label, spoken, pack.parent.name)


def _label(question: str, answer: str | None) -> Label | None:
    """What an answer says: its first word, else a denial of the question's words, or all of these without one."""
    if answer is None:
        return None
    if (begins := _begins(answer)) is not None:
        return begins
    said = read(answer)
    asked = frozenset(terms(question))
    if said.negates:
        return "no" if found_in(asked, said.negated, "") else None
    matter = matter_of(question)
    return "yes" if found_in(matter, frozenset(terms(answer)), joined(answer)) == matter else None


def _begins(answer: str) -> Label | None:
    begins = _POLAR.match(answer)
    return None if begins is None else "yes" if begins[1] else "no"
