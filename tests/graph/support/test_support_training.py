"""Training of the support model: it repeats itself, holds back what it is measured on, and its card tells the truth."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from graph.parts import Vectors
from graph.support.entailment.adapter import PLACES, Adapter
from graph.support.entailment.pairs import FEATURES
from graph.support.features import DIRECTIONS, NAMES, Reader
from graph.support.packs import ANSWERS, ATTRIBUTION, EXPERTS, INFERENCE, Judged, read_judged
from graph.support.passages import Rarity
from graph.support.release import train
from graph.support.training import LINES, PAGES, Examples, examples, fit, held_back, learn_rarity
from graph.support.weights import MODEL_PATH, SupportWeights
from graph.trained.logistic import WeightsError
from graph.trained.packs import MissingTrainingDataError
from ingestion.encoder import DIMENSIONS

THINGS = "tent kettle lamp jacket phone bottle chair table pump hose".split()
COLOURS = "green red blue grey white".split()


class WordEncoder:
    """Each word is a random direction, the same wherever it stands."""

    def encode_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        return [np.stack([self._read(word) for word in ["<", *text.lower().split(), ">"]]) for text in texts]

    @staticmethod
    def _read(word: str) -> Vectors:
        return np.random.default_rng(sum(map(ord, word))).normal(size=16).astype(np.float32)


def judged(repeated: int = 3) -> list[Judged]:
    return [
        Judged(f"the {thing} is {said}", (f"our {thing} is {colour} number {part}",), said == colour, "snli", thing)
        for thing in THINGS
        for colour in COLOURS
        for said in COLOURS[:3]
        for part in range(repeated)
    ]


class SameWords:
    """A claim follows as far as its words stand in the evidence."""

    def log_odds(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        return np.array([self._shared(*pair) for pair in pairs], dtype=np.float32)

    @staticmethod
    def _shared(claim: str, evidence: str) -> float:
        said = claim.split()
        return sum(word in evidence.split() for word in said) / max(len(said), 1)


def seen(rows: Sequence[Judged]) -> Examples:
    rarity = learn_rarity(text for row in rows for text in row.evidence)
    return examples(rows, Reader(WordEncoder(), SameWords(), rarity))


def idle_adapter(_rows: Sequence[Judged] = ()) -> Adapter:
    """Adds nothing to the embedding model."""
    width, wide = DIMENSIONS, {"query_key_value": 3, "attended": 1, "widened": 4, "narrowed": 1}
    down = {(n, name): np.zeros((1, width * (4 if name == "narrowed" else 1)), np.float16) for n, name in PLACES}
    up = {(n, name): np.zeros((width * wide[name], 1), np.float16) for n, name in PLACES}
    return Adapter(down, up, np.zeros((3, width * FEATURES), np.float16), np.zeros(3, np.float32))


def weights_of(rows: Sequence[Judged], rarity: Rarity) -> SupportWeights:
    lessons = [(seen(rows), 1.0)]
    return SupportWeights(rarity, fit(lessons, LINES), fit(lessons, PAGES), idle_adapter())


def test_the_same_rows_give_the_same_bytes() -> None:
    rows = judged()
    rarity = learn_rarity(text for row in rows for text in row.evidence)
    first, second = (weights_of(rows, rarity).to_bytes() for _ in range(2))
    assert first == second


def test_what_is_learnt_tells_supported_claims_from_others() -> None:
    known = seen(judged())
    odds = held_back([(known, 1.0)])[0]
    assert odds[known.labels].min() > odds[~known.labels].max()


def test_a_row_is_scored_by_trees_that_saw_no_row_of_its_source() -> None:
    known = seen(judged())
    before = held_back([(known, 1.0)])[0]
    turned = [
        Judged(row.claim, row.evidence, not row.label, row.group, row.source) if row.source == "tent" else row
        for row in known.rows
    ]
    after = held_back([(Examples(turned, known.seen), 1.0)])[0]
    own = np.array([row.source == "tent" for row in known.rows])
    assert np.array_equal(before[own], after[own])
    assert not np.array_equal(before, after)


def test_each_figure_pushes_one_way_only() -> None:
    known = seen(judged())
    trees = fit([(known, 1.0)])
    for column, way in enumerate(DIRECTIONS):
        more = known.seen.copy()
        more[:, column] += 1
        assert (way * (trees.predict(more) - trees.predict(known.seen)) >= -1e-5).all(), NAMES[column]


def test_a_pack_counts_as_much_as_it_is_told_to_however_many_rows_it_has() -> None:
    few, many = seen(judged(1)), seen(judged(4))
    turned = Examples(
        [Judged(row.claim, row.evidence, not row.label, row.group, row.source) for row in many.rows], many.seen
    )
    odds = fit([(few, 3.0), (turned, 1.0)]).predict(few.seen)
    assert odds[few.labels].min() > odds[~few.labels].max()


def test_rarity_is_of_what_occurs_often_enough_to_count() -> None:
    rarity = learn_rarity([f"the tent number {place} {'stove' if place < 4 else ''}" for place in range(50)])
    assert rarity.of("tent") < rarity.of("stove") < 1
    assert rarity.of("unheard") == 1
    assert "17" not in rarity.known


def write_packs(bench: Path) -> None:
    for pack in (ATTRIBUTION, EXPERTS, INFERENCE):
        (bench / pack).parent.mkdir()
        lines = [
            {
                "claim": f"{row.claim} [1]",
                "evidence": list(row.evidence),
                "label": row.label,
                "group": "mnli" if place % 5 == 0 else "snli",
                "question": row.source,
                "split": "test" if place % 3 == 0 else "train",
            }
            for place, row in enumerate(judged())
        ]
        (bench / pack).write_text("".join(json.dumps(line) + "\n" for line in lines))
    (bench / ANSWERS).parent.mkdir()
    answers = [_answer(thing, weight) for thing in THINGS for weight in range(2, 12)]
    (bench / ANSWERS).write_text("".join(json.dumps(line) + "\n" for line in answers))


def _answer(thing: str, weight: int) -> dict[str, Any]:
    return {
        "question": f"how heavy is the {thing}",
        "product": {"id": f"{thing}{weight}"},
        "evidence": [{"id": "h", "text": f"the {thing} has {weight} pounds", "source_type": "spec"}],
        "answers": [f"the {thing} has {weight} pounds"],
        "split": "train",
    }


def test_a_release_is_learnt_from_train_rows_whose_licence_is_stated_and_measured_on_all_packs(tmp_path: Path) -> None:
    write_packs(tmp_path)
    release = train(WordEncoder(), tmp_path, idle_adapter)
    assert {name.partition(",")[0] for name in release.figures} == {
        "support-nli", "support-expertqa-val", "support-attributionbench-dev", "shop sentences"
    }  # fmt: skip
    assert [name for name in release.figures if name.endswith(", test")] == [
        f"{pack.parent.name}, test" for pack in (ATTRIBUTION, EXPERTS, INFERENCE)
    ]
    release.write(tmp_path)
    loaded = SupportWeights.load(tmp_path / MODEL_PATH.name)
    assert loaded.to_bytes() == release.weights
    card = " ".join((tmp_path / "MODEL_CARD.md").read_text(encoding="utf-8").split())
    assert "support-expertqa-val (300)" in card
    assert "support-attributionbench-dev (300)" not in card
    assert "SNLI, CC BY-SA 4.0" in card


def test_markers_in_claims_are_not_read(tmp_path: Path) -> None:
    write_packs(tmp_path)
    assert all("[1]" not in row.claim for row in read_judged(tmp_path, EXPERTS, "train"))


def test_packs_that_are_missing_are_named(tmp_path: Path) -> None:
    with pytest.raises(MissingTrainingDataError, match=r"support-nli.*FOOTNOTE_BENCH"):
        train(WordEncoder(), tmp_path, idle_adapter)


def test_weights_that_cannot_be_read_say_how_to_make_them(tmp_path: Path) -> None:
    broken = tmp_path / "model.npz"
    broken.write_bytes(b"no weights")
    for file in (broken, tmp_path / "missing.npz"):
        with pytest.raises(WeightsError, match="footnote train support"):
            SupportWeights.load(file)
