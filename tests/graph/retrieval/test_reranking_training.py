"""Training of the reranker: it repeats itself, holds back what it is measured on, and its card tells the truth."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from graph.parts import Vectors
from graph.retrieval.reranking.candidate import Candidate
from graph.retrieval.reranking.features import NAMES
from graph.retrieval.reranking.figures import measure
from graph.retrieval.reranking.packs import (
    QUESTIONS,
    RANKING,
    Judged,
    read_answered,
    read_judged,
)
from graph.retrieval.reranking.release import CROSS_VALIDATED, HELD_OUT, train
from graph.retrieval.reranking.training import fit
from graph.retrieval.reranking.weights import MODEL_PATH, load
from graph.trained.logistic import WeightsError
from graph.trained.packs import MissingTrainingDataError

THINGS = "tent kettle lamp jacket phone bottle".split()
PROPERTIES = "weight colour size price material".split()


class WordEncoder:
    """A word is a random direction, the same wherever it stands."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        found = np.stack([self._read(text.lower().replace("?", "").split()) for text in texts])
        return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), dtype=np.float32)

    @staticmethod
    def _read(words: Sequence[str]) -> NDArray[np.float64]:
        directions = [np.random.default_rng(sum(map(ord, word))).normal(size=32) for word in words]
        return np.sum(directions, axis=0)


def judged() -> list[Judged]:
    """Questions about a property of a thing, each with that property and two others."""
    return [
        Judged(
            f"what {asked} has the {thing}?",
            thing,
            tuple(Candidate(f"{thing} {said} is {place}") for place, said in enumerate(PROPERTIES[:3])),
            np.array([2 if said == asked else 0 for said in PROPERTIES[:3]], dtype=np.int64),
        )
        for thing in THINGS
        for asked in PROPERTIES[:3]
    ]


def test_the_same_rows_give_the_same_bytes() -> None:
    first, second = (fit(judged(), WordEncoder()) for _ in range(2))
    assert first.weights.to_bytes() == second.weights.to_bytes()
    assert all(np.array_equal(a, b) for a, b in zip(first.held_back, second.held_back, strict=True))


def test_a_row_is_scored_by_weights_that_saw_no_row_of_its_product() -> None:
    rows = judged()
    before = fit(rows, WordEncoder()).held_back
    turned = [
        Judged(row.query, row.product, row.candidates, row.relevances[::-1].copy()) if row.product == "tent" else row
        for row in rows
    ]
    after = fit(turned, WordEncoder()).held_back
    own = [place for place, row in enumerate(rows) if row.product == "tent"]
    assert all(np.array_equal(before[place], after[place]) for place in own)
    assert any(not np.array_equal(one, two) for one, two in zip(before, after, strict=True))


def test_what_is_learnt_makes_answers_probable() -> None:
    rows = judged()
    fitted = fit(rows, WordEncoder())
    figures = measure(rows, fitted.held_back)
    assert figures.rows == len(rows)
    assert figures.precision > 1 / 2 > 1 / 3  # by chance one in three
    assert fitted.weights.coefficients[0] > 0


def test_of_equal_scores_the_worst_order_counts() -> None:
    candidates = tuple(Candidate(text) for text in "abc")
    row = Judged("q", "p", candidates, np.array([2, 0, 0], dtype=np.int64))
    nothing = Judged("q", "p", candidates, np.array([1, 0, 0], dtype=np.int64))
    equal = np.array([0.5, 0.5, 0.1], dtype=np.float32)
    figures = measure([row, nothing], [equal, equal])
    assert (figures.rows, figures.precision, figures.reciprocal_rank) == (1, 0.0, 0.5)


def write_packs(bench: Path) -> None:
    rows = judged()
    for number, pack in enumerate((RANKING, QUESTIONS)):
        (bench / pack).parent.mkdir()
        lines = [_ranking_row(row, place) if number == 0 else _question_row(place) for place, row in enumerate(rows)]
        (bench / pack).write_text("".join(json.dumps(line) + "\n" for line in lines))


def _ranking_row(row: Judged, place: int) -> dict[str, Any]:
    return {
        "query": row.query,
        "product": {"id": row.product},
        "candidates": [{"id": str(n), "text": one.text, "source_type": "spec"} for n, one in enumerate(row.candidates)],
        "relevance": {str(n): int(value) for n, value in enumerate(row.relevances) if value},
        "split": "test" if place % 3 == 0 else "train",
    }


def _question_row(place: int) -> dict[str, Any]:
    evidence = [{"id": "h", "text": f"answer {place}", "source_type": "review"}]
    split = "test" if place % 2 else "train"
    return {"question": f"question {place}?", "product": {"id": f"p{place}"}, "evidence": evidence, "split": split}


def test_a_release_is_trained_on_train_rows_and_measured_on_test_rows(tmp_path: Path) -> None:
    write_packs(tmp_path)
    release = train(WordEncoder(), tmp_path)
    assert {name: one.rows for name, one in release.figures.items()} == {CROSS_VALIDATED: 12, HELD_OUT: 6}
    release.write(tmp_path)
    seen = [(row.query, one) for row in read_judged(tmp_path, "train") for one in row.candidates]
    assert len(seen) == 36
    fitted = fit(read_judged(tmp_path, "train"), WordEncoder()).weights
    assert load(tmp_path / "model.json").to_bytes() == fitted.to_bytes()
    assert "12 questions, 36 judged candidates" in " ".join((tmp_path / "MODEL_CARD.md").read_text().split())


def test_packs_that_are_missing_or_broken_are_named(tmp_path: Path) -> None:
    with pytest.raises(MissingTrainingDataError, match=r"ranking-epqa-dev.*FOOTNOTE_BENCH"):
        read_judged(tmp_path, "train")
    write_packs(tmp_path)
    (tmp_path / QUESTIONS).write_text("{}\n")
    with pytest.raises(MissingTrainingDataError, match="answers-hetpqa"):
        read_answered(tmp_path)


def test_weights_that_cannot_be_read_say_how_to_make_them(tmp_path: Path) -> None:
    broken = tmp_path / "model.json"
    broken.write_bytes(b"no weights")
    for file in (broken, tmp_path / "missing.npz"):
        with pytest.raises(WeightsError, match="footnote train reranker"):
            load(file)


def test_the_shipped_card_is_that_of_the_shipped_weights() -> None:
    weights = load()
    card = " ".join(MODEL_PATH.with_name("MODEL_CARD.md").read_text(encoding="utf-8").split())
    for name, value in zip(NAMES, weights.coefficients, strict=True):
        assert f"| {name} | {value:+.3f} |" in card
