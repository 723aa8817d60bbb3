"""Component evaluations, one module each: its name is the component's, its `evaluate` runs it."""

import pkgutil
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from app.errors import InputError
from evals.rows import Request

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


def component_names() -> list[str]:
    """The components that can be evaluated."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def run(name: str, request: Request) -> "Evaluation":
    """Evaluate a component.

    Raises:
        UnknownComponentError: There is none of this name.
        NoTrainingError: It cannot be fitted on rows.
    """
    if name not in component_names():
        raise UnknownComponentError(name)
    if name != "intent" and (request.train or request.val):
        raise NoTrainingError(name)
    evaluate: Callable[[Request], Evaluation] = import_module(f"{__name__}.{name}").evaluate
    return evaluate(request)
