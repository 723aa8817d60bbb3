"""Training of answerability: what it learns from, and that the card and the weights repeat."""

import json
from pathlib import Path

import numpy as np
import pytest

from graph.answerability.release import train
from graph.answerability.situations import judged_situations
from graph.retrieval.reranking.candidate import Candidate
from graph.retrieval.reranking.packs import QUESTIONS, RANKING, Judged
from graph.trained.packs import MissingTrainingDataError
from tests.graph.fakes import BagOfWords

PROPERTIES = "weight colour size price".split()
ANSWER, HELP, NOTHING = 2, 1, 0


def judged(relevances: list[int]) -> Judged:
    candidates = tuple(Candidate(f"text {place}") for place in range(len(relevances)))
    return Judged("how heavy is it?", "tent", candidates, np.array(relevances, dtype=np.int64))


def made(relevances: list[int], scores: list[float]) -> list[tuple[int, bool, bool]]:
    given = [np.array(scores, dtype=np.float32)]
    found = judged_situations([judged(relevances)], given, np.random.default_rng(0))
    return [(len(one.relevances), one.answers, one.whole) for one in found]


def test_a_question_is_learnt_as_it_is_and_with_its_answers_taken_out() -> None:
    found = made([ANSWER, NOTHING, NOTHING, HELP, NOTHING], [0.9, 0.1, 0.2, 0.3, 0.1])
    assert found[0] == (5, True, True)
    assert [answers for _, answers, whole in found if not whole].count(False) == 2
    assert all(size <= 3 for size, answers, whole in found if not whole and not answers)


def test_the_best_must_answer_not_just_any() -> None:
    assert made([ANSWER, NOTHING, NOTHING], [0.2, 0.8, 0.1])[0] == (3, False, True)


def test_a_question_that_nothing_answers_is_learnt_as_it_is() -> None:
    assert made([HELP, NOTHING, NOTHING, NOTHING], [0.2, 0.8, 0.1, 0.1]) == [(4, False, True)]


def bench_of(folder: Path) -> Path:
    rows = [
        {
            "id": f"{thing}-{asked}",
            "split": "test" if thing == "lamp" else "train",
            "query": f"what {asked} has it?",
            "product": {"id": thing},
            "candidates": [
                {"id": said, "text": f"{said} of the {thing}"} for said in "weight colour size price".split()
            ],
            "relevance": {asked: ANSWER} if asked in PROPERTIES else {},
        }
        for thing in "tent kettle lamp jacket phone bottle".split()
        for asked in "weight colour size smell".split()
    ]
    answered = [
        row | {"question": row["query"], "evidence": [{"id": "e", "text": f"{row['query']} yes"}]} for row in rows
    ]
    for path, written in ((RANKING, rows), (QUESTIONS, answered)):
        (folder / path).parent.mkdir(parents=True)
        (folder / path).write_text("".join(f"{json.dumps(row)}\n" for row in written), encoding="utf-8")
    return folder


def test_the_same_rows_give_the_same_files(tmp_path: Path) -> None:
    bench = bench_of(tmp_path)
    first, second = (train(BagOfWords(), bench) for _ in range(2))
    assert (first.weights, first.card) == (second.weights, second.card)


def test_the_card_tells_what_was_measured(tmp_path: Path) -> None:
    release = train(BagOfWords(), bench_of(tmp_path))
    assert all(f"{figures.auroc:.3f}" in release.card for figures in release.figures.values())


def test_missing_packs_are_named(tmp_path: Path) -> None:
    with pytest.raises(MissingTrainingDataError, match="ranking-epqa-dev"):
        train(BagOfWords(), tmp_path)
