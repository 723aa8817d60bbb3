"""What the recipes of trained parts share: rows, folds, fits and the files that come of them.

Every other module of this package belongs to the recipe of one part: the rows it learns from, what is seen of them (its
features), the fit, and the model card that tells of all three. Its `train` gives a `Release`, which `footnote train`
writes.
"""

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from app.errors import InputError
from evals.report import markdown_table
from evals.rows import Row, read_rows
from graph.trained import Logistic

CARD_NAME = "MODEL_CARD.md"
CARDS = Path(__file__).with_name("cards")

T = TypeVar("T")
RowT = TypeVar("RowT", bound=Row)
Floats = NDArray[np.float64]
Bounds = tuple[float | None, float | None]
"""Least and most of a weight; None where there is no such bound."""
Metrics = Mapping[str, float]
"""Figures over rows by name, `n` being how many rows; in the order in which they are told."""


def pack_rows(file: Path, kind: type[RowT], split: str | None = None) -> list[RowT]:
    """Read the rows of a pack, which is named by a recipe and not copied into this project.

    Args:
        file: One JSON object a line.
        kind: The columns that are learnt from.
        split: Rows of this split alone; all where it is None.

    Raises:
        InputError: There is no such file, or its rows cannot be used.
    """
    if not file.is_file():
        message = f"{file} does not exist. Name the folder of the benchmark packs: --bench DIR or FOOTNOTE_BENCH."
        raise InputError(message)
    return read_rows(file, kind, split)


FOLDS = 5


def fold_of(key: str) -> int:
    """The fold of all examples that share a key, such as a product's id; a new example moves no other."""
    return zlib.crc32(key.encode()) % FOLDS


def inner_fold_of(key: str) -> int:
    """A second fold, which has nothing to do with the first: for a cross-validation within one."""
    return zlib.crc32(key.encode()) // FOLDS % FOLDS


def splits(
    groups: Sequence[str], fold: Callable[[str], int] = fold_of
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Cross-validation by content, so that a new example moves no other.

    Args:
        groups: What each example is about; those of one group are held back together.
        fold: The fold of a group.

    Yields:
        Positions of the examples of a fold, which are held back, and of all others.
    """
    folds = np.array([fold(group) for group in groups], dtype=np.int64)
    for number in np.unique(folds):
        yield np.flatnonzero(folds == number), np.flatnonzero(folds != number)


def at(examples: Sequence[T], places: NDArray[np.intp]) -> list[T]:
    """The examples at some places."""
    return [examples[place] for place in places.tolist()]


def one_thread() -> AbstractContextManager[Any]:
    """Work on one thread, as several add in another order each time: the same rows shall give the same bytes."""
    from threadpoolctl import threadpool_limits  # noqa: PLC0415 - needed in training alone

    limited: AbstractContextManager[Any] = threadpool_limits(limits=1)
    return limited


def standardised(rows: Floats) -> tuple[Floats, Floats, Floats]:
    """Rows as spreads from the mean, the mean, and the spread of each feature; what never differs teaches nothing."""
    centre, spread = rows.mean(axis=0), rows.std(axis=0)
    spread[spread == 0] = 1.0
    return (rows - centre) / spread, centre, spread


def conditional_logit(
    choices: Sequence[Floats], right: Sequence[NDArray[np.bool_]], ridge: float, bounds: Sequence[Bounds] | None = None
) -> Floats:
    """Learn what makes a candidate the right one among all of its choice (McFadden, 1974).

    The probability of a candidate is its softmax share; of several right ones any will do.

    Args:
        choices: Of each choice its candidates, shape `(candidates, features)`.
        right: Which of them are right, at least one of each choice.
        ridge: Weight of the sum of the weights' squares, beside the negative log likelihood.
        bounds: Of each weight.

    Returns:
        A weight for each feature.
    """
    from scipy.optimize import minimize  # noqa: PLC0415 - heavy

    features, chosen = np.concatenate(list(choices)), np.concatenate(list(right))
    sizes = [len(one) for one in choices]
    starts = np.cumsum([0, *sizes[:-1]])
    choice = np.repeat(np.arange(len(sizes)), sizes)

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = features @ weights
        shares = np.exp(scores - np.maximum.reduceat(scores, starts)[choice])
        total, good = np.add.reduceat(shares, starts), np.add.reduceat(shares * chosen, starts)
        value = float((np.log(total) - np.log(good)).sum() + ridge * (weights**2).sum())
        pull = shares / total[choice] - shares * chosen / good[choice]
        return value, features.T @ pull + 2 * ridge * weights

    with one_thread():
        found = minimize(loss, np.zeros(features.shape[1]), jac=True, method="L-BFGS-B", bounds=bounds)
    return np.asarray(found.x, dtype=np.float64)


def logistic(names: tuple[str, ...], coefficients: Floats, intercept: float, digits: int = 6) -> Logistic:
    """A fitted model with its weights as they are kept: rounded, so that fits that differ by noise give one file."""
    return Logistic(names, tuple(round(float(one), digits) for one in coefficients), round(float(intercept), digits))


def weights_table(weights: Logistic) -> str:
    """Features and their weights as rows of a Markdown table."""
    counted = zip((*weights.names, "intercept"), (*weights.coefficients, weights.intercept), strict=True)
    return "".join(f"| {name} | {value:+.3f} |\n" for name, value in counted)


def card_text(part: str, **values: object) -> str:
    """The model card `cards/PART.md` with its figures filled in."""
    text = (CARDS / f"{part}.md").read_text(encoding="utf-8").format(**values)
    return text.rstrip("\n") + "\n"


@dataclass(frozen=True, slots=True)
class Release:
    """What training makes: a part's weights and its model card, ready to be written.

    Attributes:
        path: Where the weights are read from; the card stands beside them.
        weights: Their content.
        card: The content of the model card.
        metrics: What was measured, by the name of the rows.
        card_name: The file of the card.
    """

    path: Path
    weights: bytes
    card: str
    metrics: Mapping[str, Metrics]
    card_name: str = CARD_NAME

    def write(self, folder: Path | None = None) -> None:
        """Write both files, where the part reads them or into another folder."""
        folder = folder or self.path.parent
        (folder / self.path.name).write_bytes(self.weights)
        (folder / self.card_name).write_text(self.card, encoding="utf-8")


def told(metrics: Metrics) -> str:
    """Figures on one line, for people."""
    return ", ".join(f"{name} {_shown(value)}" for name, value in metrics.items())


def table(metrics: Mapping[str, Metrics], rows: str = "rows") -> str:
    """Figures as a Markdown table, a line for each set of rows.

    Args:
        metrics: Of all sets the same ones.
        rows: What the sets are of.
    """
    columns = [rows, *next(iter(metrics.values()))]
    return markdown_table(columns, [(name, *map(_shown, own.values())) for name, own in metrics.items()])


def _shown(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.3f}"
