"""Component evaluations, one module each: its name is the component's, its `evaluate` runs it."""

import pkgutil
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from app.errors import InputError
from evals.rows import Request

if TYPE_CHECKING:
    from evals.report import Evaluation

OWN_OPTIONS = {
    "answers": "judge",
    "intent": "train",
    "retrieval": "refine",
    "rewriting": "rewriter",
    "routing": "rewriter",
}
"""What each component can be told beside its rows."""


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
        super().__init__(f"The {component} evaluation asks no served model. Leave --{option} out.")


def component_names() -> list[str]:
    """The components that can be evaluated."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def run(name: str, request: Request) -> "Evaluation":
    """Evaluate a component.

    Raises:
        UnknownComponentError: There is none of this name.
        NoTrainingError: It cannot be fitted on rows.
        NoServedModelError: It asks no served model.
    """
    if name not in component_names():
        raise UnknownComponentError(name)
    own = OWN_OPTIONS.get(name)
    if own != "train" and (request.train or request.val):
        raise NoTrainingError(name)
    asked = {
        "refine": request.refine is not None,
        "rewriter": request.rewriter == "llm",
        "judge": request.judge == "llm",
    }
    for option, given in asked.items():
        if given and option != own:
            raise NoServedModelError(name, option)
    evaluate: Callable[[Request], Evaluation] = import_module(f"{__name__}.{name}").evaluate
    return evaluate(request)
