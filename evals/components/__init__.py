"""Component evaluations, one module each: its name is the component's, its `evaluate` runs it."""

import pkgutil
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from app.errors import InputError
from evals.rows.reading import Request

if TYPE_CHECKING:
    from evals.report import Evaluation


class UnknownComponentError(InputError):
    """A component that has no evaluation."""

    def __init__(self, name: str) -> None:
        super().__init__(f"There is no component {name!r} to evaluate. There is: {', '.join(component_names())}.")


class NoTrainingError(InputError):
    """Training rows were given to a component that is not fitted on any."""

    def __init__(self, component: str) -> None:
        super().__init__(f"The {component} evaluation fits no model. Leave --train and --val out.")


class NoServedModelError(InputError):
    """A served model was asked for in a component that asks none."""

    def __init__(self, component: str, option: str) -> None:
        super().__init__(f"The {component} evaluation asks no served model. Leave {option} out.")


FITTED = frozenset({"intent"})
"""Components that can be fitted on rows of one's own."""
REFINED = frozenset({"retrieval"})
"""Components that search with what a served model says of a question."""
JUDGED = frozenset({"answers"})
"""Components whose sentences a served model may judge."""
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
    if name not in JUDGED and request.judge == "llm":
        raise NoServedModelError(name, "--judge")
    return evaluate(request)
