"""From the packs to the two files that ship: the weights and their model card."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graph.support.entailment import CrossEncoder
from graph.support.entailment.adapter import Adapter
from graph.support.entailment.adapting import adapt
from graph.support.entailment.pairs import pair
from graph.support.features import Reader
from graph.support.figures import Figures, measure
from graph.support.made_rows import shop_rows
from graph.support.meaning import TokenEncoder
from graph.support.model_card import render_card
from graph.support.packs import ATTRIBUTION, EXPERTS, INFERENCE, SNLI, Judged, read_answered, read_judged
from graph.support.training import LINES, PAGES, Examples, Growth, examples, fit, held_back, learn_rarity
from graph.support.weights import MODEL_PATH, THRESHOLD, SupportWeights
from graph.trained.folds import fold_of
from graph.trained.release import Release

SHOP = "shop sentences"
ONE_SNLI, ONE_MNLI = "support-nli, snli", "support-nli, mnli"
ONE_EXPERTS = EXPERTS.parent.name
LINE_SHARES: Mapping[str, float] = {ONE_SNLI: 2.0, ONE_MNLI: 2.0, SHOP: 2.0}
PAGE_SHARES: Mapping[str, float] = {ONE_EXPERTS: 1.0, ONE_MNLI: 0.3, SHOP: 0.2}
"""What trees for short and for long evidence are learnt from, and how much each counts; chosen on train rows."""
TREES_FOLD = 0
"""Pairs of sentences of this fold teach the trees; those of the others have taught the cross-encoder."""
_HELD = "train, cross-validated"
_ALONE = "train, trees learnt from {} alone"
_UNSEEN = "train, weights saw none of this pack"
Learn = Callable[[Sequence[Judged]], Adapter]


def learn_adapter(rows: Sequence[Judged]) -> Adapter:
    """Learn what the cross-encoder adds to the embedding model."""
    pairs = [pair(row.claim, row.evidence[0]) for row in rows]
    return adapt(pairs, [row.relation or 0 for row in rows])


def train(encoder: TokenEncoder, bench: Path, learn: Learn = learn_adapter) -> Release[Figures]:
    """Train on the train rows whose licence allows it, and measure on all packs.

    Args:
        encoder: Embeds the texts.
        bench: The folder of the packs.
        learn: Learns the cross-encoder from pairs of sentences.

    Raises:
        MissingTrainingDataError: The packs cannot be used.
    """
    inference, packs = _train_rows(bench)
    read_together = [row for row in inference if fold_of(row.source) != TREES_FOLD]
    adapter = learn(read_together)
    shipped = list(dict.fromkeys([*LINE_SHARES, *PAGE_SHARES]))
    rarity = learn_rarity(text for name in shipped for row in packs[name] for text in row.evidence)
    reader = Reader(encoder, CrossEncoder(adapter), rarity)
    known = {name: examples(rows, reader) for name, rows in packs.items()}
    lines, pages = (_lessons(known, shares) for shares in (LINE_SHARES, PAGE_SHARES))
    weights = SupportWeights(rarity, fit(lines, LINES), fit(pages, PAGES), adapter)
    figures = dict(_cross_validated(known)) | dict(_transfers(known, weights))
    figures |= dict(_tested(bench, reader, weights))
    counts = {"cross-encoder: support-nli": len(read_together)} | {name: len(packs[name]) for name in shipped}
    return Release(MODEL_PATH, weights.to_bytes(), render_card(weights, counts, figures), figures)


def _train_rows(bench: Path) -> tuple[list[Judged], dict[str, list[Judged]]]:
    """All pairs of sentences, and the rows that trees may learn from or are measured on."""
    inference = read_judged(bench, INFERENCE, "train")
    left = [row for row in inference if fold_of(row.source) == TREES_FOLD]
    return inference, {
        ONE_SNLI: [row for row in left if row.group == SNLI],
        ONE_MNLI: [row for row in left if row.group != SNLI],
        ONE_EXPERTS: read_judged(bench, EXPERTS, "train"),
        SHOP: shop_rows(read_answered(bench)),
        ATTRIBUTION.parent.name: read_judged(bench, ATTRIBUTION, "train"),
    }


def _lessons(known: Mapping[str, Examples], shares: Mapping[str, float]) -> list[tuple[Examples, float]]:
    return [(known[name], share) for name, share in shares.items()]


def _cross_validated(known: Mapping[str, Examples]) -> Iterator[tuple[str, Figures]]:
    """Each pack that is learnt from, by trees that saw no row of the same source."""
    for shares, growth, names in (
        (LINE_SHARES, LINES, LINE_SHARES.keys()),
        (PAGE_SHARES, PAGES, PAGE_SHARES.keys() - LINE_SHARES.keys()),
    ):
        for name, odds in zip(shares, held_back(_lessons(known, shares), growth), strict=True):
            if name in names:
                yield f"{name}, {_HELD}", measure(known[name].labels, _probabilities(odds), THRESHOLD)


def _transfers(known: Mapping[str, Examples], weights: SupportWeights) -> Iterator[tuple[str, Figures]]:
    """A pack that the weights did not see; and each pack by trees that were learnt from one other alone."""
    for name in known.keys() - LINE_SHARES.keys() - PAGE_SHARES.keys():
        one = known[name]
        yield f"{name}, {_UNSEEN}", measure(one.labels, weights.probabilities(one.seen, one.long), THRESHOLD)
    for teacher, taught in known.items():
        growth: Growth = PAGES if taught.long.mean() >= THRESHOLD else LINES
        trees = fit([(taught, 1.0)], growth)
        for name, one in known.items():
            if name != teacher:
                found = _probabilities(trees.predict(one.seen))
                yield f"{name}, {_ALONE.format(teacher)}", measure(one.labels, found, THRESHOLD)


def _tested(bench: Path, reader: Reader, weights: SupportWeights) -> Iterator[tuple[str, Figures]]:
    for pack in (ATTRIBUTION, EXPERTS, INFERENCE):
        test = examples(read_judged(bench, pack, "test"), reader)
        found = weights.probabilities(test.seen, test.long)
        yield f"{pack.parent.name}, test", measure(test.labels, found, THRESHOLD)


def _probabilities(log_odds: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(1 / (1 + np.exp(-log_odds)), dtype=np.float32)
