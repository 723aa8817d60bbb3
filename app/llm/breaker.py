"""A circuit breaker around a model: after failures in a row it is left alone for a while, then tried by one request.

The states are those of Nygard, "Release It!". pybreaker, which has them, too, holds its lock for as long as a call
takes, so that it would let one request through at a time, and counts a stream that is closed early as a failure.
"""

import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager

from graph.llm.model import Completion, LanguageModel, LanguageModelError, Piece, Request


class UnusableRequestError(LanguageModelError):
    """The endpoint is well, but this one request has no usable answer."""


class GuardedModel:
    """A model that fails at once while its endpoint rests; safe to share among threads.

    Args:
        model: The model itself.
        failures: Failures in a row after which it rests.
        rest_s: Seconds for which it does.
        now: Seconds on a clock that never goes back.
    """

    def __init__(
        self, model: LanguageModel, failures: int, rest_s: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._model, self._most, self._rest_s, self._now = model, failures, rest_s, now
        self._lock = threading.Lock()
        self._failed, self._reason = 0, ""
        self._rests_until = 0.0

    @property
    def name(self) -> str:
        """The model that is asked."""
        return self._model.name

    def complete(self, request: Request) -> Completion:
        """Answer as a whole.

        Raises:
            LanguageModelError: There was no usable answer, or the endpoint rests.
        """
        with self._attempt():
            return self._model.complete(request)

    def stream(self, request: Request) -> Generator[Piece]:
        """Answer piece by piece; closing the generator ends the request and is no failure.

        Raises:
            LanguageModelError: As `complete`.
        """
        with self._attempt(), closing(self._model.stream(request)) as pieces:
            for piece in pieces:
                try:
                    yield piece
                except GeneratorExit:
                    # Something came, and enough for whoever asked.
                    self._recover()
                    raise

    def close(self) -> None:
        """End all requests and close all connections."""
        self._model.close()

    @contextmanager
    def _attempt(self) -> Iterator[None]:
        self._admit()
        try:
            yield
        except UnusableRequestError:
            self._recover()
            raise
        except LanguageModelError as error:
            with self._lock:
                self._failed += 1
                self._reason, self._rests_until = error.reason, self._now() + self._rest_s
            raise
        else:
            self._recover()

    def _admit(self) -> None:
        """Let a request through or not; the one that tries whether the endpoint is back holds the others up."""
        with self._lock:
            if self._failed < self._most:
                return
            if self._now() < self._rests_until:
                rests = f"{self._reason}; it is left alone for now"
                raise LanguageModelError(rests)
            self._rests_until = self._now() + self._rest_s

    def _recover(self) -> None:
        with self._lock:
            self._failed = 0
