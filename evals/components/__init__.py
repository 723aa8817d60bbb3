"""Component evaluations, one module each: its name is the component's, its `evaluate` runs it."""

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from app.errors import InputError

if TYPE_CHECKING:
    from evals.report import Evaluation


class UnknownComponentError(InputError):
    """A component that has no evaluation."""

    def __init__(self, name: str) -> None:
        super().__init__(f"There is no component {name!r} to evaluate. There is: {', '.join(component_names())}.")


class MissingDataError(InputError):
    """Rows that are not where they were said to be."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} does not exist. Name the rows to evaluate on with --data.")


class NoSplitError(InputError):
    """A split was asked of data that has none."""

    def __init__(self, component: str) -> None:
        super().__init__(f"The data of {component} has no splits. Leave --split out.")


class NoIndexError(InputError):
    """A component that reads an index was given none."""

    def __init__(self, component: str) -> None:
        super().__init__(
            f"The {component} evaluation reads an index. Name one with --index. "
            "Make one with: footnote ingest PATH --index DIR"
        )


class NoTrainingError(InputError):
    """Training rows were given to a component that is not fitted on any."""

    def __init__(self, component: str) -> None:
        super().__init__(f"The {component} evaluation fits no model. Leave --train and --val out.")


@dataclass(frozen=True, slots=True)
class Request:
    """What to evaluate on.

    Attributes:
        data: A file of rows, or a folder of fixtures.
        index: Name or path of the index, where the component needs one.
        split: Only the rows with this `split`.
        train: Rows to fit a fresh model on, where the component is a model.
        val: Rows to calibrate that model on.
    """

    data: Path
    index: str | None = None
    split: str | None = None
    train: Path | None = None
    val: Path | None = None


FITTED = frozenset({"intent"})
"""Components that can be fitted on rows of one's own."""


def component_names() -> list[str]:
    """The components that can be evaluated."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def component(name: str) -> Callable[[Request], "Evaluation"]:
    """The evaluation of a component.

    Raises:
        UnknownComponentError: There is none.
    """
    if name not in component_names():
        raise UnknownComponentError(name)
    evaluate: Callable[[Request], Evaluation] = import_module(f"{__name__}.{name}").evaluate
    return evaluate


def run(name: str, request: Request) -> "Evaluation":
    """Evaluate a component.

    Raises:
        UnknownComponentError: There is none of this name.
        NoTrainingError: It cannot be fitted on rows.
    """
    evaluate = component(name)
    if name not in FITTED and (request.train or request.val):
        raise NoTrainingError(name)
    return evaluate(request)
