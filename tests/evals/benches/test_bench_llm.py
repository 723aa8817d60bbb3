"""Turns over a served model, watched and measured, without a server."""

from collections.abc import Generator

import pytest

from app.cli.vllm import STATIC_TOKENS
from app.errors import InputError
from app.llm.answer import CUT_OFF
from app.llm.options import LlmOptions
from evals.benches import llm
from evals.benches.llm import (
    LENGTH,
    HeldTurn,
    LlmBenchmark,
    Pace,
    as_markdown,
    course,
    product_conversations,
    question_first,
    task_of,
)
from evals.benches.observed_model import Exchange, ObservedModel, waited_s
from graph.llm.dialogue import DialogueContext, dialogue_prompt
from graph.llm.model import Completion, LanguageModelError, Piece, Prompt, Request
from graph.llm.prompts import prompt_text, static_prompt
from graph.llm.turn_prompt import turn_prompt
from graph.turn import Turn, Usage
from ingestion.encoder import shared_encoder
from ingestion.evidence import Product
from tests.graph.llm.questions import asked

COST = Usage(llm_calls=1, prompt_tokens=100, cached_tokens=60, completion_tokens=5)
PROMPT = turn_prompt(asked(), prompt_text("answer"))
ASKED = Request(PROMPT, 10)


class Fixed:
    """Says two words, or fails after the first."""

    name = "fixed"

    def __init__(self, fails: str = "") -> None:
        self.prompts: list[Prompt] = []
        self._fails = fails

    def complete(self, request: Request) -> Completion:
        raise NotImplementedError

    def stream(self, request: Request) -> Generator[Piece]:
        self.prompts.append(request.prompt)
        yield Piece("outcome: ")
        if self._fails:
            raise LanguageModelError(self._fails, COST)
        yield Piece("clear")
        yield Piece(usage=COST)

    def close(self) -> None: ...


def test_a_watched_model_says_what_the_model_says_and_keeps_it() -> None:
    model = ObservedModel(Fixed())
    assert model.complete(ASKED) == Completion("outcome: clear", COST)
    (exchange,) = model.taken()
    assert (exchange.request, exchange.text, exchange.usage) == (ASKED, "outcome: clear", COST)
    assert exchange.first is not None
    assert exchange.first >= exchange.begun
    assert model.taken() == []


def test_a_failure_passes_through_and_is_kept_with_its_cost() -> None:
    model = ObservedModel(Fixed("it broke"))
    with pytest.raises(LanguageModelError):
        model.complete(ASKED)
    (exchange,) = model.taken()
    assert (exchange.text, exchange.failure, exchange.usage) == ("outcome: ", "it broke", COST)


def test_a_lead_begins_the_prompt_that_is_sent_and_not_the_one_that_is_kept() -> None:
    served = Fixed()
    model = ObservedModel(served, "Run 1.\n")
    model.complete(ASKED)
    assert served.prompts[0].static == f"Run 1.\n{PROMPT.static}"
    assert model.taken()[0].request.prompt == PROMPT


def test_waiting_for_two_at_once_counts_once() -> None:
    one, other = Exchange(ASKED, 0.0, waits=[(0.0, 2.0), (3.0, 4.0)]), Exchange(ASKED, 1.0, waits=[(1.0, 3.5)])
    assert waited_s([one, other]) == pytest.approx(4.0)
    assert waited_s([one]) == pytest.approx(3.0)
    assert waited_s([]) == 0


def test_the_usual_layout_holds_the_same_texts_with_the_question_before_the_evidence() -> None:
    naive = question_first(PROMPT)
    text = f"{naive.static} {naive.shared}"
    assert sorted(text.split()) == sorted(f"{PROMPT.static} {PROMPT.shared} {PROMPT.suffix}".split())
    task, question, evidence = (text.index(mark) for mark in ('<task name="answer">', "<question>\n", "<evidence>\n"))
    assert task < question < evidence


def test_the_usual_layout_of_a_rewrite_holds_the_same_texts() -> None:
    prompt = dialogue_prompt(DialogueContext("and in blue?", (("customer", "Is the mug dishwasher safe?"),)))
    naive = question_first(prompt)
    text = f"{prompt.static} {prompt.shared} {prompt.suffix}"
    assert sorted(f"{naive.static} {naive.shared}".split()) == sorted(text.split())
    assert naive.shared.index("<question>") < naive.shared.index("<conversation>")


def test_a_request_is_known_by_its_task() -> None:
    assert task_of(PROMPT) == "answer"
    assert task_of(dialogue_prompt(DialogueContext("and in blue?", ()))) == "dialogue"
    assert task_of(Prompt("", "", "What now?")) == "other"


def test_conversations_are_the_same_every_time_and_as_long_as_asked_for() -> None:
    products = {name: Product(id=name, name=name, attributes={"Weight": "1 kg"}) for name in ("Heron 2", "Egret 3")}
    conversations = product_conversations(products, 15)
    assert [len(one) for one in conversations] == [LENGTH, 5]
    assert conversations == product_conversations(products, 15)
    assert conversations[0][0].startswith("What is the weight of the ")
    assert not any("{" in question for one in conversations for question in one)


def test_what_every_prompt_begins_with_is_short() -> None:
    assert shared_encoder().count_tokens(static_prompt()) <= STATIC_TOKENS


def held(conversation: int, ms: float, *exchanges: Exchange, by: str = "local") -> HeldTurn:
    turn = Turn.model_construct(answered_by=by)
    return HeldTurn(conversation, turn, ms, ms, 30.0, 50.0, exchanges)


def exchange(prompt: int, cached: int, waited_ms: float = 100.0) -> Exchange:
    usage = Usage(llm_calls=1, prompt_tokens=prompt, cached_tokens=cached, completion_tokens=1)
    return Exchange(ASKED, 0.0, first=0.05, waits=[(0.0, waited_ms / 1000)], usage=usage)


BARE = Usage(llm_calls=1, prompt_tokens=100, cached_tokens=0)
CALLS = [Exchange(ASKED, 0.0, first=0.04, ended=0.08, usage=BARE)] * 2
PACE = Pace(seconds=0.5, cpu_s=3.0)
WITHOUT_WAITING = "turn without waiting for the model, local answers included"


def test_a_course_adds_up_tokens_and_leaves_the_waiting_out_of_the_overhead() -> None:
    turns = [held(0, 130.0, exchange(100, 0)), held(0, 150.0, exchange(100, 80), by="llm")]
    made = course([], turns, PACE, CALLS)
    assert (made.turns, made.by_model) == (2, 1)
    assert (made.ours.prompt, made.ours.cached, made.ours.prefilled, made.ours.cached_share) == (200, 80, 120, 0.4)
    assert made.prefill_ratio == pytest.approx(200 / 120, abs=0.01)
    assert made.times[WITHOUT_WAITING].p50 == pytest.approx(40.0)
    assert list(made.tasks) == ["answer"]


def test_a_turn_in_which_the_model_was_not_asked_has_no_time_to_its_first_token() -> None:
    asked_nothing = HeldTurn(0, Turn.model_construct(answered_by="local"), 20.0, 20.0, None, None, ())
    made = course([], [held(0, 130.0, exchange(100, 0)), asked_nothing], PACE, CALLS)
    assert made.times["to the first token of the model"].p50 == pytest.approx(50.0)
    assert made.times[WITHOUT_WAITING].p50 == pytest.approx(25.0)


def test_the_conversation_with_the_least_from_the_cache_is_told() -> None:
    turns = [held(0, 130.0, exchange(100, 90)), held(1, 130.0, exchange(100, 20))]
    assert course([], turns, PACE, CALLS).least_cached_share == pytest.approx(0.2)


def test_the_report_holds_both_layouts_side_by_side() -> None:
    made = course([], [held(0, 130.0, exchange(100, 50))], PACE, CALLS[:1])
    figures = {"model": "m", "conversations": 1, "at_once": 1, "static_tokens": 900, "cores": 2}
    text = as_markdown(LlmBenchmark.model_validate({**figures, "courses": [made]}))
    assert "| **ours, all** | 1 | 100 | 50 | 50 | 50.0% | 50 | 50 |" in text
    assert "| **the usual layout, all** | 1 | 100 | 0 | 100 | 0.0% | 40 | 40 |" in text
    assert "2.00 times as many tokens" in text
    assert "| turn | 130 | 130 |" in text
    assert "200 tokens of prompts and 2 written ones a second" in text
    assert "3.00 s of processor time a turn" in text


def test_an_answer_in_the_usual_layout_ends_where_ours_did(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = [held(0, 130.0, exchange(100, 0))]
    monkeypatch.setattr(llm, "needed_model", lambda _: Fixed(CUT_OFF))
    assert [one.usage for one in llm.sent_naive(LlmOptions(), turns, at_once=2)] == [COST]
    monkeypatch.setattr(llm, "needed_model", lambda _: Fixed("it broke"))
    with pytest.raises(InputError, match="it broke"):
        llm.sent_naive(LlmOptions(), turns, at_once=2)
