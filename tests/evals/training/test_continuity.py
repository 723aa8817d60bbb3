"""Training of continuity: it repeats itself, holds dialogues back, and its card tells the truth."""

import json
from pathlib import Path

import pytest

from app.errors import InputError
from evals.training.continuity import CROSS_VALIDATED, DIALOGUES, read_questions, train
from graph.retrieval.history import MODEL_PATH, NAMES, load
from graph.trained import WeightsError
from tests.graph.fakes import BagOfWords

SUBJECTS = "tents kettles lamps jackets phones bottles drills carpets".split()


def write_pack(bench: Path) -> None:
    (bench / DIALOGUES).parent.mkdir()
    rows = [
        {
            "id": f"{subject}-{number}",
            "context": [subject],
            "history": [
                {"role": "user", "content": f"tell me about {subject} number {number}"},
                {"role": "assistant", "content": f"{subject} number {number} are made of {subject} stuff"},
            ],
            "query": "how much are they",
            "gold": [f"how much are {subject} number {number} at present"],
            "split": "train",
        }
        for subject in SUBJECTS
        for number in range(4)
    ]
    others = [rows[0] | {"history": []}, rows[0] | {"split": "test"}]
    (bench / DIALOGUES).write_text("".join(json.dumps(row) + "\n" for row in [*rows, *others]))


def test_the_same_rows_give_the_same_bytes_and_tell_going_on_from_a_new_subject(tmp_path: Path) -> None:
    write_pack(tmp_path)
    first, second = (train(tmp_path, BagOfWords()) for _ in range(2))
    assert first.weights == second.weights
    assert first.metrics[CROSS_VALIDATED]["accuracy"] > 0.9
    first.write(tmp_path)
    assert load(tmp_path / MODEL_PATH.name).to_bytes() == first.weights
    assert "64 examples" in (tmp_path / "HISTORY_MODEL_CARD.md").read_text()


def test_first_questions_and_test_rows_are_not_learnt_from(tmp_path: Path) -> None:
    write_pack(tmp_path)
    assert len(read_questions(tmp_path)) == len(SUBJECTS) * 4


def test_a_pack_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"rewriting-canard.*FOOTNOTE_BENCH"):
        read_questions(tmp_path)


def test_weights_that_cannot_be_read_say_how_to_make_them(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{}")
    for name in ("broken.json", "missing.json"):
        with pytest.raises(WeightsError, match="footnote train continuity"):
            load(tmp_path / name)


def test_the_shipped_card_is_that_of_the_shipped_weights() -> None:
    weights, card = load(), MODEL_PATH.with_name("HISTORY_MODEL_CARD.md").read_text(encoding="utf-8")
    for name, value in zip(NAMES, weights.coefficients, strict=True):
        assert f"| {name} | {value:+.3f} |" in card
