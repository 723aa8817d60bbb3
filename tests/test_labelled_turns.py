"""The recorded turns over the demo shop, each sentence and citation labelled by reading."""

import json
import re
from pathlib import Path

from evals.components.grounding import LabelledTurn
from evals.rows import read_rows

FILE = Path(__file__).parent / "labelled_turns.jsonl"
MARKER = re.compile(r"\[(\d+)\]")


def test_there_are_a_hundred_and_fifty_questions_and_most_turns_state_something() -> None:
    rows = read_rows(FILE, LabelledTurn)
    assert len({row.id for row in rows}) == len(rows) >= 150
    assert len({row.question.casefold() for row in rows}) >= 150
    assert sum(any(sentence.factual for sentence in row.sentences) for row in rows) > len(rows) / 2


def test_what_is_labelled_is_what_was_answered() -> None:
    for line in FILE.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        answer = MARKER.sub("", row["answer"])
        shown = " ".join(answer.replace("|", " ").split())
        for sentence in row["sentences"]:
            assert _tight(sentence["text"]) in _tight(shown), (row["id"], sentence["text"])
        markers = {int(marker) for marker in MARKER.findall(row["answer"])}
        assert markers == {one["marker"] for sentence in row["sentences"] for one in sentence["citations"]}, row["id"]


def test_a_sentence_found_wrong_says_why() -> None:
    for row in read_rows(FILE, LabelledTurn):
        for sentence in row.sentences:
            assert sentence.grounded is not False or sentence.note, (row.id, sentence.text)


def _tight(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())
