"""The assistant over a real index: threads, streaming, sources, new generations."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from app import Assistant
from app.access import LOCAL
from app.errors import (
    InputError,
    InvalidUserError,
    UnknownSourceError,
    UnknownThreadError,
    UnwritableRecordsError,
)
from app.settings import Settings
from app.storage.records import Feedback
from app.turns import AnswerPiece, Finished, Searched, Understood
from graph.turn import Turn
from ingestion.errors import MissingIndexError
from ingestion.index import roll_back
from ingestion.ingest import ingest


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings whose databases are the test's own."""
    return Settings(records=tmp_path / "records.sqlite", threads=tmp_path / "threads.sqlite")


@pytest.fixture
def assistant(index: Path, settings: Settings) -> Iterator[Assistant]:
    """An assistant over the small shop."""
    with Assistant.open(str(index), settings) as opened:
        yield opened


def test_a_question_gets_a_cited_answer(assistant: Assistant) -> None:
    turn = assistant.ask("How heavy is the Aurora X2?")
    assert (turn.outcome, [product.id for product in turn.products]) == ("clear", ["aurora-x2"])
    assert "172 g" in turn.answer
    assert {citation.product_id for citation in turn.citations} == {"aurora-x2"}
    assert turn.config_hash == Settings().config_hash


def test_the_streamed_pieces_are_the_answer(assistant: Assistant) -> None:
    *pieces, last = assistant.stream("How heavy is the Aurora X2?")
    assert isinstance(last, Finished)
    assert "".join(piece.text for piece in pieces if isinstance(piece, AnswerPiece)) == last.turn.answer


def test_a_conversation_remembers_what_it_is_about(assistant: Assistant) -> None:
    assistant.ask("How heavy is the Aurora X2?", thread="t")
    turn = assistant.ask("and the battery?", thread="t")
    assert turn.thread_id == "t"
    assert "4,500 mAh" in turn.answer
    assert "Aurora X2" in turn.standalone_query


def test_a_conversation_survives_a_restart(index: Path, settings: Settings) -> None:
    with Assistant.open(str(index), settings) as first:
        asked = first.ask("How heavy is the Aurora X2?", thread="t")
    with Assistant.open(str(index), settings) as second:
        assert second.records.history("t") == [asked]
        assert "4,500 mAh" in second.ask("and the battery?", thread="t").answer
        assert [(thread.thread_id, thread.title) for thread in second.records.threads()] == [
            ("t", "How heavy is the Aurora X2?")
        ]


def test_an_assistant_that_cannot_be_opened_leaves_nothing_open(index: Path, settings: Settings) -> None:
    settings.threads.mkdir()
    with pytest.raises(UnwritableRecordsError, match="threads"):
        Assistant.open(str(index), settings)
    assert list(settings.records.parent.glob("*.alive")) == []


def test_questions_without_a_thread_are_conversations_of_their_own(assistant: Assistant) -> None:
    turns = [assistant.ask("How heavy is the Aurora X2?") for _ in range(2)]
    assert turns[0].thread_id != turns[1].thread_id
    assert turns[0].turn_id != turns[1].turn_id


def test_many_conversations_at_once_do_not_mix(assistant: Assistant) -> None:
    names = {"aurora-x2": "Aurora X2", "aurora-x2-pro": "Aurora X2 Pro", "aurora-x3": "Aurora X3"}

    def talk(product_id: str) -> Turn:
        assistant.ask(f"How heavy is the {names[product_id]}?", thread=product_id)
        return assistant.ask("and its battery?", thread=product_id)

    with ThreadPoolExecutor(6) as pool:
        turns = dict(zip(names, pool.map(talk, names), strict=True))
    assert {name: [p.id for p in turn.products] for name, turn in turns.items()} == {name: [name] for name in names}


def test_two_questions_in_one_conversation_follow_each_other(assistant: Assistant) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: assistant.ask("How heavy is the Aurora X2?", thread="t"), range(4)))
    assert len(assistant.records.history("t")) == 4


def test_a_stream_that_is_left_early_frees_its_conversation(assistant: Assistant) -> None:
    with closing(assistant.stream("How heavy is the Aurora X2?", thread="t")) as events:
        next(event for event in events if isinstance(event, AnswerPiece))
    assert assistant.ask("How heavy is the Aurora X3?", thread="t").products[0].id == "aurora-x3"


def test_a_turn_tells_how_far_it_has_come_before_it_says_anything(assistant: Assistant) -> None:
    assistant.ask("How heavy is the Aurora X2?", thread="t")
    understood, searched, *pieces, last = assistant.stream("and the display?", thread="t")
    assert isinstance(understood, Understood)
    assert isinstance(last, Finished)
    assert understood == Understood(last.turn.standalone_query, tuple(last.turn.intent.selected))
    assert "Aurora X2" in understood.question
    assert searched == Searched(len(last.turn.retrieved))
    assert {type(piece) for piece in pieces} == {AnswerPiece}


def test_a_conversation_is_forgotten_by_its_owner_alone(assistant: Assistant) -> None:
    assistant.ask("How heavy is the Aurora X2?", thread="t", owner="ann")
    with pytest.raises(UnknownThreadError):
        assistant.forget("t", owner="bob")
    assert assistant.records.history("t", owner="ann")
    assistant.forget("t", owner="ann")
    assert assistant.records.threads("ann") == []
    assert "Aurora X2" not in assistant.ask("and the display?", thread="t", owner="ann").standalone_query


@pytest.mark.parametrize("text", ["", " ", "\x00\x07"])
def test_an_unaskable_question_is_refused_before_anything_is_recorded(assistant: Assistant, text: str) -> None:
    with pytest.raises(InputError):
        assistant.ask(text, thread="t")
    with pytest.raises(InputError):
        assistant.stream("why " * 5_000, thread="t")
    assert assistant.records.history("t") == []


@pytest.mark.parametrize("text", ["⛺🔥", "هل هو مقاوم للماء؟", "<b>[1]</b> $5 *x*", "'; DROP TABLE turns; --"])
def test_odd_questions_end_in_a_turn(assistant: Assistant, text: str) -> None:
    assert assistant.ask(text, thread="t").query == text
    assert len(assistant.records.history("t")) == 1


def test_a_user_with_unknown_fields_is_refused(assistant: Assistant) -> None:
    with pytest.raises(InvalidUserError, match="rolle"):
        assistant.ask("How heavy is the Aurora X2?", user={"rolle": "buyer"})


def test_the_open_page_is_the_context_of_a_question(assistant: Assistant) -> None:
    turn = assistant.ask("How heavy is it?", user={"page": {"product_id": "aurora-x3"}})
    assert [product.id for product in turn.products] == ["aurora-x3"]


def test_every_citation_opens_its_source(assistant: Assistant) -> None:
    turn = assistant.ask("How heavy is the Aurora X2?")
    for citation in turn.citations:
        source = assistant.source(citation.evidence_id, citation.generation)
        assert source.text[citation.start : citation.end] == citation.quote


def test_a_source_nobody_cited_opens_from_the_index_and_an_unknown_one_does_not(assistant: Assistant) -> None:
    generation = assistant.ask("Hello").generation
    assert assistant.source("spec:aurora-x3", generation).product_id == "aurora-x3"
    with pytest.raises(UnknownSourceError):
        assistant.source("spec:nothing", generation)
    with pytest.raises(UnknownSourceError):
        assistant.source("spec:aurora-x3", "no-such-generation")


def test_feedback_is_kept_with_its_turn(assistant: Assistant) -> None:
    turn = assistant.ask("How heavy is the Aurora X2?", thread="t")
    assistant.records.record_feedback(turn.turn_id, Feedback("down"))
    assert assistant.records.feedback("t") == {turn.turn_id: Feedback("down")}


def test_a_new_generation_answers_from_the_next_turn_and_old_sources_still_open(
    tmp_path: Path, settings: Settings
) -> None:
    shop, index = tmp_path / "shop", tmp_path / "index"
    _write_shop(shop, "1.9 kg")
    ingest([shop], index)
    with Assistant.open(str(index), settings) as assistant:
        before = assistant.ask("How heavy is the Kestrel 2?", thread="t")
        for weight in ("1.8 kg", "1.7 kg", "1.6 kg", "1.5 kg"):
            _write_shop(shop, weight)
            ingest([shop], index)
        after = assistant.ask("How heavy is the Kestrel 2?", thread="t")
        assert "1.9 kg" in before.answer
        assert "1.5 kg" in after.answer
        old = before.citations[0]
        assert assistant.source(old.evidence_id, old.generation).text[old.start : old.end] == old.quote


def test_a_rollback_answers_from_the_next_turn_of_a_running_conversation(tmp_path: Path, settings: Settings) -> None:
    shop, index = tmp_path / "shop", tmp_path / "index"
    for weight in ("1.9 kg", "9.1 kg"):
        _write_shop(shop, weight)
        ingest([shop], index)
    with Assistant.open(str(index), settings) as assistant:
        wrong = assistant.ask("How heavy is the Kestrel 2?", thread="t")
        roll_back(index)
        assert "1.9 kg" in assistant.ask("How heavy is the Kestrel 2?", thread="t").answer
        old = wrong.citations[0]
        assert assistant.source(old.evidence_id, old.generation).text[old.start : old.end] == old.quote


def test_an_index_that_breaks_does_not_end_a_running_conversation(tmp_path: Path, settings: Settings) -> None:
    shop, index = tmp_path / "shop", tmp_path / "index"
    _write_shop(shop, "1.9 kg")
    ingest([shop], index)
    with Assistant.open(str(index), settings) as assistant:
        (index / "CURRENT").write_text("gone")
        assert "1.9 kg" in assistant.ask("How heavy is the Kestrel 2?").answer


def test_a_missing_index_is_named_and_leaves_no_files(tmp_path: Path, settings: Settings) -> None:
    with pytest.raises(MissingIndexError, match="nowhere"):
        Assistant.open(str(tmp_path / "nowhere"), settings)
    assert not settings.records.exists()


def test_the_clock_can_be_set(index: Path, settings: Settings) -> None:
    class Clock:
        def now(self) -> datetime:
            return datetime(2031, 5, 6, tzinfo=UTC)

    with Assistant.open(str(index), settings, Clock()) as assistant:
        assistant.ask("How heavy is the Aurora X2?")
        assert assistant.records.threads()[0].updated.date() == date(2031, 5, 6)


def test_a_conversation_is_its_owners_and_not_found_by_others(assistant: Assistant) -> None:
    turn = assistant.ask("How heavy is the Aurora X2?", thread="t", owner="ann")
    assistant.records.record_feedback(turn.turn_id, Feedback("up"), "ann")
    for other in ("bob", LOCAL):
        assert assistant.records.history("t", other) == []
        assert assistant.records.threads(other) == []
        assert assistant.records.feedback("t", other) == {}
        with pytest.raises(UnknownThreadError):
            assistant.ask("and the battery?", thread="t", owner=other)
        assistant.records.record_feedback(turn.turn_id, Feedback("down"), other)
    assert assistant.records.history("t", "ann") == [turn]
    assert assistant.records.feedback("t", "ann") == {turn.turn_id: Feedback("up")}
    assert "4,500 mAh" in assistant.ask("and the battery?", thread="t", owner="ann").answer


def test_a_source_of_an_old_generation_opens_for_who_was_told_of_it(tmp_path: Path, settings: Settings) -> None:
    shop, index = tmp_path / "shop", tmp_path / "index"
    _write_shop(shop, "1.9 kg")
    ingest([shop], index)
    with Assistant.open(str(index), settings) as assistant:
        citation = assistant.ask("How heavy is the Kestrel 2?", owner="ann").citations[0]
        _write_shop(shop, "1.8 kg")
        ingest([shop], index)
        assert "1.9 kg" in assistant.source(citation.evidence_id, citation.generation, "ann").text
        with pytest.raises(UnknownSourceError):
            assistant.source(citation.evidence_id, citation.generation, "bob")


def test_ids_of_new_conversations_cannot_be_guessed(assistant: Assistant) -> None:
    assert len({assistant.ask("Hello").thread_id for _ in range(3)} | {"0" * 32}) == 4
    assert all(len(thread.thread_id) == 32 for thread in assistant.records.threads())


def test_nothing_personal_is_written_and_the_turn_may_use_it(assistant: Assistant, settings: Settings) -> None:
    told = ("jane@shop.example", "202-555-0123", "4111 1111 1111 1111")
    turn = assistant.ask(
        f"I am {told[0]}, {told[1]}, paid with {told[2]}. I want a person! Is the Aurora X2 fireproof?",
        thread="t",
        user={"membership": told[0]},
    )
    assert turn.escalation is not None
    assistant.ask(f"Do you rent it to {told[1]}?", thread="t")
    files = [file for file in settings.records.parent.iterdir() if "sqlite" in file.name]
    assert len(files) >= 2
    written = b"".join(file.read_bytes() for file in files)
    assert not [one for one in told if one.encode() in written]
    (first, _) = assistant.records.history("t")
    assert first.query.startswith("I am [e-mail address], [phone number], paid with [card number].")


def test_a_number_that_the_shop_states_stays_in_what_is_kept(tmp_path: Path, settings: Settings) -> None:
    shop, index = tmp_path / "shop", tmp_path / "index"
    _write_shop(shop, "1.9 kg")
    (shop / "contact.md").write_text("# Contact\n\nCall our customer service at 202-555-0123 for help with an order.\n")
    ingest([shop], index)
    with Assistant.open(str(index), settings) as assistant:
        turn = assistant.ask("How can I call customer service for help with an order?", thread="t")
        assert "202-555-0123" in turn.answer
        assert assistant.records.history("t") == [turn]
        assistant.ask("Is 202-555-0123 your customer service for help with an order?", thread="t")
        assert "202-555-0123" in assistant.records.history("t")[1].answer


def test_what_is_older_than_settings_let_it_become_is_gone_at_the_start(index: Path, settings: Settings) -> None:
    class Clock:
        time = datetime(2026, 6, 1, tzinfo=UTC)

        def now(self) -> datetime:
            return self.time

    clock = Clock()
    with Assistant.open(str(index), settings, clock) as first:
        first.ask("How heavy is the Aurora X2?", thread="t")
    clock.time = datetime(2027, 5, 31, tzinfo=UTC)
    with Assistant.open(str(index), settings, clock) as second:
        assert len(second.records.history("t")) == 1
    clock.time = datetime(2027, 6, 2, tzinfo=UTC)
    with Assistant.open(str(index), settings, clock) as third:
        assert third.records.history("t") == []
        assert third.ask("and the battery?", thread="t").products == []


def _write_shop(folder: Path, weight: str) -> None:
    folder.mkdir(exist_ok=True)
    product = {"id": "kestrel-2", "name": "Kestrel 2", "category": ["Tents"], "attributes": {"Weight": weight}}
    (folder / "products.jsonl").write_text(json.dumps(product) + "\n")
