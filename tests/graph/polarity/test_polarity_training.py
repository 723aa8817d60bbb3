"""Training of polarity: it repeats itself, holds back what it is measured on, and its card tells the truth."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graph.polarity.figures import measure
from graph.polarity.packs import MANY, ONE_EVIDENCE, Judged, Label, read_judged
from graph.polarity.release import train
from graph.polarity.training import fit
from graph.polarity.weights import MODEL_PATH, load
from graph.trained.logistic import WeightsError
from graph.trained.packs import MissingTrainingDataError
from tests.graph.fakes import BagOfWords

THINGS = "tent kettle lamp jacket phone bottle".split()
SAID: dict[Label, str] = {"yes": "It is {}.", "no": "It is not {}.", "undecided": "I would not know."}


def judged() -> list[Judged]:
    """Questions about things, each with evidence that says yes, no or nothing."""
    return [
        Judged(f"is it {quality}?", thing, text.format(quality), "review", label, spoken=True, pack="made")
        for thing in THINGS
        for quality in ("loud", "red", thing)
        for label, text in SAID.items()
    ]


def test_the_same_rows_give_the_same_bytes() -> None:
    first, second = (fit(judged(), BagOfWords()).weights.to_bytes() for _ in range(2))
    assert first == second


def test_rows_are_judged_by_weights_that_saw_neither_their_product_nor_their_question() -> None:
    rows = judged()
    lied = [one if one.product != "tent" else _turned(one) for one in rows]
    own = [place for place, one in enumerate(rows) if one.product == "tent"]
    honest, misled = fit(rows, BagOfWords()), fit(lied, BagOfWords())
    np.testing.assert_array_equal(honest.held_back[own], misled.held_back[own])
    assert honest.weights != misled.weights


def _turned(one: Judged) -> Judged:
    other: dict[Label, Label] = {"yes": "no", "no": "yes", "undecided": "undecided"}
    return Judged(one.question, one.product, one.text, one.source_type, other[one.label], spoken=True, pack=one.pack)


def test_an_answer_that_begins_with_neither_is_read_from_its_words(tmp_path: Path) -> None:
    _write(
        tmp_path,
        one_row("is it loud?", "whisper quiet", "no, it is quiet."),
        one_row("does it require batteries?", "batteries_required: { value:false }", "batteries are not required."),
        one_row("is it red?", "a red one", "it is red."),
        one_row("is it big?", "12 inches", "it measures 12 inches."),
        one_row("is it wood or plastic?", "wooden", "yes, it is wood."),
    )
    found = [(one.label, one.spoken) for one in read_judged(tmp_path, "train")]
    assert found == 2 * [("no", True), ("no", False), ("yes", False)]


def test_evidence_that_only_helps_decides_nothing(tmp_path: Path) -> None:
    row = one_row("is it loud?", "it is loud", "yes, it is loud.")
    row["evidence"].append({"id": "p", "text": "mine came late", "source_type": "review"})
    row["partial_evidence"] = ["p"]
    _write(tmp_path, row)
    assert [one.label for one in read_judged(tmp_path, "train")] == 2 * ["yes", "undecided"]


def one_row(question: str, text: str, answer: str) -> dict[str, Any]:
    return {
        "question": question,
        "product": {"id": "p"},
        "evidence": [{"id": "e", "text": text, "source_type": "review"}],
        "gold_evidence": ["e"],
        "answers": [answer],
        "split": "train",
    }


def _write(bench: Path, *rows: dict[str, Any]) -> None:
    for pack in (ONE_EVIDENCE, MANY):
        (bench / pack).parent.mkdir(exist_ok=True)
        (bench / pack).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def test_figures_tell_what_is_said_and_how_often_it_is_wrong() -> None:
    labels: list[Label] = ["yes", "no", "undecided", "yes"]
    rows = [Judged("is it?", "p", "t", "qa", label, spoken=True, pack="made") for label in labels]
    found = np.array([[0.9, 0.0], [0.8, 0.1], [0.8, 0.0], [0.2, 0.1]], dtype=np.float32)
    figures = measure(rows, found, 0.75)
    assert figures.decided == 3
    assert figures.accuracy == pytest.approx(2 / 3)
    assert figures.said == pytest.approx(2 / 3)
    assert figures.yes_precision == pytest.approx(1 / 3)
    assert figures.wrong_way == pytest.approx(1 / 3)


def test_the_card_has_the_figures_and_the_weights(tmp_path: Path) -> None:
    rows = [
        one_row(f"is it {thing}?", text.format(thing), answer) | {"product": {"id": thing}}
        for thing in THINGS
        for text, answer in (("It is {}.", "yes."), ("It is not {}.", "no."))
    ]
    for row in rows:
        row["evidence"].append({"id": "p", "text": "mine came late", "source_type": "review"})
        row["partial_evidence"] = ["p"]
    _write(tmp_path, *rows, *(row | {"split": "test"} for row in rows))
    release = train(BagOfWords(), tmp_path)
    assert f"{release.figures['answers-hetpqa, test'].accuracy:.3f}" in release.card
    assert "| opens with yes |" in release.card
    assert "12 pieces of evidence say yes, 12 no, 24 decide nothing" in " ".join(release.card.split())


def test_missing_packs_and_weights_are_told(tmp_path: Path) -> None:
    with pytest.raises(MissingTrainingDataError, match="FOOTNOTE_BENCH"):
        read_judged(tmp_path, "train")
    with pytest.raises(WeightsError, match="footnote train polarity"):
        load(tmp_path / "model.json")
    (tmp_path / "model.json").write_text("{}", encoding="utf-8")
    with pytest.raises(WeightsError, match="footnote train polarity"):
        load(tmp_path / "model.json")


def test_the_shipped_weights_are_read_as_they_were_written() -> None:
    assert load().to_bytes() == MODEL_PATH.read_bytes()
