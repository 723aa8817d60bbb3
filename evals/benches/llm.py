"""Turns over a served model: what they cost in our layout and in the usual one, and what they add to its time."""

import os
import random
import re
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import reduce
from operator import add

from app.assistant import Assistant
from app.errors import InputError
from app.llm.options import LlmOptions
from app.turns import AnswerPiece, Finished
from evals.benches.llm_report import Cost, Course, LlmBenchmark
from evals.benches.observed_model import Exchange, ObservedModel, observed_assistant, waited_s
from evals.report import Latency, latency
from evals.rows.written_conversations import needed_model
from graph.llm.model import LanguageModelError, Prompt, Request
from graph.llm.prompts import static_prompt
from graph.turn import Turn, Usage
from ingestion.encoder import shared_encoder
from ingestion.evidence import Product

_PART = re.compile(r"<(evidence|customer|notes|question|conversation)>\n.*?\n</\1>", re.DOTALL)
_NAIVE_ORDER = ("question", "conversation", "customer", "notes", "evidence")
_TASK = re.compile(r'<task name="([^"]+)">')

Layout = Callable[[Prompt], Prompt]


def cached_first(prompt: Prompt) -> Prompt:
    """Ours: rules, evidence, customer, notes and question, and last what this request alone asks for."""
    return prompt


def question_first(prompt: Prompt) -> Prompt:
    """The usual one: instructions for this request, then the question, then the evidence.

    The general rules still come first, which is the better of the usual orders: they at least are cached.
    """
    parts = {match[1]: match[0] for match in _PART.finditer(prompt.shared)}
    shared = "\n\n".join(parts[name] for name in _NAIVE_ORDER if name in parts)
    return Prompt(f"{prompt.static}\n\n{prompt.suffix}", f"{shared}\n\n", "")


LAYOUTS: Mapping[str, Layout] = {"ours": cached_first, "naive": question_first}


def task_of(prompt: Prompt) -> str:
    """What a request asks for: `answer`, `repair`, `dialogue`, or the name of an experience."""
    found = _TASK.search(prompt.suffix)
    return found[1] if found else "other"


LENGTH = 10
_FIRST = "What is the {first} of the {product}?"
_LATER = (
    "And its {second}?",
    "What do customers say about it?",
    "Can I return it?",
    "What warranty does it have?",
    "How do I look after it?",
    "What is its {third}?",
    "How does it compare with the {other}?",
    "When will it arrive?",
    "Is it in stock?",
)
_ATTRIBUTES = 3


def product_conversations(products: Mapping[str, Product], turns: int, seed: int = 7) -> list[list[str]]:
    """Make conversations: facts, opinions, policies and a comparison, each question leaning on the one before.

    Args:
        products: The catalog by id, at least one product.
        turns: Questions in all; the last conversation is cut.
        seed: Other seeds choose other products.

    Returns:
        Questions by conversation; a conversation is about one product.
    """
    generator = random.Random(seed)  # noqa: S311 - reproducible, no secret
    known = [product for product in products.values() if len(product.attributes) >= _ATTRIBUTES]
    known = known or list(products.values())
    conversations = [_conversation(known, generator) for _ in range(-(-turns // LENGTH))]
    for _ in range(len(conversations) * LENGTH - turns):
        conversations[-1].pop()
    return conversations


def _conversation(products: Sequence[Product], generator: random.Random) -> list[str]:
    product = generator.choice(products)
    alike = [other for other in products if other.category == product.category and other.id != product.id]
    other = generator.choice(alike or list(products))
    names = sorted(product.attributes) or ["price"]
    first, second, third = (name.lower() for name in (generator.sample(names, k=min(len(names), 3)) * 3)[:3])
    words = {"product": product.name, "other": other.name, "first": first, "second": second, "third": third}
    return [phrasing.format(**words) for phrasing in (_FIRST, *_LATER)]


class BareCallError(InputError):
    """The endpoint does not answer a plain request."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"A plain request to the endpoint failed ({reason}). Check it with `footnote vllm`.")


Runs = Sequence[Sequence["HeldTurn"]]
"""By repetition, the turns in their order."""
BareRuns = Sequence[Sequence[Sequence[Exchange]]]
"""By repetition and turn, the bare calls in their order."""


@dataclass(frozen=True, slots=True)
class HeldTurn:
    """A turn that was held; times in milliseconds.

    Attributes:
        conversation: The number of its conversation.
        turn: What was answered.
        ms: Of the whole turn.
        cpu_ms: Processor time of this process meanwhile.
        first_sentence_ms: Until something was shown.
        before_ms: Until the model was asked; None where it was not.
        first_token_ms: Until it wrote something; None where it was not asked or wrote nothing.
        exchanges: What the model was asked.
    """

    conversation: int
    turn: Turn
    ms: float
    cpu_ms: float
    first_sentence_ms: float
    before_ms: float | None
    first_token_ms: float | None
    exchanges: Sequence[Exchange]

    @property
    def overhead_ms(self) -> float:
        """The turn without its waiting for the model."""
        return self.ms - waited_s(list(self.exchanges)) * 1000


def course(experiences: Sequence[str], runs: Runs, bare: Mapping[str, BareRuns]) -> Course:
    """Make the figures of one way to hold the conversations.

    Args:
        experiences: What was asked for beside the answers.
        runs: The turns of each repetition.
        bare: For each layout the bare calls with the prompts of these turns.
    """
    turns = [turn for run in runs for turn in run]
    exchanges = [one for turn in turns for one in turn.exchanges]
    return Course(
        beside=list(experiences),
        turns=len(turns),
        by_model=sum(turn.turn.answered_by == "llm" for turn in turns),
        turn_ms=_best(runs, lambda turn: turn.ms),
        first_token_ms=_best(runs, lambda turn: turn.first_token_ms),
        first_sentence_ms=_best(runs, lambda turn: turn.first_sentence_ms),
        before_ms=_best(runs, lambda turn: turn.before_ms),
        overhead_ms=_best(runs, lambda turn: turn.overhead_ms),
        answered_ms=_best(runs, lambda turn: turn.overhead_ms if turn.turn.answered_by == "llm" else None),
        cpu_ms=_best(runs, lambda turn: turn.cpu_ms),
        # Together they run at once, bare one after the other: only alone the two can be compared.
        over_bare_ms=None if experiences else _over_bare(runs, bare["ours"]),
        ours=_cost(exchanges),
        naive=_cost([call for run in bare["naive"] for turn in run for call in turn]),
        tasks=_tasks(exchanges),
        least_cached_share=min(_shares(runs), default=0.0),
    )


def _best(runs: Runs, time_of: Callable[[HeldTurn], float | None]) -> Latency:
    """For each turn the best time of its repetitions."""
    times = [[time for turn in same if (time := time_of(turn)) is not None] for same in zip(*runs, strict=True)]
    return latency([min(one) for one in times if one])


def _over_bare(runs: Runs, bare: BareRuns) -> Latency:
    over = [
        [
            turn.ms - sum((call.ended - call.begun) * 1000 for call in calls)
            for turn, calls in zip(run, sent, strict=True)
        ]
        for run, sent in zip(runs, bare, strict=True)
    ]
    return latency([min(same) for same in zip(*over, strict=True)])


def _cost(exchanges: Sequence[Exchange]) -> Cost:
    """What requests cost together."""
    total = reduce(add, (one.usage for one in exchanges), Usage())
    return Cost(
        calls=total.llm_calls,
        prompt=total.prompt_tokens,
        cached=total.cached_tokens,
        completion=total.completion_tokens,
        first_token_ms=latency([(one.first - one.begun) * 1000 for one in exchanges if one.first is not None]),
    )


def _tasks(exchanges: Sequence[Exchange]) -> dict[str, Cost]:
    tasks = dict.fromkeys(task_of(one.request.prompt) for one in exchanges)
    return {task: _cost([one for one in exchanges if task_of(one.request.prompt) == task]) for task in tasks}


def _shares(runs: Runs) -> list[float]:
    """The cached share of each conversation of each repetition."""
    shares = []
    for run in runs:
        for number in dict.fromkeys(turn.conversation for turn in run):
            exchanges = [one for turn in run if turn.conversation == number for one in turn.exchanges]
            if exchanges:
                shares.append(_cost(exchanges).cached_share)
    return shares


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
    bare: dict[str, list[list[list[Exchange]]]] = {name: [] for name in LAYOUTS}
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


def _sent_bare(options: LlmOptions, held: Sequence[HeldTurn], layout: str) -> list[list[Exchange]]:
    """The prompts of the turns once more for answers as long, nothing cached before; the calls of each turn."""
    calls = []
    with closing(ObservedModel(needed_model(options), _lead())) as model:
        for turn in held:
            for one in turn.exchanges:
                try:
                    model.complete(Request(LAYOUTS[layout](one.request.prompt), max(one.usage.completion_tokens, 1)))
                except LanguageModelError as error:
                    raise BareCallError(error.reason) from error
            calls.append(model.taken())
    return calls


def _lead() -> str:
    return f"Run {secrets.token_hex(6)}.\n"
