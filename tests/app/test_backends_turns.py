"""The assistant beside live backends, over a real index and real HTTP."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import asdict
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from app import Assistant
from app.cli.ask import find_source
from app.cli.turn_view import print_explanation
from app.settings import Settings
from app.ui.markup import turn_html
from graph.turn import Turn
from ingestion.ingest import ingest
from tests.app.live_server import LiveServer, hangs, says, status
from tests.invariants import violations

STORES = {"stores": [{"id": "pdx", "store": "Portland", "quantity": 3}]}
IN_STOCK = "Is the Aurora X2 in stock?"

Open = Callable[..., Assistant]


@pytest.fixture
def declared(server: LiveServer) -> dict[str, Any]:
    """A stock service."""
    return {
        "name": "the stock service",
        "intents": ["stock_availability"],
        "source_type": "stock",
        "url": server.url + "/stock/{product_id}?region={region?}&m={membership?}",
        "timeout_s": 5,
        "facts": {"items": "stores", "id": "id", "text_template": "{quantity} in stock at {store}."},
    }


@pytest.fixture
def opened(index: Path, tmp_path: Path) -> Iterator[Open]:
    """Opens assistants over the small shop with given backends."""
    assistants: list[Assistant] = []

    def opens(*backends: dict[str, Any], over: Path = index) -> Assistant:
        given = {"records": tmp_path / "records.sqlite", "threads": tmp_path / "threads.sqlite", "backends": backends}
        assistants.append(Assistant.open(str(over), Settings.model_validate(given)))
        return assistants[-1]

    yield opens
    for assistant in assistants:
        assistant.close()


def broken(assistant: Assistant, turn: Turn) -> list[str]:
    generations = {citation.evidence_id: citation.generation for citation in turn.citations}
    return violations(turn, lambda key: asdict(assistant.source(key, generations[key])))


def test_a_conversation_is_answered_from_live_stock(server: LiveServer, opened: Open, declared: dict[str, Any]) -> None:
    server.answers["/stock/aurora-x2"] = says(STORES)
    server.answers["/stock/aurora-x3"] = says({"stores": [{"id": "pdx", "store": "Portland", "quantity": 0}]})
    assistant = opened(declared)
    user = {"region": "US-west", "membership": "gold"}
    first = assistant.ask(IN_STOCK, thread="t", user=user)
    assert first.outcome == "clear"
    assert first.answer == "3 in stock at Portland [1]."
    second = assistant.ask("and the Aurora X3?", thread="t")
    assert second.answer == "No. 0 in stock at Portland [1]."
    assert [citation.evidence_id for turn in (first, second) for citation in turn.citations] == [
        "stock:live/stock-service/aurora-x2/pdx",
        "stock:live/stock-service/aurora-x3/pdx",
    ]
    assert server.paths == [f"/stock/aurora-{name}?region=US-west&m=gold" for name in ("x2", "x3")]
    assert broken(assistant, first) + broken(assistant, second) == []


def test_a_slow_service_becomes_could_not_reach_and_the_rest_is_answered(
    server: LiveServer, opened: Open, declared: dict[str, Any]
) -> None:
    server.answers["/stock/aurora-x2"] = hangs
    assistant = opened(declared | {"timeout_s": 0.1})
    alone = assistant.ask(IN_STOCK)
    assert alone.outcome == "no_answer"
    assert alone.answer.startswith("I could not reach the stock service")
    assert alone.degraded == "the stock service: no answer within 0.1 s"
    beside = assistant.ask("How heavy is the Aurora X2, and is it in stock?")
    assert "172 g" in beside.answer
    assert "I could not reach the stock service" in beside.answer
    assert not {citation.source_type for citation in beside.citations} & {"stock", "variant"}
    assert broken(assistant, alone) + broken(assistant, beside) == []
    assert not server.released.is_set()


def test_of_two_services_the_one_that_is_up_is_used(server: LiveServer, opened: Open, declared: dict[str, Any]) -> None:
    offers = declared | {
        "name": "the offers service",
        "intents": ["offers_and_discounts"],
        "source_type": "offer",
        "url": server.url + "/offers/{product_id}",
        "facts": {"text": "text"},
    }
    server.answers["/stock/aurora-x2"] = status(500)
    server.answers["/offers/aurora-x2"] = says([{"text": "The Aurora X2 is $70 off until Sunday."}])
    turn = opened(declared, offers).ask("Is there a discount on the Aurora X2, and is it in stock?")
    assert "$70 off" in turn.answer
    assert "I could not reach the stock service" in turn.answer
    assert turn.degraded == "the stock service: status 500"


def test_sources_of_old_answers_open_as_they_were_said(
    server: LiveServer, opened: Open, declared: dict[str, Any]
) -> None:
    assistant = opened(declared)
    turns = []
    for quantity in (3, 1):
        stores = [{"id": "pdx", "store": "Portland", "quantity": quantity}]
        server.answers["/stock/aurora-x2"] = says({"stores": stores})
        turns.append(assistant.ask(IN_STOCK, thread="t"))
    assert [turn.citations[0].evidence_id for turn in turns] == ["stock:live/stock-service/aurora-x2/pdx"] * 2
    for turn, text in zip(turns, ("3 in stock at Portland.", "1 in stock at Portland."), strict=True):
        [citation] = turn.citations
        source = assistant.source(citation.evidence_id, citation.generation)
        assert source.text == text
        assert source.text[citation.start : citation.end] == citation.quote


def test_the_evidence_command_finds_live_facts(
    server: LiveServer, opened: Open, declared: dict[str, Any], index: Path, tmp_path: Path
) -> None:
    server.answers["/stock/aurora-x2"] = says(STORES)
    [citation] = opened(declared).ask(IN_STOCK).citations
    settings = Settings(records=tmp_path / "records.sqlite")
    for generation in (citation.generation, None):
        source, found_in = find_source(citation.evidence_id, generation, index, settings)
        assert source.text[citation.start : citation.end] == citation.quote
        assert found_in == citation.generation


def test_a_new_generation_of_the_index_keeps_the_backends(
    server: LiveServer, opened: Open, declared: dict[str, Any], shop: Path, tmp_path: Path
) -> None:
    own = tmp_path / "own"
    ingest([shop / "products.jsonl"], own)
    server.answers["/stock/aurora-x2"] = says(STORES)
    assistant = opened(declared | {"cache_s": 60}, over=own)
    before = assistant.ask(IN_STOCK)
    ingest([shop / "products.jsonl", shop / "reviews.jsonl"], own)
    after = assistant.ask(IN_STOCK)
    assert before.generation != after.generation
    assert after.answer == before.answer
    assert after.backends[0].cached


def test_no_secret_is_logged_or_stored(
    server: LiveServer,
    opened: Open,
    declared: dict[str, Any],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("SHOP_TOKEN", "s3cret")
    server.answers["/stock/aurora-x2"] = says(STORES)
    assistant = opened(declared | {"headers": {"Authorization": "Bearer ${SHOP_TOKEN}"}})
    turns = [assistant.ask(IN_STOCK), assistant.ask("Is the Aurora X3 in stock?")]
    assert {headers["Authorization"] for _, headers in server.requested} == {"Bearer s3cret"}
    assert not any("s3cret" in turn.model_dump_json() for turn in turns)
    assert "s3cret" not in caplog.text
    assert not any(b"s3cret" in file.read_bytes() for file in tmp_path.glob("*.sqlite*"))


def test_the_backends_of_a_turn_are_explained_in_terminal_and_page(
    server: LiveServer, opened: Open, declared: dict[str, Any]
) -> None:
    server.answers["/stock/aurora-x2"] = says({"stores": [*STORES["stores"], {"id": "sea"}]})
    assistant = opened(declared | {"cache_s": 60})
    assistant.ask(IN_STOCK)
    server.answers["/stock/aurora-x3"] = status(500)
    for question, result in (
        (IN_STOCK, "1 fact, 1 not usable, remembered"),
        ("Is the Aurora X3 in stock?", "failed, status 500"),
    ):
        turn = assistant.ask(question)
        written = StringIO()
        print_explanation(Console(file=written, width=200), turn)
        assert result in written.getvalue()
        assert "live: the stock service" in written.getvalue()
        assert "The stock service" in turn_html(turn, lambda *_: None, {})
        assert result in turn_html(turn, lambda *_: None, {})
        assert "Live: the stock service" in turn_html(turn, lambda *_: None, {})


def test_a_backends_time_is_not_counted_twice(a_turn: Callable[..., Turn]) -> None:
    turn = a_turn(timings_ms={"retrieve": 10.0, "live": 50.0, "live: the stock service": 49.0})
    assert "60 ms in all" in turn_html(turn, lambda *_: None, {})
