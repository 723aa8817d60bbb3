"""From the benchmark packs to the two files that ship: the weights and their model card."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np

from evals.training.catalog.figures import MatchingMetrics, measure
from evals.training.catalog.fitting import Decision, MatchingExample, cross_validate, decide, examples, fit
from evals.training.catalog.model_card import render_card
from evals.training.catalog.packs import PACKS, read_pack
from evals.training.release import Release
from graph.catalog.matching.matcher import MODEL_PATH, MatcherWeights

_THRESHOLDS = np.round(np.arange(0.05, 0.951, 0.01), 2).tolist()

Packs = Mapping[str, Sequence[MatchingExample]]


def train(bench: Path) -> Release[MatchingMetrics]:
    """Train on the train rows of the packs, and measure on the test rows too.

    Args:
        bench: The folder of the benchmark packs.

    Raises:
        MissingTrainingDataError: The packs cannot be used.
    """
    rows = {name: examples(read_pack(bench, name, "train")) for name in PACKS}
    held_back = cross_validate(rows)
    threshold = _threshold(held_back)
    weights = replace(fit(_all(rows)), threshold=threshold)
    decisions = {f"{name}, train, cross-validated": made for name, made in held_back.items()}
    decisions |= {f"{name}, train, learnt from the other pack": _from_others(rows, name) for name in PACKS}
    for name in PACKS:
        decisions[f"{name}, test"] = [decide(row, weights) for row in examples(read_pack(bench, name, "test"))]
    figures = {name: measure(made, threshold) for name, made in decisions.items()}
    card = render_card(weights, {name: len(own) for name, own in rows.items()}, figures)
    return Release(MODEL_PATH, weights.to_json().encode(), card, figures)


def _threshold(held_back: Mapping[str, Sequence[Decision]]) -> float:
    """The one threshold whose worst pack is best."""
    return float(max(_THRESHOLDS, key=lambda one: min(measure(made, one).accept_f1 for made in held_back.values())))


def _from_others(rows: Packs, name: str) -> list[Decision]:
    weights: MatcherWeights = fit(_all({other: own for other, own in rows.items() if other != name}))
    return [decide(row, weights) for row in rows[name]]


def _all(rows: Packs) -> list[MatchingExample]:
    return list(chain.from_iterable(rows.values()))
