"""The model that the settings name."""

from typing import TYPE_CHECKING

from app.llm.breaker import GuardedModel
from app.llm.options import LlmOptions

if TYPE_CHECKING:
    from graph.llm.model import LanguageModel


def served_model(options: LlmOptions) -> "LanguageModel | None":
    """Open the served model behind its circuit breaker; no request is made yet.

    Returns:
        The model; None where the settings name no endpoint.
    """
    if options.base_url is None:
        return None
    from app.llm.client import ServedModel  # noqa: PLC0415 - heavy

    return GuardedModel(ServedModel(options), options.failures, options.rest_s)
