"""Whole turns over a real vLLM with random weights: all it writes is nonsense, and nothing of that may be shown."""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest
from transformers import AutoTokenizer

from app import demo
from app.cli.vllm import MARGIN, STATIC_TOKENS
from app.llm.options import LlmOptions
from evals.benches.llm import product_conversations, task_of
from evals.benches.observed_model import Exchange, ObservedModel, observed_assistant
from graph.llm.model import Piece, Request
from graph.llm.prompts import static_prompt
from graph.reader import shared_reader
from graph.turn import Turn, Usage
from graph.verification import SentenceVerifier, SupportModel
from ingestion.encoder import shared_encoder
from ingestion.ingest import ingest
from tests.generated_questions import generated_questions
from tests.system.vllm.checked_turns import STYLES, CheckedTurn, TurnChecker
from tests.system.vllm.server import BLOCK_TOKENS, MODEL_NAME, VllmServer

pytestmark = pytest.mark.system

GENERATED = 24
QUESTIONS_A_THREAD = 8
ABOUT_ONE = 7
"""Turns before a second product is named: several are compared without a model."""
CHATS = 16
ENDLESS = 6_000
"""Tokens that take the server some twenty seconds."""
LONG = {"max_tokens": 2_000, "structured": "off"}
"""An answer in free words, which random weights do not end for over 5 s."""

Open = Callable[..., TurnChecker]


@pytest.fixture(scope="module")
def demo_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the demo shop."""
    folder = tmp_path_factory.mktemp("demo")
    ingest([demo.shop_path()], folder)
    return folder


@pytest.fixture
def open_checker(vllm: VllmServer, demo_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Opens assistants over the served model; what is given overrides short answers by chance."""
    monkeypatch.chdir(tmp_path)
    verifier = SentenceVerifier(SupportModel(shared_reader(), shared_encoder()))
    with ExitStack() as opened:

        def opens(lead: str = "", observer: type[ObservedModel] = ObservedModel, **options: object) -> TurnChecker:
            usual = {"base_url": vllm.base_url, "model": MODEL_NAME, "temperature": 1, "max_tokens": 96}
            llm = LlmOptions.model_validate({**usual, **options})
            assistant, model = opened.enter_context(observed_assistant(str(demo_index), llm, lead, observer))
            return TurnChecker(assistant, verifier, model)

        yield opens


def test_a_conversation_takes_what_every_prompt_begins_with_from_the_cache(
    open_checker: Open, random_model: Path
) -> None:
    checker = open_checker("The first of all.\n")
    turns = _conversation(checker, experiences=())
    usage = sum((_turn(one).usage for one in turns), Usage())
    assert usage.llm_calls >= len(turns)
    static = len(AutoTokenizer.from_pretrained(random_model)(static_prompt())["input_ids"])
    assert usage.cached_tokens >= (usage.llm_calls - 1) * (static // BLOCK_TOKENS) * BLOCK_TOKENS, usage
    _assert_kept(turns)


def test_what_is_asked_for_beside_an_answer_is_hardly_read_again(open_checker: Open) -> None:
    checker = open_checker("The second of all.\n")
    turns = _conversation(checker, experiences=("followups", "blurb"))
    exchanges = [exchange for one in turns for exchange in one.exchanges]
    for task in ("followups", "blurb"):
        cost = _cost(exchanges, task)
        assert cost.llm_calls == len(turns)
        assert cost.cached_share >= 0.9, (task, cost)
    assert turns[0].exchanges[0].usage.cached_tokens == 0
    for one in turns:
        assert _turn(one).usage == sum((exchange.usage for exchange in one.exchanges), Usage())
    _assert_kept(turns)


def test_an_answer_takes_at_most_two_requests_and_one_to_repair_it(open_checker: Open) -> None:
    checker = open_checker(rewrite_always=True)
    for one in _conversation(checker, experiences=(), turns=4):
        tasks = [task_of(exchange.request.prompt) for exchange in one.exchanges]
        assert len(set(tasks)) == len(tasks)
        assert set(tasks) <= {"dialogue", "answer", "repair"}
    alone = open_checker().ask("How heavy is the Heron 2?", "alone")
    assert [task_of(exchange.request.prompt) for exchange in alone.exchanges] in (["answer"], ["answer", "repair"])


def test_random_weights_break_no_invariant_and_show_nothing_unsupported(open_checker: Open) -> None:
    checker = open_checker(max_tokens=128)
    questions = generated_questions(checker.assistant.products, GENERATED)
    checked = [
        checker.ask(question, f"generated-{number // QUESTIONS_A_THREAD}", STYLES[number % len(STYLES)])
        for number, question in enumerate(questions)
    ]
    written = [exchange for one in checked for exchange in one.exchanges if exchange.text.startswith("outcome: clear")]
    assert written  # how many is chance: each prompt draws another outcome from random weights
    _assert_kept(checked)


def test_random_weights_without_a_grammar_are_held_off_as_well(open_checker: Open) -> None:
    checker = open_checker(structured="off", max_tokens=128)
    questions = generated_questions(checker.assistant.products, GENERATED // 3, seed=8)
    checked = [checker.ask(question, "free") for question in questions]
    written = [exchange for one in checked for exchange in one.exchanges if len(exchange.text) > 100]
    assert written  # how many is chance here, too
    _assert_kept(checked)


def test_sixteen_chats_at_once_do_not_disturb_each_other(open_checker: Open) -> None:
    checker = open_checker(max_tokens=48)
    names = [product.name for product in checker.assistant.products.values() if product.attributes][:CHATS]

    def chat(number: int) -> list[CheckedTurn]:
        own = TurnChecker(checker.assistant, checker.verifier)
        asked = (f"What does the {names[number]} cost?", "And what do customers say about it?")
        return [own.ask(question, f"chat-{number}") for question in asked]

    with ThreadPoolExecutor(CHATS) as pool:
        chats = list(pool.map(chat, range(CHATS)))
    for number, turns in enumerate(chats):
        assert [product.name for one in turns for product in _turn(one).products] == [names[number]] * 2
        _assert_kept(turns)


def test_a_page_that_is_closed_in_mid_answer_frees_the_server(open_checker: Open, vllm: VllmServer) -> None:
    checker = open_checker(**LONG)
    assert checker.model is not None
    model = checker.model
    request = checker.ask("How heavy is the Heron 2?", "before").exchanges[0].request
    # As long as the server would take for it, it cannot become idle by itself in the time that is waited.
    endless = replace(request, max_tokens=ENDLESS, grammar=None)
    with closing(model.stream(endless)) as pieces:
        next(pieces)
        _wait_until(vllm, running=True)
    _wait_until(vllm, running=False)


def test_a_server_killed_in_mid_answer_costs_one_answer(open_checker: Open, vllm: VllmServer) -> None:
    class Killer(ObservedModel):
        """Kills the server at the first word."""

        def stream(self, request: Request) -> Generator[Piece]:
            for piece in super().stream(request):
                if piece.text and not killed:
                    vllm.kill()
                    killed.append(True)
                yield piece

    killed = list[bool]()
    checker = open_checker(observer=Killer, **LONG, rest_s=0.1)
    cut = checker.ask("How heavy is the Heron 2?", "killed")
    down = checker.ask("And how many people does it sleep?", "killed")
    vllm.start()
    back = checker.ask("Is it waterproof?", "killed")
    _assert_kept([cut, down, back])
    for one in (cut, down):
        turn = _turn(one)
        assert (turn.answered_by, turn.outcome) == ("local", "clear")
        assert turn.degraded
        assert "connection" in turn.degraded
    assert "2.4 kg" in _turn(cut).answer
    assert back.exchanges[-1].text
    assert "connection" not in (_turn(back).degraded or "")


def test_a_server_that_hangs_is_left_alone_after_a_while(open_checker: Open, vllm: VllmServer) -> None:
    checker = open_checker(first_token_s=0.5, failures=2, rest_s=60)
    vllm.pause()
    try:
        turns = [checker.ask("How heavy is the Heron 2?", f"hanging-{number}") for number in range(3)]
    finally:
        vllm.resume()
    _assert_kept(turns)
    assert all("2.4 kg" in _turn(one).answer for one in turns)
    assert "no answer within 0.5 s" in (_turn(turns[0]).degraded or "")
    assert "left alone" in (_turn(turns[2]).degraded or "")


def test_what_every_prompt_begins_with_is_short(random_model: Path) -> None:
    served = AutoTokenizer.from_pretrained(random_model)
    assert len(served(static_prompt())["input_ids"]) <= STATIC_TOKENS * MARGIN


def _conversation(checker: TurnChecker, experiences: Sequence[str], turns: int = ABOUT_ONE) -> list[CheckedTurn]:
    """Questions about one product."""
    (questions,) = product_conversations(checker.assistant.products, turns)
    return [checker.ask(question, "conversation", experiences=experiences) for question in questions]


def _turn(one: CheckedTurn) -> Turn:
    assert one.turn is not None, one.crash
    return one.turn


def _cost(exchanges: Sequence[Exchange], task: str) -> Usage:
    return sum((one.usage for one in exchanges if task_of(one.request.prompt) == task), Usage())


def _assert_kept(checked: Sequence[CheckedTurn]) -> None:
    for one in checked:
        assert one.crash is None, one.question
        assert not one.broken, one.question
        assert not one.unsupported, one.question


def _wait_until(server: VllmServer, *, running: bool) -> None:
    deadline = time.monotonic() + 5
    while bool(server.metric("vllm:num_requests_running")) is not running:
        assert time.monotonic() < deadline, f"the server is {'idle' if running else 'still at work'}"
        time.sleep(0.05)
