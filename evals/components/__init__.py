"""Component evaluations, one module each: its name is the component's, its `evaluate` runs it."""

import pkgutil
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from app.errors import InputError
from evals.rows import Request

if TYPE_CHECKING:
    from evals.report import Evaluation


def component_names() -> list[str]:
    """The components that can be evaluated."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def run(name: str, request: Request) -> "Evaluation":
    """Evaluate a component.

    Raises:
        InputError: There is none of this name, or it cannot be fitted on rows.
    """
    if name not in component_names():
        msg = f"There is no component {name!r} to evaluate. There is: {', '.join(component_names())}."
        raise InputError(msg)
    if name != "intent" and (request.train or request.val):
        msg = f"The {name} evaluation fits no model. Leave --train and --val out."
        raise InputError(msg)
    evaluate: Callable[[Request], Evaluation] = import_module(f"{__name__}.{name}").evaluate
    return evaluate(request)
