"""From the benchmark packs to the two files that ship: the weights and their model card."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from graph.parts import Encoder
from graph.retrieval.reranking.figures import Figures, measure
from graph.retrieval.reranking.model_card import render_card
from graph.retrieval.reranking.packs import read_judged
from graph.retrieval.reranking.reranker import Reranker
from graph.retrieval.reranking.training import fit

FOLDER = Path(__file__).parent
CROSS_VALIDATED = "train, cross-validated"
HELD_OUT = "test"


@dataclass(frozen=True, slots=True)
class Release:
    """A trained reranker, ready to be written.

    Attributes:
        weights: The content of `model.json`.
        card: The content of `MODEL_CARD.md`.
        figures: What was measured, by the name of the rows.
    """

    weights: bytes
    card: str
    figures: Mapping[str, Figures]

    def write(self, folder: Path = FOLDER) -> None:
        """Write both files."""
        (folder / "model.json").write_bytes(self.weights)
        (folder / "MODEL_CARD.md").write_text(self.card, encoding="utf-8")


def train(encoder: Encoder, bench: Path) -> Release:
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
    return Release(fitted.weights.to_bytes(), render_card(fitted.weights, len(rows), candidates, figures), figures)
