"""Asking live backends all at once, and waiting for none longer than its limit."""

import logging
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

from graph.parts.backend import Backend, LiveAnswer
from graph.turn import User
from ingestion.evidence import Product

logger = logging.getLogger(__name__)

UNEXPECTED = "it failed in an unexpected way"


@dataclass(frozen=True, slots=True)
class LiveRequest:
    """What is to be asked of a backend."""

    backend: Backend
    product: Product | None
    user: User


def ask_all(requests: Sequence[LiveRequest]) -> list[tuple[LiveAnswer, float]]:
    """Make all requests at once.

    Returns:
        For each request, in order, the answer and the milliseconds it took; a backend that said nothing within its
        `timeout_s` has failed, and is no longer listened to.
    """
    running = [_Running(request) for request in requests]
    for one in running:
        one.start()
    return [one.answer_in_time() for one in running]


class _Running(threading.Thread):
    """One request in a thread of its own.

    Neither the look-up of a name nor a body that drips can be cut short, so a late thread is left to itself; it is a
    daemon, which keeps no process alive. A pool would make the next request wait for it.
    """

    def __init__(self, request: LiveRequest) -> None:
        super().__init__(name=f"live: {request.backend.name}", daemon=True)
        self._request = request
        self._began = time.monotonic()
        self._answered: tuple[LiveAnswer, float] | None = None

    def run(self) -> None:
        """Ask; whatever a backend does, it does not end the turn."""
        request = self._request
        try:
            answer = request.backend.ask(request.product, request.user)
        except Exception as error:  # noqa: BLE001 - a part of the shop's own, which may raise anything
            # Its message may hold an address or a secret.
            logger.warning("%s raised %s", request.backend.name, type(error).__name__)
            answer = LiveAnswer(failure=UNEXPECTED)
        self._answered = answer, self._spent()

    def answer_in_time(self) -> tuple[LiveAnswer, float]:
        """Wait for the answer until the limit."""
        limit = self._request.backend.timeout_s
        self.join(max(0.0, limit - self._spent() / 1000))
        return self._answered or (LiveAnswer(failure=f"no answer within {limit:g} s"), self._spent())

    def _spent(self) -> float:
        return (time.monotonic() - self._began) * 1000
