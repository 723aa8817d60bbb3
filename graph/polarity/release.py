"""From the benchmark packs to the two files that ship: the weights and their model card."""

from pathlib import Path

import numpy as np

from graph.parts import Encoder
from graph.polarity.figures import Figures, measure
from graph.polarity.model_card import render_card
from graph.polarity.packs import MANY, ONE_EVIDENCE, read_judged
from graph.polarity.training import describe_all, fit
from graph.polarity.weights import LEAST, MODEL_PATH
from graph.trained.release import Release


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
    test = read_judged(bench, "test")
    parts = {"train, cross-validated": (rows, fitted.held_back)}
    parts["test"] = test, fitted.weights.probabilities(describe_all(test, encoder))
    figures = {}
    for split, (judged, found) in parts.items():
        for pack in (ONE_EVIDENCE.parent.name, MANY.parent.name):
            # What was read from an answer's words, not from its yes or no, only teaches.
            own = np.flatnonzero([row.pack == pack and row.spoken for row in judged]).tolist()
            figures[f"{pack}, {split}"] = measure([judged[place] for place in own], found[own], LEAST)
    return Release(MODEL_PATH, fitted.weights.to_bytes(), render_card(fitted.weights, rows, figures), figures)
