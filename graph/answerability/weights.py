"""What answerability has learnt."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from graph.answerability.features import NAMES, features
from graph.trained.logistic import Logistic

MODEL_PATH = Path(__file__).with_name("model.json")


def answerable(relevances: Sequence[float]) -> float:
    """The probability that the best of what was found answers the question.

    Args:
        relevances: The reranker's probabilities, best first; without any it is 0.
    """
    return float(shipped().probabilities(features(relevances)[None])[0]) if relevances else 0.0


def load(path: Path = MODEL_PATH) -> Logistic:
    """Read the weights from a file.

    Raises:
        WeightsError: The file is missing or is for other features.
    """
    return Logistic.load(path, NAMES, "footnote train answerability")


@cache
def shipped() -> Logistic:
    """The weights that come with this package, read once."""
    return load()
