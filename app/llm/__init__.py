"""A served language model: its settings, its client and what keeps a turn from waiting for it in vain."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.llm.options import LlmOptions
    from graph.llm.model import LanguageModel


def served_model(options: "LlmOptions") -> "LanguageModel | None":
    """Open the served model behind its circuit breaker; no request is made yet.

    Returns:
        The model; None where the settings name no endpoint.
    """
    if options.base_url is None:
        return None
    from app.llm.breaker import GuardedModel  # noqa: PLC0415 - heavy, as the next
    from app.llm.client import ServedModel  # noqa: PLC0415

    return GuardedModel(ServedModel(options), options.failures, options.rest_s)
