"""A failure that is no fault of the endpoint."""

from graph.llm.model import LanguageModelError


class UnusableRequestError(LanguageModelError):
    """The endpoint is well, but this one request has no usable answer."""
