"""Backends over real HTTP: what they say is read, and every fault is a failure in time, told in a few words."""

import gzip
import json
import logging
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.backends.http_backend import HttpBackend, HttpServices
from app.backends.options import BackendOptions, CatalogSearchOptions
from app.backends.request import LARGEST_ANSWER
from graph.live import ask_all
from graph.parts import LiveAnswer
from graph.turn import User
from ingestion.evidence import Product
from tests.app.live_server import (
    Answer,
    LiveServer,
    body,
    drips,
    drips_headers,
    endless,
    hangs,
    hangs_up,
    hangs_up_midway,
    in_turn,
    says,
    status,
)

TENT = Product(id="tarn-2", name="Tarn 2")
FACTS = [{"text": "3 in stock."}]
PATIENT, HASTY = 5.0, 0.1
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)

Open = Callable[..., HttpBackend]


class SteppedClock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.moment = NOON

    def now(self) -> datetime:
        return self.moment


@pytest.fixture
def clock() -> SteppedClock:
    return SteppedClock()


@pytest.fixture
def backend(server: LiveServer, clock: SteppedClock) -> Iterator[Open]:
    """Opens a backend at the server's `/stock/{product_id}`, with changed options."""
    opened: list[HttpServices] = []

    def opens(**changes: Any) -> HttpBackend:  # noqa: ANN401 - any option
        options = {
            "name": "the stock service",
            "intents": ["stock_availability"],
            "source_type": "stock",
            "url": server.url + "/stock/{product_id}",
            "timeout_s": PATIENT,
            "retries": 0,
            "facts": {"text": "text"},
        }
        declared = BackendOptions.model_validate(options | changes)
        opened.append(HttpServices([declared], CatalogSearchOptions(), clock))
        return opened[-1].backends[0]

    yield opens
    for one in opened:
        one.close()


def ask(backend: HttpBackend) -> LiveAnswer:
    return backend.ask(TENT, User())


def closed_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def test_an_answer_becomes_evidence(server: LiveServer, backend: Open) -> None:
    server.answers["/stock/tarn-2"] = says(FACTS)
    answer = ask(backend())
    assert [(fact.evidence_id, fact.text) for fact in answer.facts] == [
        ("stock:live/stock-service/tarn-2/1", "3 in stock.")
    ]
    assert (answer.failure, answer.dropped, answer.cached) == (None, (), False)


def test_who_asks_stands_in_the_address(server: LiveServer, backend: Open) -> None:
    url = server.url + "/stock?p={product_id}&r={region?}&m={membership?}"
    server.answers["/stock"] = says(FACTS)
    asked = backend(url=url)
    asked.ask(TENT, User(region="New York & more", membership="gold"))
    asked.ask(TENT, User())
    assert server.paths == ["/stock?p=tarn-2&r=New%20York%20%26%20more&m=gold", "/stock?p=tarn-2&r=&m="]


FAULTS: dict[str, tuple[Answer, str]] = {
    "status 500": (status(500), "status 500"),
    "too many requests": (status(429), "status 429"),
    "forbidden": (status(403), "status 403"),
    "a redirect": (status(302, Location="http://127.0.0.1:9/elsewhere"), "a redirect, status 302"),
    "a page": (body(b"<html>", kind="text/html"), "an answer that is no JSON"),
    "broken JSON": (body(b'[{"text": "3 in st'), "an answer that is no JSON"),
    "not a number": (body(b'[{"text": NaN}]'), "an answer that is no JSON"),
    "nothing": (body(b""), "an answer that is no JSON"),
    "bytes that are no text": (body(b'[{"text": "caf\xe9"}]'), "an answer that is no JSON"),
    "too deep": (body(b"[" * 100_000 + b"]" * 100_000), "an answer that is no JSON"),
    "a number": (says(3), "an answer without facts at '@'"),
    "large": (body(b" " * (LARGEST_ANSWER + 1)), "an answer of more than 1,000,000 bytes"),
    "endless": (endless, "an answer of more than 1,000,000 bytes"),
    "compressed": (body(gzip.compress(b"[]"), headers={"Content-Encoding": "gzip"}), "a compressed answer"),
    "a closed connection": (hangs_up, "the connection broke"),
    "a connection closed midway": (hangs_up_midway, "the connection broke"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_a_failure_in_a_few_words(fault: str, server: LiveServer, backend: Open) -> None:
    server.answers["/stock/tarn-2"], failure = FAULTS[fault]
    assert ask(backend()) == LiveAnswer(failure=failure)
    assert not server.released.is_set()


@pytest.mark.parametrize("slow", [hangs, drips, drips_headers])
def test_a_slow_answer_is_cut_off_at_the_limit(slow: Answer, server: LiveServer, backend: Open) -> None:
    server.answers["/stock/tarn-2"] = slow
    assert ask(backend(timeout_s=HASTY, retries=5)) == LiveAnswer(failure="no answer within 0.1 s")


def test_a_server_that_takes_no_connection_is_a_failure(backend: Open) -> None:
    assert ask(backend(url=f"http://127.0.0.1:{closed_port()}/")).failure == "no connection"


def test_a_server_that_accepts_and_never_reads_is_a_failure(backend: Open) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        answer = ask(backend(url=f"http://127.0.0.1:{mute.getsockname()[1]}/", timeout_s=HASTY))
    assert answer.failure == "no answer within 0.1 s"


@pytest.mark.parametrize("host", ["nothing.invalid", "a" * 64 + ".invalid", "a..b"])
def test_a_name_that_does_not_resolve_is_a_failure(host: str, backend: Open) -> None:
    answer = ask(backend(url=f"http://{host}/", timeout_s=HASTY))
    assert answer.failure in {"no connection", "it cannot be asked", "no answer within 0.1 s"}


def test_all_faults_at_once_delay_none_of_the_others(server: LiveServer, backend: Open) -> None:
    server.answers["/stock/good"] = says(FACTS)
    slow = [hangs, drips, drips_headers, endless, *(answer for answer, _ in FAULTS.values())]
    requests = []
    for number, fault in enumerate(slow):
        server.answers[f"/stock/{number}"] = fault
        requests.append((backend(timeout_s=HASTY), Product(id=str(number), name="x")))
    requests.append((backend(), Product(id="good", name="x")))
    *faulty, (good, _) = ask_all(requests, User())
    assert [fact.text for fact in good.facts] == ["3 in stock."]
    assert not any(answer.facts for answer, _ in faulty)
    assert not server.released.is_set()


@pytest.mark.parametrize("passing", [status(429), status(502), status(503), status(504), hangs_up, hangs_up_midway])
def test_what_may_pass_is_tried_again(passing: Answer, server: LiveServer, backend: Open) -> None:
    server.answers["/stock/tarn-2"] = in_turn(passing, says(FACTS))
    assert ask(backend(retries=1)).facts
    assert len(server.requested) == 2


def test_it_is_tried_as_often_as_declared_and_no_more(server: LiveServer, backend: Open) -> None:
    server.answers["/stock/tarn-2"] = status(503)
    assert ask(backend(retries=2)).failure == "status 503"
    assert len(server.requested) == 3


@pytest.mark.parametrize("lasting", [status(500), status(403), status(302), body(b"{"), body(b" " * 2_000_000)])
def test_what_will_not_pass_is_not_tried_again(lasting: Answer, server: LiveServer, backend: Open) -> None:
    server.answers["/stock/tarn-2"] = lasting
    assert ask(backend(retries=3)).failure
    assert len(server.requested) == 1


def test_all_tries_together_keep_the_limit(server: LiveServer, backend: Open) -> None:
    server.answers["/stock/tarn-2"] = in_turn(status(503), hangs)
    assert ask(backend(timeout_s=HASTY, retries=5)).failure == "no answer within 0.1 s"


@pytest.mark.parametrize("code", [204, 404])
def test_a_backend_may_know_nothing(code: int, server: LiveServer, backend: Open) -> None:
    server.answers["/stock/tarn-2"] = body(b"", kind=None, code=code)
    assert ask(backend()) == LiveAnswer()


def test_which_status_means_so_can_be_declared(server: LiveServer, backend: Open) -> None:
    server.answers["/stock/tarn-2"] = status(410)
    assert ask(backend(nothing_known=[410])) == LiveAnswer()
    assert ask(backend(nothing_known=[204], url=server.url + "/gone/{product_id}")).failure == "status 404"


@pytest.mark.parametrize("kind", ["application/json", "application/hal+json; charset=utf-8", "text/plain", None])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_json_is_read_whatever_it_is_called(kind: str | None, encoding: str, server: LiveServer, backend: Open) -> None:
    content = json.dumps([{"text": "3 für Köln."}], ensure_ascii=False).encode(encoding)
    server.answers["/stock/tarn-2"] = body(content, kind=kind)
    [fact] = ask(backend()).facts
    assert fact.text == "3 für Köln."


def test_an_answer_is_remembered_for_its_time_and_told_so(
    server: LiveServer, backend: Open, clock: SteppedClock
) -> None:
    server.answers["/stock/tarn-2"] = in_turn(says(FACTS), says([{"text": "2 in stock."}]))
    asked = backend(cache_s=30)
    first, second = ask(asked), ask(asked)
    assert (first.cached, second.cached) == (False, True)
    assert first.facts == second.facts
    clock.moment += timedelta(seconds=31)
    third = ask(asked)
    assert (third.cached, third.facts[0].text) == (False, "2 in stock.")


def test_what_is_remembered_is_that_of_the_same_product_and_place(server: LiveServer, backend: Open) -> None:
    asked = backend(cache_s=30, url=server.url + "/stock/{product_id}?r={region?}")
    for product_id in ("tarn-2", "tarn-3"):
        server.answers[f"/stock/{product_id}"] = says(FACTS)
        for region in ("US", "EU"):
            asked.ask(Product(id=product_id, name="x"), User(region=region))
    assert len(server.requested) == 4


def test_without_a_time_nothing_is_remembered(server: LiveServer, backend: Open) -> None:
    server.answers["/stock/tarn-2"] = says(FACTS)
    assert not any(ask(asked).cached for asked in [backend()] * 2)
    assert len(server.requested) == 2


def test_failures_are_not_remembered(server: LiveServer, backend: Open) -> None:
    server.answers["/stock/tarn-2"] = in_turn(status(500), says(FACTS))
    asked = backend(cache_s=30)
    assert ask(asked).failure
    assert ask(asked).facts


def test_many_threads_share_a_backend(server: LiveServer, backend: Open) -> None:
    server.answers["/stock/tarn-2"] = says(FACTS)
    asked = backend(cache_s=30)
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: ask(asked), range(20)))
    assert [len(answer.facts) for answer in answers] == [1] * 20


def test_facts_that_cannot_be_used_are_told_and_logged(
    server: LiveServer, backend: Open, caplog: pytest.LogCaptureFixture
) -> None:
    server.answers["/stock/tarn-2"] = says([*FACTS, {"text": ""}])
    answer = ask(backend())
    assert len(answer.facts) == 1
    assert answer.dropped == ("fact 2: text is missing",)
    assert "fact 2: text is missing" in caplog.text


@pytest.mark.parametrize("fault", [says(FACTS), status(403), status(503), hangs_up, hangs])
def test_a_secret_is_sent_and_never_logged(
    fault: Answer,
    server: LiveServer,
    backend: Open,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("SHOP_TOKEN", "s3cret\n")
    server.answers["/stock/tarn-2"] = fault
    answer = ask(backend(headers={"Authorization": "Bearer ${SHOP_TOKEN}"}, timeout_s=1.0 if fault != hangs else HASTY))
    assert server.requested[0][1]["Authorization"] == "Bearer s3cret"
    assert "s3cret" not in caplog.text
    assert "s3cret" not in str(answer)


def test_a_redirect_is_not_followed_with_the_secret(server: LiveServer, backend: Open) -> None:
    server.answers["/stock/tarn-2"] = status(307, Location=server.url + "/elsewhere")
    ask(backend(headers={"X-Key": "s3cret"}))
    assert server.paths == ["/stock/tarn-2"]
