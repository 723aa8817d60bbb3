"""`eval intent`: what counts as right, as rejected and as sure, for a model that ships and for a fresh one."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from app.errors import InputError
from evals.components.intent import Classifier, evaluate, fitted, shipped
from evals.report import Evaluation
from evals.rows import Request
from evals.training.fresh_intents import OUT_OF_SCOPE, Classification
from graph.intents import INTENTS
from graph.parts import IntentModel, Vectors
from tests.evals.scored import values

Evaluate = Callable[..., Evaluation]


def write(file: Path, rows: Sequence[tuple[str, str]]) -> Path:
    file.write_text("".join(json.dumps({"text": text, "label": label}) + "\n" for text, label in rows))
    return file


@pytest.fixture
def run(tmp_path: Path) -> Evaluate:
    """Evaluates rows, given as label, what is predicted, the confidence in the first label and the entropy."""

    def run(*rows: tuple[str, str, float, float], train: Path | None = Path("train.jsonl")) -> Evaluation:
        def classify(text: str) -> Classification:
            _, said, share, entropy = rows[int(text)]
            return Classification(said, {"a": share, "b": 1 - share}, entropy)

        data = write(tmp_path / "data.jsonl", [(str(n), label) for n, (label, *_) in enumerate(rows)])
        classifier = Classifier(frozenset("ab"), OUT_OF_SCOPE, classify)
        return evaluate(Request(data, train=train), lambda _: classifier)

    return run


ROWS = (
    ("a", "a", 0.9, 0.1),
    ("a", "oos", 0.6, 0.8),
    ("b", "a", 0.7, 0.3),
    ("b", "b", 0.2, 0.2),
    ("oos", "oos", 0.5, 0.9),
    ("oos", "a", 0.8, 0.2),
)


def test_a_rejected_row_in_scope_counts_as_wrong(run: Evaluate) -> None:
    found = run(*ROWS)
    assert (values(found)["accuracy"], found.report.metrics["accuracy"].n) == (0.5, 4)


def test_out_of_scope_recall_is_over_its_rows_and_precision_over_what_was_rejected(run: Evaluate) -> None:
    found = run(*ROWS)
    assert (values(found)["oos_recall"], values(found)["oos_precision"]) == (0.5, 0.5)
    assert (found.report.metrics["oos_recall"].n, found.report.metrics["oos_precision"].n) == (2, 2)


def test_entropy_tells_rows_out_of_scope_from_the_others(run: Evaluate) -> None:
    # Of the eight pairs, 0.9 is above all four; 0.2 is above one and level with one.
    assert values(run(*ROWS))["entropy_auroc"] == pytest.approx((4 + 1.5) / 8, abs=1e-6)


def test_calibration_is_that_of_the_likeliest_label_in_scope_rejected_or_not(run: Evaluate) -> None:
    found = run(*ROWS)
    # Confidences 0.9 and 0.6 of "a" are right, 0.7 of "a" is wrong, 0.8 of "b" is right; each is alone in its bin.
    assert values(found)["ece"] == pytest.approx((0.1 + 0.4 + 0.7 + 0.2) / 4, abs=1e-6)
    assert found.report.metrics["ece"].n == 4


def test_every_class_has_precision_recall_and_f1_and_rejection_is_one(run: Evaluate) -> None:
    figures = values(run(*ROWS))
    assert {name for name in figures if name.startswith("class.")} == {
        f"class.{label}.{figure}" for label in ("a", "b", "oos") for figure in ("precision", "recall", "f1")
    }
    assert (figures["class.a.precision"], figures["class.b.recall"]) == (pytest.approx(1 / 3, abs=1e-6), 0.5)
    assert figures["macro_f1"] == pytest.approx((0.4 + 2 / 3 + 0.5) / 3, abs=1e-6)


def test_labels_without_training_rows_count_as_wrong_and_are_named(run: Evaluate) -> None:
    found = run(("a", "a", 0.9, 0.1), ("z", "a", 0.9, 0.1))
    assert values(found)["accuracy"] == 0.5
    [warning] = found.report.warnings
    assert "1 labels are on no training row; their rows count as wrong: z." in warning


def test_a_label_that_the_shipped_model_does_not_have_is_an_error(run: Evaluate) -> None:
    with pytest.raises(InputError, match=r"'z', which is no intent.*--train"):
        run(("z", "a", 0.9, 0.1), train=None)


def test_predictions_hold_the_distribution(run: Evaluate) -> None:
    assert run(("oos", "a", 0.75, 0.5)).predictions == [
        {
            "text": "0",
            "label": "oos",
            "predicted": "a",
            "entropy": 0.5,
            "distribution": {"a": 0.75, "b": 0.25},
        }
    ]


class OneHotEncoder:
    """A text is the word it begins with."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        vectors = np.full((len(texts), 4), 0.01, dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            row["red green blue".split().index(text.split()[0]) if text.split()[0] in "red green blue" else 3] = 1
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


def colours(count: int, start: int = 0) -> list[tuple[str, str]]:
    return [(f"{word} {n}{word}", word) for word in ("red", "green", "blue") for n in range(start, start + count)]


def test_a_fresh_model_knows_the_labels_it_is_given(tmp_path: Path) -> None:
    train = write(tmp_path / "train.jsonl", colours(12))
    data = write(tmp_path / "data.jsonl", colours(4, start=20))
    found = evaluate(Request(data, train=train), lambda _: fitted(train, None, OneHotEncoder()))
    assert values(found)["accuracy"] == 1
    assert (values(found)["oos_recall"], values(found)["entropy_auroc"]) == (None, None)


def test_a_fresh_model_is_calibrated_on_validation_rows(tmp_path: Path) -> None:
    train = write(tmp_path / "train.jsonl", [*colours(12), *[(f"grey {n}", "oos") for n in range(6)]])
    val = write(tmp_path / "val.jsonl", [*colours(8, start=20), *[(f"grey {n}", "oos") for n in range(10, 16)]])
    data = write(tmp_path / "data.jsonl", [*colours(4, start=40), *[(f"grey {n}", "oos") for n in range(20, 24)]])
    found = evaluate(Request(data, train=train, val=val), lambda _: fitted(train, val, OneHotEncoder()))
    assert (values(found)["oos_recall"], values(found)["entropy_auroc"]) == (1, 1)
    assert found.report.metrics["oos_recall"].n == 4


@pytest.mark.parametrize("rows", [[("red 1", "red"), ("red 2", "red")], [("red 1", "oos")], [("red 1", "red")]])
def test_rows_of_fewer_than_two_labels_fit_no_model(tmp_path: Path, rows: list[tuple[str, str]]) -> None:
    train = write(tmp_path / "train.jsonl", rows)
    with pytest.raises(InputError, match=r"train\.jsonl.*at least two labels"):
        fitted(train, None, OneHotEncoder())
    with pytest.raises(InputError, match=r"train\.jsonl.*at least two labels"):
        fitted(train, write(tmp_path / "val.jsonl", colours(2)), OneHotEncoder())


def test_validation_rows_need_training_rows(tmp_path: Path) -> None:
    data = write(tmp_path / "data.jsonl", [("when will it come", "delivery_sla")])
    with pytest.raises(InputError, match="--train"):
        evaluate(Request(data, val=data))


class Sure(IntentModel):
    """Is sure of one intent."""

    def __init__(self, sure: Mapping[str, str]) -> None:
        self._sure = sure

    def distributions(self, queries: Sequence[str]) -> list[dict[str, float]]:
        rest = 0.1 / (len(INTENTS) - 1)
        return [dict.fromkeys(INTENTS, rest) | {self._sure[query]: 0.9} for query in queries]


def test_for_the_shipped_model_out_of_scope_is_non_decision(tmp_path: Path) -> None:
    rows = [("w", "warranty"), ("n", "non_decision"), ("o", "oos"), ("x", "oos")]
    said = {"w": "warranty", "n": "non_decision", "o": "non_decision", "x": "variant"}
    found = evaluate(Request(write(tmp_path / "data.jsonl", rows)), lambda _: shipped(Sure(said)))
    figures = values(found)
    assert (figures["accuracy"], found.report.metrics["accuracy"].n) == (1, 2)
    assert figures["oos_recall"] == pytest.approx(2 / 3, abs=1e-6)
    assert (figures["oos_precision"], figures["class.non_decision.precision"]) == (1, 1)


def test_the_model_that_ships_is_scored_without_training(tmp_path: Path) -> None:
    rows = [("How long is the warranty?", "warranty"), ("Which colours does it come in?", "variant")]
    found = evaluate(Request(write(tmp_path / "data.jsonl", rows)))
    assert values(found)["accuracy"] == 1
    assert found.report.latency_ms.p50
