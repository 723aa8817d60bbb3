"""What the reranker has learnt."""

from functools import cache
from pathlib import Path

from graph.retrieval.reranking.features import NAMES
from graph.trained.logistic import Logistic

MODEL_PATH = Path(__file__).with_name("model.json")


def load(path: Path = MODEL_PATH) -> Logistic:
    """Read the weights from a file.

    Raises:
        WeightsError: The file is missing or is not a reranker.
    """
    return Logistic.load(path, NAMES, "footnote train reranker")


@cache
def shipped() -> Logistic:
    """The weights that come with this package, read once."""
    return load()
