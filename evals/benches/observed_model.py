"""Assistants over a served model that is watched; what they remember and record is thrown away."""

import threading
import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace

from app.assistant import Assistant
from app.errors import InputError
from app.llm import served_model
from app.llm.options import LlmOptions
from app.settings import Settings, index_path
from app.storage.databases import open_database
from app.turns import AnswerPiece, Finished, TurnEvent
from app.wiring import Wiring
from graph.llm.model import Completion, LanguageModel, LanguageModelError, Piece, Prompt, Request
from graph.turn import Turn, Usage

Interval = tuple[float, float]
"""Seconds on `time.perf_counter` at which something began and ended."""


@dataclass(slots=True)
class Exchange:
    """One request and what came of it.

    Attributes:
        request: As the application made it.
        begun: When, on `time.perf_counter`.
        first: When its first text was there; None where none came.
        ended: When it was over.
        waits: When the application did nothing but wait for it.
        text: What the model wrote.
        usage: What it cost.
        failure: Why there was no usable answer; None where there was.
    """

    request: Request
    begun: float
    first: float | None = None
    ended: float = 0.0
    waits: list[Interval] = field(default_factory=list)
    text: str = ""
    usage: Usage = field(default_factory=Usage)
    failure: str | None = None


class ObservedModel:
    """Passes requests on and keeps what came of them; safe to share.

    Args:
        model: Who is asked.
        lead: Begins each prompt: with one that was never used before, nothing that the server has cached counts.
    """

    def __init__(self, model: LanguageModel, lead: str = "") -> None:
        self._model, self._lead = model, lead
        self._lock = threading.Lock()
        self._exchanges: list[Exchange] = []

    @property
    def name(self) -> str:
        """The model that is asked."""
        return self._model.name

    def complete(self, request: Request) -> Completion:
        """Answer as a whole.

        Raises:
            LanguageModelError: As the model's own.
        """
        return Completion.of(self.stream(request))

    def stream(self, request: Request) -> Generator[Piece]:
        """Answer piece by piece.

        Raises:
            LanguageModelError: As the model's own.
        """
        exchange = Exchange(request, time.perf_counter())
        try:
            with closing(self._model.stream(replace(request, prompt=led(request.prompt, self._lead)))) as pieces:
                while (piece := _next(pieces, exchange)) is not None:
                    yield piece
        except LanguageModelError as error:
            exchange.usage, exchange.failure = error.usage, error.reason
            raise
        finally:
            exchange.ended = time.perf_counter()
            with self._lock:
                self._exchanges.append(exchange)

    def taken(self) -> list[Exchange]:
        """What ended since this was last asked, in the order of asking."""
        with self._lock:
            ended, self._exchanges = self._exchanges, []
        return sorted(ended, key=lambda exchange: exchange.begun)

    def close(self) -> None:
        """Close the model."""
        self._model.close()


def led(prompt: Prompt, lead: str) -> Prompt:
    """A prompt with a beginning of its own."""
    return replace(prompt, static=lead + prompt.static)


def waited_s(exchanges: list[Exchange]) -> float:
    """Seconds in which at least one of these was waited for."""
    total, reached = 0.0, 0.0
    for begin, end in sorted(wait for exchange in exchanges for wait in exchange.waits):
        total += max(0.0, end - max(begin, reached))
        reached = max(reached, end)
    return total


def followed(events: Generator[TurnEvent]) -> tuple[Turn, float | None]:
    """The turn that a stream ends with, and when something of it was shown, on `time.perf_counter`; None if never."""
    shown: float | None = None
    turn: Turn | None = None
    with closing(events):
        for event in events:
            if isinstance(event, AnswerPiece):
                shown = shown or time.perf_counter()
            elif isinstance(event, Finished):
                turn = event.turn
    assert turn is not None, "a stream ends with its turn"
    return turn, shown


def _next(pieces: Generator[Piece], exchange: Exchange) -> Piece | None:
    begun = time.perf_counter()
    try:
        piece = next(pieces, None)
    finally:
        exchange.waits.append((begun, time.perf_counter()))
    if piece is not None:
        exchange.text += piece.text
        exchange.usage = piece.usage or exchange.usage
        if piece.text and exchange.first is None:
            exchange.first = time.perf_counter()
    return piece


def needed_model(options: LlmOptions) -> LanguageModel:
    """The model of an endpoint.

    Raises:
        InputError: None is named.
    """
    model = served_model(options)
    if model is None:
        msg = (
            "This asks a served model and the settings name none. Set FOOTNOTE_LLM__BASE_URL to the address of an "
            "OpenAI-compatible endpoint, such as http://localhost:8000/v1, and FOOTNOTE_LLM__MODEL to its model."
        )
        raise InputError(msg)
    return model


@contextmanager
def observed_assistant(
    index: str, llm: LlmOptions, lead: str = "", observer: type[ObservedModel] = ObservedModel
) -> Iterator[tuple[Assistant, ObservedModel]]:
    """Open one.

    Args:
        index: Name or folder of the index.
        llm: The endpoint.
        lead: Begins each prompt.
        observer: What watches the endpoint's model.

    Raises:
        InputError: The settings name no endpoint.
        SettingsError: The settings cannot be used.
        KnowledgeError: The index is missing or damaged.
    """
    model = observer(needed_model(llm), lead)
    with Settings.load().scratch(llm=llm) as settings:
        wiring = Wiring(index_path(index), settings, model=model)
        with Assistant(wiring, open_database(settings.threads)) as assistant:
            yield assistant, model
