"""A model that keeps failing is left alone for a while, then tried by one request, and used again once it answers."""

import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor

import pytest

from app.llm.breaker import GuardedModel, UnusableRequestError
from graph.llm.model import Completion, LanguageModelError, Piece, Prompt, Request
from graph.turn import Usage

REQUEST = Request(Prompt("", "", "Answer."), 100)
DOWN = LanguageModelError("no connection", Usage(llm_calls=1))
BAD_PROMPT = UnusableRequestError("status 400", Usage(llm_calls=1))
RESTING = "no connection; it is left alone for now"


class Scripted:
    """A model that fails as it is told, and counts how often it is asked."""

    name = "scripted"

    def __init__(self) -> None:
        self.error: Exception | None = None
        self.asked = 0
        self.closed = 0

    def complete(self, request: Request) -> Completion:
        return Completion("".join(piece.text for piece in self.stream(request)), Usage(llm_calls=1))

    def stream(self, request: Request) -> Generator[Piece]:  # noqa: ARG002 - the signature of the protocol
        self.asked += 1
        try:
            yield Piece("clear")
            if self.error:
                raise self.error
            yield Piece(usage=Usage(llm_calls=1))
        finally:
            self.closed += 1


class Timer:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def inner() -> Scripted:
    return Scripted()


@pytest.fixture
def timer() -> Timer:
    return Timer()


@pytest.fixture
def guarded(inner: Scripted, timer: Timer) -> GuardedModel:
    return GuardedModel(inner, failures=3, rest_s=30, now=timer)


def reason(model: GuardedModel) -> str:
    with pytest.raises(LanguageModelError) as raised:
        model.complete(REQUEST)
    return raised.value.reason


def fail(model: GuardedModel, inner: Scripted, times: int) -> None:
    inner.error = DOWN
    for _ in range(times):
        assert reason(model) == "no connection"


def test_a_model_that_answers_is_passed_through(guarded: GuardedModel) -> None:
    assert guarded.name == "scripted"
    assert guarded.complete(REQUEST) == Completion("clear", Usage(llm_calls=1))
    assert [piece.text for piece in guarded.stream(REQUEST)] == ["clear", ""]


def test_after_failures_in_a_row_it_fails_at_once_and_at_no_cost(guarded: GuardedModel, inner: Scripted) -> None:
    fail(guarded, inner, 3)
    with pytest.raises(LanguageModelError) as raised:
        list(guarded.stream(REQUEST))
    assert (raised.value.reason, raised.value.usage) == (RESTING, Usage())
    assert inner.asked == 3


def test_failures_in_mid_stream_count_and_what_came_stands(guarded: GuardedModel, inner: Scripted) -> None:
    inner.error = DOWN
    for _ in range(3):
        pieces = guarded.stream(REQUEST)
        assert next(pieces).text == "clear"
        with pytest.raises(LanguageModelError, match=r"^no connection$"):
            next(pieces)
    assert reason(guarded) == RESTING


def test_an_answer_in_between_starts_the_count_again(guarded: GuardedModel, inner: Scripted) -> None:
    fail(guarded, inner, 2)
    inner.error = None
    guarded.complete(REQUEST)
    fail(guarded, inner, 2)
    assert reason(guarded) == "no connection"
    assert reason(guarded) == RESTING


def test_after_its_rest_an_answer_brings_it_back(guarded: GuardedModel, inner: Scripted, timer: Timer) -> None:
    fail(guarded, inner, 3)
    timer.seconds += 29.9
    assert reason(guarded) == RESTING
    timer.seconds += 0.2
    inner.error = None
    assert guarded.complete(REQUEST).text == "clear"
    assert guarded.complete(REQUEST).text == "clear"
    assert inner.asked == 5


def test_a_failed_trial_lets_it_rest_again(guarded: GuardedModel, inner: Scripted, timer: Timer) -> None:
    fail(guarded, inner, 3)
    timer.seconds += 31
    assert reason(guarded) == "no connection"
    assert reason(guarded) == RESTING
    assert inner.asked == 4


def test_one_request_alone_tries_it(guarded: GuardedModel, inner: Scripted, timer: Timer) -> None:
    fail(guarded, inner, 3)
    timer.seconds += 31
    trial = guarded.stream(REQUEST)
    next(trial)
    assert reason(guarded) == RESTING
    with pytest.raises(LanguageModelError, match=r"^no connection$"):
        next(trial)
    timer.seconds += 31
    inner.error = None
    assert guarded.complete(REQUEST).text == "clear"


def test_the_fault_of_a_request_is_none_of_the_endpoint(guarded: GuardedModel, inner: Scripted) -> None:
    inner.error = BAD_PROMPT
    for _ in range(5):
        assert reason(guarded) == "status 400"
    assert inner.asked == 5


def test_and_shows_that_the_endpoint_is_back(guarded: GuardedModel, inner: Scripted, timer: Timer) -> None:
    fail(guarded, inner, 3)
    timer.seconds += 31
    inner.error = BAD_PROMPT
    assert reason(guarded) == "status 400"
    fail(guarded, inner, 3)


def test_a_stream_that_is_closed_early_is_no_failure(guarded: GuardedModel, inner: Scripted) -> None:
    inner.error = DOWN
    for _ in range(5):
        pieces = guarded.stream(REQUEST)
        next(pieces)
        pieces.close()
    assert (inner.asked, inner.closed) == (5, 5)


def test_a_trial_that_is_closed_early_has_shown_that_it_answers(
    guarded: GuardedModel, inner: Scripted, timer: Timer
) -> None:
    fail(guarded, inner, 3)
    timer.seconds += 31
    trial = guarded.stream(REQUEST)
    next(trial)
    trial.close()
    fail(guarded, inner, 3)


def test_a_stream_that_nobody_reads_asks_nothing(guarded: GuardedModel, inner: Scripted, timer: Timer) -> None:
    fail(guarded, inner, 3)
    timer.seconds += 31
    guarded.stream(REQUEST).close()
    inner.error = None
    assert guarded.complete(REQUEST).text == "clear"


def test_a_mistake_of_our_own_is_not_counted(guarded: GuardedModel, inner: Scripted) -> None:
    inner.error = ZeroDivisionError()
    for _ in range(4):
        with pytest.raises(ZeroDivisionError):
            guarded.complete(REQUEST)
    assert inner.asked == 4


def test_requests_are_answered_side_by_side() -> None:
    meeting = threading.Barrier(8)

    class Meeting(Scripted):
        def complete(self, request: Request) -> Completion:  # noqa: ARG002 - the signature of the protocol
            meeting.wait(5)
            return Completion("clear", Usage(llm_calls=1))

    guarded = GuardedModel(Meeting(), failures=3, rest_s=30)
    with ThreadPoolExecutor(8) as pool:
        assert [answer.text for answer in pool.map(guarded.complete, [REQUEST] * 8)] == ["clear"] * 8


def test_of_many_waiting_requests_one_tries_it(inner: Scripted, timer: Timer) -> None:
    guarded = GuardedModel(inner, failures=1, rest_s=30, now=timer)
    fail(guarded, inner, 1)
    timer.seconds += 31
    with ThreadPoolExecutor(16) as pool:
        reasons = list(pool.map(lambda _: reason(guarded), range(16)))
    assert sorted(reasons) == ["no connection", *[RESTING] * 15]
