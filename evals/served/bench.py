"""Turns over a served model: what they cost in our layout and in the usual one, and what they add to its time."""

import os
import secrets
import time
from collections.abc import Callable, Mapping, Sequence

from app.assistant import Assistant
from app.events import AnswerPiece, Finished
from app.llm.options import LlmOptions
from evals.served.assistants import observed_assistant
from evals.served.bare_client import BareCall, BareClient
from evals.served.bench_figures import Course, LlmBenchmark
from evals.served.bench_turns import HeldTurn, course
from evals.served.conversations import LENGTH, product_conversations
from evals.served.layouts import LAYOUTS
from evals.served.observed_model import ObservedModel, led
from graph.llm.prompts import static_prompt
from graph.turn import Turn
from ingestion.encoder import shared_encoder

WARM_UP = "What can you help me with?"
"""Asked first and not measured: it loads what is loaded once a process."""

Tell = Callable[[str], None]


def measure(
    index: str, endpoints: Mapping[str, LlmOptions], turns: int, beside: Sequence[str], repeat: int, tell: Tell
) -> LlmBenchmark:
    """Hold conversations with answers alone, and with experiences beside them, on each endpoint.

    Args:
        index: Name or folder of the index to ask.
        endpoints: By what each is called; the first is that of the settings.
        turns: Questions in all.
        beside: Experiences for the second way.
        repeat: How often all is done.
        tell: Told what is done next.

    Raises:
        NoModelError: An endpoint is not set.
        BareCallError: One does not answer.
    """
    load = os.getloadavg()[0]
    courses: dict[str, list[Course]] = {}
    for name, options in endpoints.items():
        for experiences in dict.fromkeys([(), tuple(beside)]):
            tell(f"{name}: {' and '.join(('answer', *experiences))}")
            courses.setdefault(name, []).append(_held(index, options, turns, experiences, repeat))
    return LlmBenchmark(
        model=next(iter(endpoints.values())).model or "",
        conversations=-(-turns // LENGTH),
        repeat=repeat,
        static_tokens=shared_encoder().count_tokens(static_prompt()),
        load=[round(one, 2) for one in (load, os.getloadavg()[0])],
        cores=os.cpu_count() or 1,
        endpoints=courses,
    )


def _held(index: str, options: LlmOptions, turns: int, experiences: Sequence[str], repeat: int) -> Course:
    """All conversations some times over, and each time the same prompts bare, in either layout."""
    runs: list[list[HeldTurn]] = []
    bare: dict[str, list[list[list[BareCall]]]] = {name: [] for name in LAYOUTS}
    for _ in range(repeat):
        with observed_assistant(index, options, _lead()) as (assistant, model):
            runs.append(_hold(assistant, model, turns, experiences))
        for name in LAYOUTS:
            bare[name].append(_sent_bare(options, runs[-1], name))
    return course(experiences, runs, bare)


def _hold(assistant: Assistant, model: ObservedModel, turns: int, experiences: Sequence[str]) -> list[HeldTurn]:
    assistant.ask(WARM_UP, thread="warm-up")
    model.taken()
    held = []
    for number, questions in enumerate(product_conversations(assistant.products, turns)):
        held += [_turn(assistant, model, question, number, experiences) for question in questions]
    return held


def _turn(
    assistant: Assistant, model: ObservedModel, question: str, conversation: int, experiences: Sequence[str]
) -> HeldTurn:
    begun, cpu = time.perf_counter(), time.process_time()
    shown: float | None = None
    turn: Turn | None = None
    for event in assistant.stream(question, thread=f"conversation-{conversation}", experiences=experiences):
        if isinstance(event, AnswerPiece):
            shown = shown or time.perf_counter()
        elif isinstance(event, Finished):
            turn = event.turn
    end, cpu = time.perf_counter(), time.process_time() - cpu
    assert turn is not None
    exchanges = model.taken()
    firsts = [one.first for one in exchanges if one.first is not None]
    return HeldTurn(
        conversation=conversation,
        turn=turn,
        ms=(end - begun) * 1000,
        cpu_ms=cpu * 1000,
        first_sentence_ms=((shown or end) - begun) * 1000,
        before_ms=(exchanges[0].begun - begun) * 1000 if exchanges else None,
        first_token_ms=(min(firsts) - begun) * 1000 if firsts else None,
        exchanges=exchanges,
    )


def _sent_bare(options: LlmOptions, held: Sequence[HeldTurn], layout: str) -> list[list[BareCall]]:
    """The prompts of the turns once more for answers as long, nothing cached before; the calls of each turn."""
    lead = _lead()
    with BareClient(options) as client:
        return [
            [
                client.send(led(LAYOUTS[layout](one.request.prompt), lead), max(one.usage.completion_tokens, 1))
                for one in turn.exchanges
            ]
            for turn in held
        ]


def _lead() -> str:
    return f"Run {secrets.token_hex(6)}.\n"
