"""From the benchmark packs to the two files that ship: the weights and their model card."""

from pathlib import Path

from graph.parts import Encoder
from graph.retrieval.reranking.figures import Figures, measure
from graph.retrieval.reranking.model_card import render_card
from graph.retrieval.reranking.packs import read_judged
from graph.retrieval.reranking.reranker import Reranker
from graph.retrieval.reranking.training import fit
from graph.retrieval.reranking.weights import MODEL_PATH
from graph.trained.release import Release

CROSS_VALIDATED = "train, cross-validated"
HELD_OUT = "test"


def train(encoder: Encoder, bench: Path) -> Release[Figures]:
    """Train on the train rows of the packs, and measure on the test rows too.

    Args:
        encoder: Embeds the texts.
        bench: The folder of the benchmark packs.

    Raises:
        MissingTrainingDataError: The packs cannot be used.
    """
    rows = read_judged(bench, "train")
    fitted = fit(rows, encoder)
    reranker = Reranker(encoder, fitted.weights)
    test = read_judged(bench, "test")
    figures = {
        CROSS_VALIDATED: measure(rows, fitted.held_back),
        HELD_OUT: measure(test, [reranker.scores(row.query, row.candidates) for row in test]),
    }
    candidates = sum(len(row.candidates) for row in rows)
    card = render_card(fitted.weights, len(rows), candidates, figures)
    return Release(MODEL_PATH, fitted.weights.to_bytes(), card, figures)
