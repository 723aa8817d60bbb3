"""A language model as a turn sees it: a prompt in, text out, and what that cost."""

from collections.abc import Generator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Protocol

from graph.turn import Usage


@dataclass(frozen=True, slots=True)
class Prompt:
    """The words of a request, from most to least shared, so that a server can reuse the cached prefix.

    Attributes:
        static: Persona and rules: byte-identical in every request of every turn and user.
        shared: What several requests have in common: of a turn its evidence, user, notes and question; of all
            conversations that are rewritten the task.
        suffix: What is of this request alone: its task, or the conversation.
    """

    static: str
    shared: str
    suffix: str

    @property
    def prefix(self) -> str:
        """What several requests begin with."""
        return self.static + self.shared


@dataclass(frozen=True, slots=True)
class Request:
    """One request.

    Attributes:
        prompt: What is asked.
        max_tokens: Most tokens of the answer.
        grammar: EBNF that the answer follows, on servers that can hold it; None for free text.
        schema: JSON schema that the answer follows instead; None for text.
    """

    prompt: Prompt
    max_tokens: int
    grammar: str | None = None
    schema: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a streamed answer; the last one tells what the request cost."""

    text: str = ""
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """A whole answer and what it cost."""

    text: str
    usage: Usage

    @classmethod
    def of(cls, stream: Generator[Piece]) -> "Completion":
        """A streamed answer as a whole; the stream is closed then.

        Raises:
            LanguageModelError: As the stream.
        """
        texts, usage = [], Usage()
        with closing(stream) as pieces:
            for piece in pieces:
                texts.append(piece.text)
                usage = piece.usage or usage
        return cls("".join(texts), usage)


@dataclass(eq=False)
class LanguageModelError(Exception):
    """A model gave no usable answer.

    Attributes:
        reason: Why, in a few words that hold no address and no secret: `no answer within 8 s`.
        usage: What it cost nevertheless.
    """

    reason: str
    usage: Usage = field(default_factory=Usage)

    def __str__(self) -> str:
        return self.reason


class LanguageModel(Protocol):
    """A served language model; safe to share among threads."""

    @property
    def name(self) -> str:
        """The model that is asked."""
        ...

    def complete(self, request: Request) -> Completion:
        """Answer as a whole.

        Raises:
            LanguageModelError: There was no answer in time, or none that can be used, such as one that was cut off.
        """
        ...

    def stream(self, request: Request) -> Generator[Piece]:
        """Answer piece by piece; closing the generator ends the request.

        Raises:
            LanguageModelError: As `complete`; what was given before stands.
        """
        ...

    def close(self) -> None:
        """End all requests and close all connections."""
        ...
