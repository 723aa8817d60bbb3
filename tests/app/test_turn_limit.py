"""A turn that takes too long: it ends in an apology, and whatever it was doing leaves no trace."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from threading import Barrier, Event, Thread
from threading import enumerate as running
from typing import Any

import pytest

from app.assistant import Assistant
from app.settings import Settings
from app.turns import THREAD_NAME, AnswerPiece, Finished, OverrunError, TurnRun
from graph.caching import CachingEncoder
from graph.draft import Block
from graph.parts import Question, Vectors, Written
from graph.turn import Turn
from tests.app.fake_parts import ASKED, SHOP, STUCK, WEIGHT, Failing, FakeParts, Looping, Waiting, scripted
from tests.graph.fakes import BagOfWords, ScriptedRewriter
from tests.invariants import violations

AT_ONCE = 0.05


@pytest.fixture(params=[Waiting, Looping])
def stuck(request: pytest.FixtureRequest) -> Iterator[Waiting]:
    """A part that waits, and one that loops, until the test is over."""
    part: Waiting = request.param()
    yield part
    part.let_go.set()
    end_abandoned()


def end_abandoned() -> None:
    """Wait for the turns that nobody waited for."""
    for thread in running():
        if thread.name == THREAD_NAME:
            thread.join(60)
            assert not thread.is_alive()


def asked_stuck(assistant: Assistant, parts: FakeParts, thread: str = "t") -> tuple[Turn, str]:
    """A turn past its limit, and what was streamed of it."""
    parts.turn_limit_s, before = AT_ONCE, parts.turn_limit_s
    *pieces, last = assistant.stream(STUCK, thread)
    parts.turn_limit_s = before
    assert isinstance(last, Finished)
    return last.turn, "".join(piece.text for piece in pieces if isinstance(piece, AnswerPiece))


def evidence(evidence_id: str) -> dict[str, Any]:
    [found] = SHOP.evidence([evidence_id])
    return {"text": found.text, "source_type": found.source_type, "product_id": found.product_id}


def test_a_turn_past_its_limit_ends_in_an_apology_that_is_recorded(tmp_path: Path, stuck: Waiting) -> None:
    with scripted(tmp_path, stuck) as (assistant, parts):
        turn, streamed = asked_stuck(assistant, parts)
        assert turn.outcome == "no_answer"
        assert turn.degraded == "turn: no answer within 0.05 s"
        assert streamed == turn.answer
        assert violations(turn, evidence) == []
        assert not any(sentence.factual for sentence in turn.sentences)
        assert assistant.records.history("t") == [turn]
        assert assistant.records.interrupted("t") == []
        stuck.let_go.set()


def test_a_turn_past_its_limit_names_its_variant(tmp_path: Path, stuck: Waiting) -> None:
    with scripted(tmp_path, stuck) as (assistant, parts):
        parts.settings = Settings.model_validate({"variants": {"wide": {"share": 1}}})
        assert asked_stuck(assistant, parts)[0].variant == "wide"
        stuck.let_go.set()


def test_others_are_answered_while_a_turn_is_stuck(tmp_path: Path, stuck: Waiting) -> None:
    with scripted(tmp_path, stuck) as (assistant, _):
        events = assistant.stream(STUCK, "slow")
        slow = Thread(target=list, args=(events,))
        slow.start()
        assert stuck.reached.wait(60)
        assert [assistant.ask(ASKED, f"t{number}").outcome for number in range(3)] == ["clear"] * 3
        assert assistant.records.history("slow") == []
        stuck.let_go.set()
        slow.join(60)
        assert [turn.outcome for turn in assistant.records.history("slow")] == ["clear"]


def test_an_abandoned_turn_writes_nothing_when_it_goes_on(tmp_path: Path, stuck: Waiting) -> None:
    rewriter = ScriptedRewriter()
    with scripted(tmp_path, stuck, rewriter=rewriter) as (assistant, parts):
        first = assistant.ask(ASKED, "t")
        sorry, _ = asked_stuck(assistant, parts)
        stuck.let_go.set()
        end_abandoned()
        assert assistant.records.history("t") == [first, sorry]
        after = assistant.ask(ASKED, "t")
        assert assistant.records.history("t") == [first, sorry, after]
        assert [turn.query for turn in rewriter.seen[-1].turns] == [ASKED]


def test_the_next_turn_of_the_conversation_does_not_wait_for_an_abandoned_one(tmp_path: Path, stuck: Waiting) -> None:
    with scripted(tmp_path, stuck) as (assistant, parts):
        asked_stuck(assistant, parts)
        assert assistant.ask(ASKED, "t").outcome == "clear"
        stuck.let_go.set()


class BrokenOff:
    """Shows a sentence and then waits."""

    offered: Collection[str] = ()
    only_unsure = False

    def __init__(self) -> None:
        self.let_go = Event()

    def write(
        self,
        question: Question,
        sources: Question,
        experiences: Collection[str],
        show: Callable[[Sequence[Block]], None],
    ) -> Written:
        del question, sources, experiences
        show([Block(sentences=[WEIGHT.model_copy(update={"support": 0.9})])])
        assert self.let_go.wait(60)
        return Written(None, failure="broken off")


def test_what_was_shown_before_the_limit_stays_with_its_sources(tmp_path: Path) -> None:
    writer = BrokenOff()
    with scripted(tmp_path, writer=writer) as (assistant, parts):
        parts.turn_limit_s = 0.5
        *pieces, last = assistant.stream(ASKED, "t")
        assert isinstance(last, Finished)
        turn = last.turn
        writer.let_go.set()
        end_abandoned()
        assert "".join(piece.text for piece in pieces if isinstance(piece, AnswerPiece)) == turn.answer
        assert turn.answer.startswith("The Tarn 2 weighs 1.9 kg [1].\n\nSorry")
        assert [(one.evidence_id, one.quote) for one in turn.citations] == [("spec:tarn-2", "Weight: 1.9 kg")]
        assert (turn.outcome, turn.answered_by) == ("clear", "llm")
        assert turn.degraded is not None
        assert [finding for finding in violations(turn, evidence) if "is about no product" not in finding] == []
        assert assistant.source("spec:tarn-2", turn.generation).text == evidence("spec:tarn-2")["text"]
        assert assistant.records.history("t") == [turn]


def test_a_turn_that_fails_is_marked_and_can_be_asked_again(tmp_path: Path) -> None:
    with scripted(tmp_path, Failing()) as (assistant, _):
        first = assistant.ask(ASKED, "t")
        with pytest.raises(RuntimeError, match="out of order"):
            assistant.ask(STUCK, "t")
        assert [(one.query, one.after_turn) for one in assistant.records.interrupted("t")] == [(STUCK, first.turn_id)]
        assert len(assistant.records.history("t")) == 1
        assert assistant.ask(ASKED, "t").outcome == "clear"


def test_a_conversation_whose_only_question_failed_is_still_listed(tmp_path: Path) -> None:
    with scripted(tmp_path, Failing()) as (assistant, _):
        with pytest.raises(RuntimeError):
            assistant.ask(STUCK, "t")
        assert [(one.thread_id, one.title, one.turns) for one in assistant.records.threads()] == [("t", STUCK, 0)]


def test_a_turn_whose_record_fails_is_not_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rewriter = ScriptedRewriter()

    def fail(*_: object) -> None:
        message = "the disk is full"
        raise OSError(message)

    with scripted(tmp_path, rewriter=rewriter) as (assistant, parts):
        assistant.ask(ASKED, "t")
        with monkeypatch.context() as patch:
            patch.setattr(parts.records, "record", fail)
            with pytest.raises(OSError, match="disk"):
                assistant.ask("and its price?", "t")
        assistant.ask(ASKED, "t")
        assert [turn.query for turn in rewriter.seen[-1].turns] == [ASKED]
        assert [one.query for one in assistant.records.interrupted("t")] == ["and its price?"]


def test_a_stream_that_is_left_once_it_is_settled_is_still_recorded(tmp_path: Path) -> None:
    with scripted(tmp_path) as (assistant, _):
        with closing(assistant.stream(ASKED, "t")) as events:
            next(event for event in events if isinstance(event, AnswerPiece))
        assert len(assistant.records.history("t")) == 1
        assert assistant.records.interrupted("t") == []


class Meeting(BagOfWords):
    """Embeds a stuck question only when another question is being embedded at the same time."""

    def __init__(self) -> None:
        super().__init__()
        self.both = Barrier(2, timeout=60)

    def encode(self, texts: Sequence[str]) -> Vectors:
        if any("meet" in text for text in texts):
            self.both.wait()
        return super().encode(texts)


def test_what_is_abandoned_cannot_settle_any_more_and_what_is_settled_is_waited_for() -> None:
    go_on, wrote = Event(), []

    def work(run: TurnRun) -> Turn:
        assert go_on.wait(60)
        run.settle()
        wrote.append("a record")
        raise AssertionError

    run = TurnRun(work)
    with pytest.raises(OverrunError):
        list(run.events(0))
    go_on.set()
    end_abandoned()
    assert wrote == []
    late = TurnRun(work)
    with pytest.raises(AssertionError):
        list(late.events(60))
    assert wrote == ["a record"]
    assert not late.abandon()


def test_two_turns_embed_at_the_same_time() -> None:
    encoder = CachingEncoder(Meeting())
    threads = [Thread(target=encoder.encode, args=([f"meet {number}"],)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(encoder.encode(["meet 0", "meet 1"])) == 2


def test_a_served_model_has_its_own_time_on_top() -> None:
    local = Settings(turn_s=10)
    served = Settings.model_validate({"turn_s": 10, "llm": {"base_url": "http://127.0.0.1:1/v1", "model": "m"}})
    assert local.turn_limit_s == 10
    assert served.turn_limit_s == 10 + 3 * (served.llm.connect_s + served.llm.total_s)
