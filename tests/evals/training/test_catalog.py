"""Training of product matching: it repeats itself, holds back what it is measured on, and its card tells the truth."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from app.errors import InputError
from evals.training.matching import PACKS, Decision, examples, fit, measure, train
from evals.training.recipe import Release
from graph.catalog.matching import MODEL_PATH, MatcherWeights
from graph.trained import WeightsError

MAKERS = "orin velta moro sanbe".split()
LINES = "harbour quay tarn wren skarn loft gust bolster".split()
KINDS = "lamp kettle tent printer".split()


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two small packs: names with a word more, and every third of something that is not sold."""
    folder = tmp_path_factory.mktemp("bench")
    for number, name in enumerate(PACKS):
        source = random.Random(number)  # noqa: S311 - not for secrets
        products = [
            {"id": f"{name}-{i}", "name": f"{line} {kind} {i}00 watt", "brand": source.choice(MAKERS)}
            for i, (line, kind) in enumerate([(line, kind) for line in LINES for kind in KINDS], start=1)
        ]
        queries = [
            {"id": f"q{i}", "split": "test" if i % 4 == 0 else "train", **_asked(i, product)}
            for i, product in enumerate(products)
        ]
        (folder / name).mkdir()
        for file, rows in (("products.jsonl", products), ("queries.jsonl", queries)):
            (folder / name / file).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def _asked(number: int, product: dict[str, str]) -> dict[str, object]:
    line, kind, size, _ = product["name"].split()
    if number % 3 == 0:
        return {"query": f"zulo {kind} pereta {size}", "gold": []}
    return {"query": f"{product['brand']} {line} {kind} {size} w edition", "gold": [product["id"]]}


@pytest.fixture(scope="module")
def release(bench: Path) -> Release:
    return train(bench)


def test_the_same_packs_give_the_same_files(bench: Path, release: Release, tmp_path: Path) -> None:
    again = train(bench)
    assert (again.weights, again.card) == (release.weights, release.card)
    release.write(tmp_path)
    assert MatcherWeights.load(tmp_path / "model.json").to_bytes() == release.weights


def test_what_is_sold_is_learnt_to_be_told_from_what_is_not(release: Release) -> None:
    metrics = release.metrics[f"{PACKS[0]}, train, cross-validated"]
    assert metrics["hit@1"] > 0.9
    assert metrics["accept F1"] > 0.9


def test_the_card_names_packs_rows_and_figures(release: Release) -> None:
    assert all(f"`{name}` (24 look-ups)" in release.card for name in PACKS)
    assert "| rows | n | hit@1 | accept F1 | invented | ECE |\n|---|---|---|---|---|---|\n" in release.card
    for name, own in release.metrics.items():
        assert f"| {name} | {own['n']} | {own['hit@1']:.3f} | {own['accept F1']:.3f} |" in release.card


def test_test_rows_are_not_learnt_from(bench: Path) -> None:
    rows = examples(bench, PACKS[0], "train")
    assert len(rows) == 24
    assert {row.lookup.id for row in rows}.isdisjoint(f"q{i}" for i in range(0, 32, 4))
    assert isinstance(fit(rows), MatcherWeights)


def test_figures_are_those_of_the_evaluation() -> None:
    decisions = [
        Decision(0.9, right=True, sold=True),
        Decision(0.9, right=False, sold=True),
        Decision(0.1, right=True, sold=True),
        Decision(0.9, right=False, sold=False),
        Decision(0.1, right=False, sold=False),
    ]
    precision, recall = 1 / 3, 1 / 3
    expected = 2 * precision * recall / (precision + recall)
    ece = (3 * abs(0.9 - 1 / 3) + 2 * abs(0.1 - 1 / 2)) / 5
    assert list(measure(decisions, 0.5).values()) == pytest.approx([5, 2 / 3, expected, 2 / 5, ece])


def test_missing_packs_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="FOOTNOTE_BENCH"):
        train(tmp_path)


def test_weights_of_other_features_are_refused(tmp_path: Path) -> None:
    content = json.loads(MODEL_PATH.read_text(encoding="utf-8"))
    content["ranking"]["coefficients"].pop("coverage")
    (tmp_path / "model.json").write_text(json.dumps(content))
    with pytest.raises(WeightsError, match="footnote train catalog"):
        MatcherWeights.load(tmp_path / "model.json")


def test_what_ships_is_readable_and_told_by_its_card() -> None:
    weights = MatcherWeights.load()
    assert np.isfinite(weights.ranking.coefficients).all()
    assert f"from {weights.threshold} on" in " ".join(
        MODEL_PATH.with_name("MODEL_CARD.md").read_text(encoding="utf-8").split()
    )
