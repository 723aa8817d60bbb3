"""The shop's system is told of events over real HTTP: signed, tried again, and given up in the end."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import HttpUrl, SecretStr
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from app import webhooks
from app.settings import Settings, WebhookSettings
from app.storage.outbox import Outbox
from app.storage.records import Records
from app.webhooks import PAUSES, Sender, open_receiver, pause_after, sending
from tests.app.command_line import Run
from tests.app.live_server import Answer, LiveServer, drips_headers, hangs, hangs_up, in_turn, says, status
from tests.graph.fakes import StoppedClock

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # noqa: S105 - the specification's example
PATH = "/hooks"
MOST = 1.2
"""How much longer a pause may be than it is said to be."""


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock(datetime.now(UTC))  # those who verify a signature look at the machine's time


@pytest.fixture
def records(tmp_path: Path, clock: StoppedClock) -> Iterator[Records]:
    with closing(Records(tmp_path / "records.sqlite", clock, "the tent desk", 0, webhooks=True)) as store:
        yield store


@pytest.fixture
def options(server: LiveServer) -> WebhookSettings:
    return WebhookSettings(url=HttpUrl(server.url + PATH), secret=SecretStr(SECRET))


Send = Callable[[], None]


@pytest.fixture
def send(records: Records, options: WebhookSettings, clock: StoppedClock) -> Send:
    """Sends what is due now."""

    async def once() -> None:
        async with open_receiver(options, clock) as receiver:
            await Sender(Outbox(records.store, clock), receiver).send_due()

    return lambda: asyncio.run(once())


@pytest.fixture
def variables(server: LiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings with a receiver."""
    monkeypatch.setenv("FOOTNOTE_RECORDS", str(tmp_path / "records.sqlite"))
    monkeypatch.setenv("FOOTNOTE_WEBHOOKS__URL", server.url + PATH)
    monkeypatch.setenv("FOOTNOTE_WEBHOOKS__SECRET", SECRET)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Receivers are not waited for as long as usual."""
    monkeypatch.setattr(webhooks, "TIMEOUT_S", 0.2)


def test_an_event_is_signed_as_receivers_verify_it(records: Records, server: LiveServer, send: Send) -> None:
    server.answers[PATH] = says({})
    ticket = records.open_ticket("asked for a person", "Asked: a tent für 2")
    send()
    [(headers, body)] = server.posted
    assert headers["content-type"] == "application/json"
    assert Webhook(SECRET).verify(body, headers)["data"]["ticket_id"] == ticket.ticket_id
    with pytest.raises(WebhookVerificationError):
        Webhook("whsec_" + "A" * 32).verify(body, headers)
    send()
    assert len(server.posted) == 1


def test_what_failed_is_tried_again_with_the_same_id_and_a_new_time(
    records: Records, server: LiveServer, clock: StoppedClock, send: Send, caplog: pytest.LogCaptureFixture
) -> None:
    server.answers[PATH] = in_turn(status(500), status(204))
    records.open_ticket("asked", "s")
    send()
    [waiting] = Outbox(records.store, clock).failures()
    assert waiting.failure == "status 500"
    assert "status 500; tried again in" in caplog.text
    send()
    assert len(server.posted) == 1
    clock.moment += PAUSES[0] * MOST
    send()
    (first, body), (second, again) = server.posted
    assert (second["webhook-id"], again) == (first["webhook-id"], body)
    assert int(second["webhook-timestamp"]) > int(first["webhook-timestamp"])
    assert Outbox(records.store, clock).failures() == []


def test_pauses_grow_until_it_is_given_up_and_kept_with_its_reason(
    records: Records, server: LiveServer, clock: StoppedClock, send: Send, caplog: pytest.LogCaptureFixture
) -> None:
    outbox, again_at, waited = Outbox(records.store, clock), clock.moment, []
    records.open_ticket("asked", "s")
    while again_at is not None:
        waited.append(again_at - clock.moment)
        clock.moment = again_at
        send()
        [given_up] = outbox.failures()
        again_at = given_up.again_at
    clock.moment += timedelta(days=3)
    send()
    assert len(server.posted) == len(PAUSES) + 1
    assert waited == sorted(waited)
    assert (given_up.again_at, given_up.failure, given_up.attempts) == (None, "status 404", len(PAUSES) + 1)
    assert "status 404; given up" in caplog.text


def test_a_pause_is_as_long_as_said_and_a_little_longer() -> None:
    for number, pause in enumerate(PAUSES, start=1):
        chosen = {pause_after(number) for _ in range(20)}
        assert len(chosen) > 1
        assert all(one is not None and pause <= one <= pause * MOST for one in chosen)
    assert pause_after(len(PAUSES) + 1) is None


def test_a_receiver_that_is_gone_is_not_asked_again(
    records: Records, server: LiveServer, clock: StoppedClock, send: Send
) -> None:
    server.answers[PATH] = status(410)
    records.open_ticket("asked", "s")
    send()
    clock.moment += timedelta(days=3)
    send()
    assert len(server.posted) == 1
    [given_up] = Outbox(records.store, clock).failures()
    assert (given_up.failure, given_up.again_at) == ("status 410", None)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (status(307, Location="/elsewhere"), "status 307"),
        (hangs_up, "the connection broke"),
        (hangs, "no answer within 0.2 s"),
        (drips_headers, "no answer within 0.2 s"),
    ],
    ids=["redirect", "hangs up", "hangs", "drips"],
)
def test_faults_are_failures_and_end_in_time(
    records: Records, server: LiveServer, clock: StoppedClock, send: Send, answer: Answer, reason: str
) -> None:
    server.answers[PATH] = answer
    records.open_ticket("asked", "s")
    send()
    assert server.paths == [PATH]
    assert [one.failure for one in Outbox(records.store, clock).failures()] == [reason]


def test_nobody_who_listens_is_a_failure_too(
    records: Records, server: LiveServer, clock: StoppedClock, send: Send
) -> None:
    server.close()
    records.open_ticket("asked", "s")
    send()
    assert [one.failure for one in Outbox(records.store, clock).failures()] == ["no connection"]


@pytest.mark.usefixtures("variables")
def test_what_happens_is_told_as_long_as_the_page_is_served(
    records: Records, server: LiveServer, clock: StoppedClock
) -> None:
    records.open_ticket("asked", "s")
    taken = asyncio.Event()

    async def serve() -> None:
        loop = asyncio.get_running_loop()
        server.answers[PATH] = lambda *request: (loop.call_soon_threadsafe(taken.set), says({})(*request))[1]
        async with sending(Settings.load(), clock), asyncio.timeout(30):
            await taken.wait()

    asyncio.run(serve())


def test_without_a_receiver_nothing_is_opened(tmp_path: Path, clock: StoppedClock) -> None:
    async def serve() -> None:
        async with sending(Settings(records=tmp_path / "none.sqlite"), clock):
            pass

    asyncio.run(serve())
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("variables")
def test_the_command_sends_a_signed_test_and_says_what_came_back(run: Run, server: LiveServer) -> None:
    server.answers[PATH] = in_turn(status(202), status(500))
    result = run("webhook", "test")
    assert (result.status, "status 202" in result.out) == (0, True)
    [(headers, body)] = server.posted
    assert Webhook(SECRET).verify(body, headers)["type"] == "webhook.test"
    result = run("webhook", "test")
    assert (result.status, "did not take the event: status 500" in result.err) == (1, True)


def test_without_a_receiver_the_command_says_what_to_set(run: Run) -> None:
    result = run("webhook", "test")
    assert (result.status, "FOOTNOTE_WEBHOOKS__URL" in result.err) == (2, True)


@pytest.mark.usefixtures("variables", "server")
def test_failures_are_listed_with_their_reason(run: Run, records: Records, send: Send) -> None:
    assert run("webhook", "failed").out == "The receiver took all that was sent.\n"
    records.open_ticket("asked", "s")
    send()
    [line] = run("webhook", "failed").out.splitlines()
    assert "ticket.opened" in line
    assert "status 404, tried once, again at" in line
