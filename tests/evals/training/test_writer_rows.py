"""What the small writer is taught over packs: what people wrote, as answers that the verifier lets stand."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from app.errors import InputError
from evals.training.writer_examples import WriterExample
from evals.training.writer_rows import DOC2DIAL, EPQA, HETPQA, INSCIT, row_examples

TEAPOT = {"id": "p1", "name": "Arden teapot"}
MADE_OF = {"id": "h1", "text": "The body is made of cast iron.", "source_type": "description"}
LID = {"id": "e1", "text": "The lid can go in the dishwasher.", "source_type": "manual"}


def answered(question: str, evidence: Mapping[str, str], answers: Sequence[str]) -> dict[str, Any]:
    """A row of a pack of answers."""
    row = {"id": question, "question": question, "product": TEAPOT, "evidence": [evidence], "split": "train"}
    return row | {"answerable": bool(answers), "gold_evidence": [evidence["id"]] * bool(answers), "answers": answers}


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> list[WriterExample]:
    """What packs of a row or two teach."""
    bench = tmp_path_factory.mktemp("bench")
    made = answered("What is it made of?", MADE_OF, ["the body is made of cast iron."])
    packs: dict[str, list[dict[str, Any]]] = {
        HETPQA: [made, made | {"split": "test", "question": "Is it iron?"}],
        EPQA: [
            answered("Can the lid go in the dishwasher?", LID, ["Yes. The lid can go in the dishwasher."]),
            answered("How much does it hold?", LID, []),
        ],
        INSCIT: [
            {
                "id": "i1",
                "query": "When did it open?",
                "history": [],
                "label": "clarify",
                "evidence": [{"id": "t1", "text": "The tea room opened in 1921.", "title": "Tea room"}],
                "split": "train",
            }
        ],
    }
    for name, rows in packs.items():
        (bench / name).mkdir()
        (bench / name / "data.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (bench / DOC2DIAL / "docs").mkdir(parents=True)
    text = '---\nid: "plates"\ntitle: "Plates"\n---\n\nSurrender\n\nSend the plates by post to the office.\n'
    (bench / DOC2DIAL / "docs" / "plates.md").write_text(text, encoding="utf-8")
    asked = {"query": "How do I surrender my plates?", "history": [], "gold": ["plates"], "split": "train"}
    row = asked | {"answer_spans": ["Send the plates by post to the office."]}
    (bench / DOC2DIAL / "queries.jsonl").write_text(json.dumps(row), encoding="utf-8")
    return list(row_examples(bench, 10, Random(0)))  # noqa: S311 - nothing secret


@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        ("made of", "outcome: clear\nThe body is made of cast iron [description:h1]."),
        ("Can the lid go", "outcome: clear\nYes. The lid can go in the dishwasher [manual:e1]."),
        ("hold", "outcome: no_answer"),
        ("surrender my plates", "outcome: clear\nSend the plates by post to the office [help_article:1]."),
    ],
)
def test_what_people_wrote_is_taught_with_its_sources(taught: list[WriterExample], asked: str, reply: str) -> None:
    (told,) = [one for one in taught if asked in one.prompt.shared and one.kind != "followups"]
    assert told.reply == reply


def test_rows_of_other_splits_are_not_read(taught: list[WriterExample]) -> None:
    assert not [one for one in taught if "iron?" in one.prompt.shared]


def test_a_pack_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=HETPQA):
        next(row_examples(tmp_path, 1, Random(0)))  # noqa: S311 - nothing secret
