"""From the packs to the two files that ship: the weights and their model card."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graph.support.figures import Figures, measure
from graph.support.made_rows import shop_rows
from graph.support.meaning import TokenEncoder
from graph.support.model_card import render_card
from graph.support.packs import ATTRIBUTION, EXPERTS, INFERENCE, SNLI, Judged, read_answered, read_judged
from graph.support.training import Examples, examples, fit, held_back, learn_rarity
from graph.support.weights import MODEL_PATH, THRESHOLD, SupportWeights
from graph.trained.release import Release

SHOP = "shop sentences"
ONE_SNLI = "support-nli, snli"
SHARES: Mapping[str, float] = {ONE_SNLI: 3.0, EXPERTS.parent.name: 0.7, SHOP: 2.0}
"""What is learnt from, and how much each counts as a whole; chosen on train rows."""
_TRAIN = "train, cross-validated"
_ALONE = "train, weights learnt from {} alone"
_UNSEEN = "train, weights saw none of this pack"


def train(encoder: TokenEncoder, bench: Path) -> Release[Figures]:
    """Train on the train rows whose licence allows it, and measure on all packs.

    Args:
        encoder: Embeds the texts.
        bench: The folder of the packs.

    Raises:
        MissingTrainingDataError: The packs cannot be used.
    """
    packs = _train_rows(bench)
    learnt = [row for name in SHARES for row in packs[name]]
    rarity = learn_rarity(text for row in learnt for text in row.evidence)
    known = {name: examples(rows, encoder, rarity) for name, rows in packs.items()}
    lessons = [(known[name], share) for name, share in SHARES.items()]
    odds = [_probabilities(one) for one in held_back(lessons)]
    weights = SupportWeights(rarity, fit(lessons))
    figures = {
        f"{name}, {_TRAIN}": measure(one.labels, found, THRESHOLD)
        for name, (one, _), found in zip(SHARES, lessons, odds, strict=True)
    }
    figures |= dict(_transfers(known, weights)) | dict(_tested(bench, encoder, weights))
    counts = {name: len(packs[name]) for name in SHARES}
    return Release(MODEL_PATH, weights.to_bytes(), render_card(weights, counts, figures), figures)


def _train_rows(bench: Path) -> dict[str, list[Judged]]:
    inference = read_judged(bench, INFERENCE, "train")
    return {
        ONE_SNLI: [row for row in inference if row.group == SNLI],
        EXPERTS.parent.name: read_judged(bench, EXPERTS, "train"),
        SHOP: shop_rows(read_answered(bench)),
        "support-nli, mnli": [row for row in inference if row.group != SNLI],
        ATTRIBUTION.parent.name: read_judged(bench, ATTRIBUTION, "train"),
    }


def _transfers(known: Mapping[str, Examples], weights: SupportWeights) -> Iterator[tuple[str, Figures]]:
    """Packs that the weights did not see; and each pack by weights that were learnt from one other alone."""
    for name in known.keys() - SHARES.keys():
        one = known[name]
        yield f"{name}, {_UNSEEN}", measure(one.labels, weights.probabilities(one.seen), THRESHOLD)
    for teacher, taught in known.items():
        trees = fit([(taught, 1.0)])
        for name, one in known.items():
            if name != teacher:
                found = _probabilities(trees.predict(one.seen))
                yield f"{name}, {_ALONE.format(teacher)}", measure(one.labels, found, THRESHOLD)


def _tested(bench: Path, encoder: TokenEncoder, weights: SupportWeights) -> Iterator[tuple[str, Figures]]:
    for pack in (ATTRIBUTION, EXPERTS, INFERENCE):
        test = examples(read_judged(bench, pack, "test"), encoder, weights.rarity)
        found = weights.probabilities(test.seen)
        yield f"{pack.parent.name}, test", measure(test.labels, found, THRESHOLD)


def _probabilities(log_odds: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(1 / (1 + np.exp(-log_odds)), dtype=np.float32)
