"""Backends are asked all at once, and none is waited for longer than its limit."""

import threading

import pytest

from graph.live import ask_all
from graph.parts import Backend, LiveAnswer
from graph.turn import User
from ingestion.evidence import Product
from tests.graph.live.backends import Answers, ScriptedBackend, fails, knows, live_fact, waits_for

FACT = live_fact("2 in stock.", None)
KNOWS = knows(FACT)


def answers(*backends: Backend) -> list[LiveAnswer]:
    return [answer for answer, _ in ask_all([(backend, None) for backend in backends], User())]


def test_all_backends_are_asked_at_the_same_time() -> None:
    together = threading.Barrier(12)

    def meets_the_others(_: Product | None, __: User) -> LiveAnswer:
        together.wait(10)
        return LiveAnswer(facts=(FACT,))

    assert all(answer.facts for answer in answers(*(ScriptedBackend(meets_the_others) for _ in range(12))))


def test_a_backend_that_says_nothing_is_left_at_its_limit_and_the_others_are_heard() -> None:
    never = threading.Event()
    silent = ScriptedBackend(waits_for(never, KNOWS), timeout_s=0.05)
    first, second = answers(silent, ScriptedBackend(KNOWS))
    assert first == LiveAnswer(failure="no answer within 0.05 s")
    assert second.facts == (FACT,)
    assert not never.is_set()
    never.set()


def test_what_was_said_too_late_is_not_heard() -> None:
    late = threading.Event()
    [answer] = answers(ScriptedBackend(waits_for(late, KNOWS), timeout_s=0.01))
    late.set()
    assert answer.facts == ()


@pytest.mark.parametrize("error", [RuntimeError("at https://stock.example?key=s3cret"), KeyError()])
def test_whatever_a_backend_raises_is_a_failure_and_its_words_are_not_told(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    def raises(_: Product | None, __: User) -> LiveAnswer:
        raise error

    [answer] = answers(ScriptedBackend(raises))
    assert answer.failure
    assert "s3cret" not in answer.failure + caplog.text


@pytest.mark.parametrize(("said", "failure"), [(KNOWS, None), (fails, "no connection")])
def test_every_answer_comes_with_its_time(said: Answers, failure: str | None) -> None:
    [(answer, ms)] = ask_all([(ScriptedBackend(said), None)], User())
    assert answer.failure == failure
    assert ms >= 0
