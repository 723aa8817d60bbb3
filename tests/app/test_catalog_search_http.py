"""The catalog search of a shop over real HTTP: read, bounded in time, and part of a turn."""

import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from app import Assistant
from app.backends.http_backend import LONGEST_QUERY, HttpCatalogSearch, HttpServices
from app.backends.options import CatalogSearchOptions
from app.settings import Settings
from app.storage.records import SystemClock
from graph.parts import OutsideAnswer, OutsideProduct
from tests.app.live_server import Answer, LiveServer, body, drips, endless, hangs, hangs_up, says, status

HERON = {"id": "heron-2", "name": "Heron 2"}
HASTY = 0.1
UNKNOWN = "How heavy is the Quorra 7?"

Open = Callable[..., HttpCatalogSearch]


@pytest.fixture
def search(server: LiveServer) -> Iterator[Open]:
    """Opens a search at the server's `/search?q={query}`, with changed options."""
    opened: list[HttpServices] = []

    def opens(**changes: Any) -> HttpCatalogSearch:  # noqa: ANN401 - any option
        options = {"url": server.url + "/search?q={query}", "timeout_s": 5}
        opened.append(HttpServices([], CatalogSearchOptions.model_validate(options | changes), SystemClock()))
        assert opened[-1].outside
        return opened[-1].outside

    yield opens
    for one in opened:
        one.close()


def test_products_are_read_by_the_mapping_and_the_name_is_encoded(server: LiveServer, search: Open) -> None:
    server.answers["/search"] = says({"hits": [{"doc": {"sku": 7, "title": "Heron 2"}}, {"doc": {}}]})
    found = search(items="hits", id="doc.sku", product_name="doc.title").search("two  man&dome?")
    assert found == OutsideAnswer((OutsideProduct("7", "Heron 2"), OutsideProduct("", "")))
    assert server.paths == ["/search?q=two%20man%26dome%3F"]


def test_an_object_is_a_list_of_one_and_nothing_known_is_an_empty_answer(server: LiveServer, search: Open) -> None:
    server.answers["/search"] = says(HERON)
    assert search().search("heron").products == (OutsideProduct("heron-2", "Heron 2"),)
    server.answers["/search"] = status(404)
    assert search().search("heron") == OutsideAnswer()


def test_no_more_of_a_text_than_a_name_may_have_is_sent(server: LiveServer, search: Open) -> None:
    server.answers["/search"] = says([])
    search().search("x" * 1000)
    assert server.paths == ["/search?q=" + "x" * LONGEST_QUERY]


def test_an_answer_is_remembered_where_that_is_wanted_and_a_failure_never(server: LiveServer, search: Open) -> None:
    server.answers["/search"] = status(500)
    remembering = search(cache_s=60)
    assert remembering.search("heron").failure == "status 500"
    server.answers["/search"] = says([HERON])
    assert [remembering.search("heron").cached for _ in range(2)] == [False, True]
    assert len(server.requested) == 2


@pytest.mark.parametrize("fault", [hangs, drips, endless, hangs_up, status(503), body(b"<html>", kind="text/html")])
def test_every_fault_is_a_failure_in_time(
    server: LiveServer, search: Open, fault: Answer, caplog: pytest.LogCaptureFixture
) -> None:
    server.answers["/search"] = fault
    with caplog.at_level(logging.WARNING):
        start = time.monotonic()
        answer = search(timeout_s=HASTY).search("heron")
    assert answer.failure
    assert answer.products == ()
    assert time.monotonic() - start < HASTY + 1
    assert server.url not in caplog.text + answer.failure


@pytest.mark.parametrize(
    "url",
    ["http://shop.test/search", "http://{query}.shop.test/", "ftp://shop.test/{query}", "http://u:p@shop.test/{query}"],
)
def test_an_address_that_cannot_work_is_refused(url: str) -> None:
    with pytest.raises(ValidationError):
        CatalogSearchOptions(url=url)


@pytest.fixture
def opened(index: Path, tmp_path: Path, server: LiveServer) -> Iterator[Callable[..., Assistant]]:
    """Opens assistants over the small shop that ask the server's search."""
    assistants: list[Assistant] = []

    def opens(**changes: Any) -> Assistant:  # noqa: ANN401 - any option
        declared = {"url": server.url + "/search?q={query}", "name": "the shop search", "timeout_s": 5} | changes
        given = {"records": tmp_path / "records.sqlite", "threads": tmp_path / "threads.sqlite"}
        assistants.append(Assistant.open(str(index), Settings.model_validate(given | {"catalog_search": declared})))
        return assistants[-1]

    yield opens
    for assistant in assistants:
        assistant.close()


def test_a_name_that_only_the_shop_knows_is_answered(server: LiveServer, opened: Callable[..., Assistant]) -> None:
    server.answers["/search"] = says([HERON])
    turn = opened().ask(UNKNOWN, thread="t")
    assert [(match.id, match.method) for match in turn.products] == [("heron-2", "search")]
    assert (turn.standalone_query, turn.rewritten_by) == ("How heavy is the Heron 2?", "rules")
    assert turn.outcome == "clear"
    assert {citation.product_id for citation in turn.citations} == {"heron-2"}
    assert [(call.name, call.facts, call.failure) for call in turn.backends] == [("the shop search", 1, None)]
    assert turn.degraded is None


def test_a_search_that_fails_is_reported_and_the_name_stays_unknown(
    server: LiveServer, opened: Callable[..., Assistant]
) -> None:
    server.answers["/search"] = hangs
    turn = opened(timeout_s=HASTY).ask(UNKNOWN, thread="t")
    assert turn.products == []
    assert turn.degraded == "the shop search: no answer within 0.1 s"
    assert "Quorra 7" in turn.answer


def test_a_product_that_the_index_has_is_found_without_it(server: LiveServer, opened: Callable[..., Assistant]) -> None:
    server.answers["/search"] = says([HERON])
    turn = opened().ask("How heavy is the Aurora X2?", thread="t")
    assert [match.id for match in turn.products] == ["aurora-x2"]
    assert server.requested == []
