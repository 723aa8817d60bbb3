"""What was learnt about questions that go on."""

from functools import cache
from pathlib import Path

from graph.retrieval.history.features import NAMES
from graph.trained.logistic import Logistic

MODEL_PATH = Path(__file__).with_name("model.json")


def load(path: Path = MODEL_PATH) -> Logistic:
    """Read the weights from a file.

    Raises:
        WeightsError: The file is missing or is not a continuity model.
    """
    return Logistic.load(path, NAMES, "footnote train continuity")


@cache
def shipped() -> Logistic:
    """The weights that come with this package, read once."""
    return load()
