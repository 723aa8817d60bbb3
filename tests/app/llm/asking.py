"""Requests to a scripted endpoint, and what came of them."""

from collections.abc import Callable

import pytest

from app.llm.client import ServedModel
from graph.llm.model import LanguageModelError, Prompt, Request
from tests.llm_server.script import Script
from tests.llm_server.server import Body

KEY = "s3cret-key"
TEXT = "clear\nThe Kestrel 2 weighs 1.9 kg [spec:kestrel-2]. It sleeps two people [spec:kestrel-2]."
SCHEMA = {"type": "object", "properties": {"query": {"type": "string", "maxLength": 200}}}

Open = Callable[..., ServedModel]
"""Opens a client, with changed options."""


def request(suffix: str = "Answer.", **changes: object) -> Request:
    prompt = Prompt("You are a shop's assistant.\n", "Evidence: " + "1.9 kg " * 60, suffix)
    return Request(**{"prompt": prompt, "max_tokens": 400} | changes)


def failure(model: ServedModel, asked: Request | None = None) -> LanguageModelError:
    with pytest.raises(LanguageModelError) as raised:
        model.complete(asked or request())
    return raised.value


def streamed(model: ServedModel, asked: Request | None = None) -> tuple[str, str]:
    """What came of a stream, and why it ended."""
    text = ""
    try:
        for piece in model.stream(asked or request()):
            text += piece.text
    except LanguageModelError as error:
        return text, error.reason
    return text, ""


class Scripted:
    """Says the same to every request, until it is told something else.

    Attributes:
        answer: From a request's body to what is said.
    """

    def __init__(self) -> None:
        self.answer: Callable[[Body], Script] = lambda _: Script("clear")

    def __call__(self, body: Body) -> Script:
        return self.answer(body)

    def says(self, *scripts: Script) -> None:
        """One script after the other, and the last for good."""
        left = list(scripts)
        self.answer = lambda _: left.pop(0) if len(left) > 1 else left[0]
