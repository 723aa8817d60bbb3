"""Component evaluations, one module each: its name is the component's, its `evaluate` runs it."""

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from app.errors import InputError
from app.llm.choices import Refinement, Where

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


class NoServedModelError(InputError):
    """A served model was asked for in a component that asks none."""

    def __init__(self, component: str, option: str) -> None:
        super().__init__(f"The {component} evaluation asks no served model. Leave {option} out.")


@dataclass(frozen=True, slots=True)
class Request:
    """What to evaluate on.

    Attributes:
        data: A file of rows, or a folder of fixtures.
        index: Name or path of the index, where the component needs one.
        split: Only the rows with this `split`.
        train: Rows to fit a fresh model on, where the component is a model.
        val: Rows to calibrate that model on.
        refine: How a served model refines each question before it is searched; None for not at all.
        rewriter: Who reads each question: `local`, or `llm`, a served model.
    """

    data: Path
    index: str | None = None
    split: str | None = None
    train: Path | None = None
    val: Path | None = None
    refine: Refinement | None = None
    rewriter: Where = "local"


FITTED = frozenset({"intent"})
"""Components that can be fitted on rows of one's own."""
REFINED = frozenset({"retrieval"})
"""Components that search with what a served model says of a question."""
READ = frozenset({"rewriting", "routing"})
"""Components whose questions a served model may read."""


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
        NoServedModelError: It asks no served model.
    """
    evaluate = component(name)
    if name not in FITTED and (request.train or request.val):
        raise NoTrainingError(name)
    if name not in REFINED and request.refine is not None:
        raise NoServedModelError(name, "--refine")
    if name not in READ and request.rewriter == "llm":
        raise NoServedModelError(name, "--rewriter")
    return evaluate(request)
