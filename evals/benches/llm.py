"""Turns over a served model: what they cost in our layout and in the usual one, and what they add to its time."""

import os
import random
import re
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial, reduce
from itertools import chain
from operator import add

from pydantic import BaseModel, computed_field

from app.assistant import Assistant
from app.errors import InputError
from app.llm.answer import CUT_OFF
from app.llm.options import LlmOptions
from evals.benches.observed_model import Exchange, ObservedModel, followed, needed_model, observed_assistant, waited_s
from evals.benches.turns import WARM_UP
from evals.report import Latency, latency, markdown_table, page
from graph.llm.model import LanguageModelError, Prompt, Request
from graph.llm.prompts import static_prompt
from graph.turn import Turn, Usage
from ingestion.encoder import shared_encoder
from ingestion.evidence import Product

_PART = re.compile(r"<(evidence|customer|notes|likely|question|conversation|task)\b[^>]*>\n.*?\n</\1>", re.DOTALL)
_NAIVE_ORDER = ("question", "conversation", "likely", "customer", "notes", "evidence")
_TASK = re.compile(r'<task name="([^"]+)">')


def question_first(prompt: Prompt) -> Prompt:
    """A prompt in the usual layout: instructions for this request, then the question, then the evidence.

    The general rules still come first, which is the better of the usual orders: they at least are cached.
    """
    parts = {match[1]: match[0] for match in _PART.finditer(prompt.shared + prompt.suffix)}
    shared = "\n\n".join(parts[name] for name in _NAIVE_ORDER if name in parts)
    return Prompt(f"{prompt.static}\n\n{parts.get('task', prompt.suffix)}", f"{shared}\n\n", "")


def task_of(prompt: Prompt) -> str:
    """What a request asks for: `answer`, `repair`, `dialogue`, or the name of an experience."""
    found = _TASK.search(prompt.shared + prompt.suffix)
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


@dataclass(frozen=True, slots=True)
class HeldTurn:
    """A turn that was held; times in milliseconds.

    Attributes:
        conversation: The number of its conversation.
        turn: What was answered.
        ms: Of the whole turn.
        first_sentence_ms: Until something was shown.
        before_ms: Until the model was asked; None where it was not.
        first_token_ms: Until it wrote something; None where it was not asked or wrote nothing.
        exchanges: What the model was asked.
    """

    conversation: int
    turn: Turn
    ms: float
    first_sentence_ms: float
    before_ms: float | None
    first_token_ms: float | None
    exchanges: Sequence[Exchange]


TIMES: Mapping[str, Callable[[HeldTurn], float | None]] = {
    "turn": lambda turn: turn.ms,
    "to the first token of the model": lambda turn: turn.first_token_ms,
    "to the first sentence shown": lambda turn: turn.first_sentence_ms,
    "to the first request: understanding and retrieval": lambda turn: turn.before_ms,
    "turn without waiting for the model, local answers included": (
        lambda turn: turn.ms - waited_s(list(turn.exchanges)) * 1000
    ),
}
"""What is told of turns, in milliseconds."""


class Cost(BaseModel):
    """What requests cost together.

    Attributes:
        calls: How many there were.
        prompt: Tokens of their prompts.
        cached: How many of these the server had computed before.
        completion: Tokens that were written.
        first_token_ms: Milliseconds from a request to its first token.
    """

    calls: int
    prompt: int
    cached: int
    completion: int
    first_token_ms: Latency

    @computed_field  # type: ignore[prop-decorator]
    @property
    def prefilled(self) -> int:
        """Tokens of prompts that the server had to compute."""
        return self.prompt - self.cached

    @computed_field  # type: ignore[prop-decorator]
    @property
    def cached_share(self) -> float:
        """Share of the prompts' tokens that it had not."""
        return round(self.cached / self.prompt, 4) if self.prompt else 0.0


class Pace(BaseModel):
    """How fast all conversations went together.

    Attributes:
        seconds: From the first question to the last answer.
        cpu_s: Processor time of the application meanwhile.
    """

    seconds: float
    cpu_s: float


class Course(BaseModel):
    """All conversations, held in one way.

    Attributes:
        beside: What was asked for beside each answer.
        turns: How many questions.
        pace: How fast they went.
        by_model: How many answers the model wrote, as far as they were shown.
        times: Those of `TIMES`.
        ours: What the turns cost.
        naive: What the same texts cost in the usual layout, one request after the other.
        tasks: What ours cost, by what was asked for.
        least_cached_share: That of the conversation that had the least from the cache.
    """

    beside: list[str]
    turns: int
    pace: Pace
    by_model: int
    times: dict[str, Latency]
    ours: Cost
    naive: Cost
    tasks: dict[str, Cost]
    least_cached_share: float

    @computed_field  # type: ignore[prop-decorator]
    @property
    def prefill_ratio(self) -> float:
        """How many times the tokens that ours prefills the usual layout prefills."""
        return round(self.naive.prefilled / self.ours.prefilled, 2) if self.ours.prefilled else 0.0


class LlmBenchmark(BaseModel):
    """A run.

    Attributes:
        model: The served model.
        conversations: How many were held.
        at_once: How many of these at the same time.
        static_tokens: Tokens of what every prompt begins with, as the embedding model's tokenizer counts.
        cores: Of this machine.
        courses: With answers alone, and with experiences beside them.
    """

    model: str
    conversations: int
    at_once: int
    static_tokens: int
    cores: int
    courses: list[Course]


def course(experiences: Sequence[str], turns: Sequence[HeldTurn], pace: Pace, naive: Sequence[Exchange]) -> Course:
    """Make the figures of one way to hold the conversations.

    Args:
        experiences: What was asked for beside the answers.
        turns: The turns.
        pace: How fast they went.
        naive: What came of the same prompts in the usual layout.
    """
    exchanges = [one for turn in turns for one in turn.exchanges]
    tasks, conversations = dict[str, list[Exchange]](), dict[int, list[Exchange]]()
    for turn in turns:
        for one in turn.exchanges:
            tasks.setdefault(task_of(one.request.prompt), []).append(one)
            conversations.setdefault(turn.conversation, []).append(one)
    return Course(
        beside=list(experiences),
        turns=len(turns),
        pace=pace,
        by_model=sum(turn.turn.answered_by == "llm" for turn in turns),
        times={name: latency([ms for ms in map(of, turns) if ms is not None]) for name, of in TIMES.items()},
        ours=_cost(exchanges),
        naive=_cost(naive),
        tasks={task: _cost(own) for task, own in tasks.items()},
        least_cached_share=min((_cost(own).cached_share for own in conversations.values()), default=0.0),
    )


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


BESIDE = ("followups", "blurb")
"""Experiences that are asked for beside each answer the second time."""


def measure(index: str, options: LlmOptions, turns: int, at_once: int, tell: Callable[[str], None]) -> LlmBenchmark:
    """Hold conversations with answers alone, and with experiences beside them.

    Args:
        index: Name or folder of the index to ask.
        options: The endpoint.
        turns: Questions in all.
        at_once: Conversations that are held at the same time.
        tell: Told what is done next.

    Raises:
        InputError: The endpoint is not set, or does not answer.
    """
    courses, conversations = [], -(-turns // LENGTH)
    at_once = min(at_once, conversations)
    for experiences in ((), BESIDE):
        tell(" and ".join(("answer", *experiences)))
        with ExitStack() as stack:
            lead = _lead()
            chats = [stack.enter_context(observed_assistant(index, options, lead)) for _ in range(at_once)]
            held, pace = _held(chats, turns, experiences)
        courses.append(course(experiences, held, pace, sent_naive(options, held, at_once)))
    return LlmBenchmark(
        model=options.model or "",
        conversations=conversations,
        at_once=at_once,
        static_tokens=shared_encoder().count_tokens(static_prompt()),
        cores=os.cpu_count() or 1,
        courses=courses,
    )


Chat = tuple[Assistant, ObservedModel]


def _held(chats: Sequence[Chat], turns: int, experiences: Sequence[str]) -> tuple[list[HeldTurn], Pace]:
    for assistant, model in chats:
        assistant.ask(WARM_UP, thread="warm-up")
        model.taken()
    conversations = list(enumerate(product_conversations(chats[0][0].products, turns)))
    shares = [conversations[place :: len(chats)] for place in range(len(chats))]
    begun, cpu = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(len(chats)) as threads:
        held = list(chain.from_iterable(threads.map(partial(_converse, experiences), chats, shares)))
    return held, Pace(seconds=time.perf_counter() - begun, cpu_s=time.process_time() - cpu)


def _converse(
    experiences: Sequence[str], chat: Chat, conversations: Sequence[tuple[int, Sequence[str]]]
) -> list[HeldTurn]:
    return [
        _turn(*chat, question, number, experiences) for number, questions in conversations for question in questions
    ]


def _turn(
    assistant: Assistant, model: ObservedModel, question: str, conversation: int, experiences: Sequence[str]
) -> HeldTurn:
    begun = time.perf_counter()
    events = assistant.stream(question, thread=f"conversation-{conversation}", experiences=experiences)
    turn, shown = followed(events)
    end = time.perf_counter()
    exchanges = model.taken()
    firsts = [one.first for one in exchanges if one.first is not None]
    return HeldTurn(
        conversation=conversation,
        turn=turn,
        ms=(end - begun) * 1000,
        first_sentence_ms=((shown or end) - begun) * 1000,
        before_ms=(exchanges[0].begun - begun) * 1000 if exchanges else None,
        first_token_ms=(min(firsts) - begun) * 1000 if firsts else None,
        exchanges=exchanges,
    )


def sent_naive(options: LlmOptions, held: Sequence[HeldTurn], at_once: int) -> list[Exchange]:
    """Send the prompts of the turns once more, in the usual layout and for answers as long, nothing cached before.

    Args:
        options: The endpoint.
        held: The turns.
        at_once: Conversations whose prompts are sent at the same time.

    Raises:
        InputError: The endpoint fails otherwise than at that length.
    """
    shares = [[one for one in held if one.conversation % at_once == place] for place in range(at_once)]
    with closing(ObservedModel(needed_model(options), _lead())) as model, ThreadPoolExecutor(at_once) as threads:
        for _ in threads.map(partial(_send_naive, model), shares):
            pass
        return model.taken()


def _send_naive(model: ObservedModel, held: Sequence[HeldTurn]) -> None:
    for one in (one for turn in held for one in turn.exchanges):
        try:
            model.complete(Request(question_first(one.request.prompt), max(one.usage.completion_tokens, 1)))
        except LanguageModelError as error:
            if error.reason == CUT_OFF:  # as long as ours was is all that is wanted
                continue
            msg = f"A plain request to the endpoint failed ({error.reason}). Check it with `footnote vllm`."
            raise InputError(msg) from error


def _lead() -> str:
    return f"Run {secrets.token_hex(6)}.\n"


_NOTHING_SHOWN = (
    "Nothing that this model wrote was borne out by the evidence: each turn was answered locally in the end, which its "
    "times hold as well."
)
_TOKENS = ("requests", "calls", "prompt", "cached", "prefilled", "share cached", "first token p50", "p95")


def as_markdown(result: LlmBenchmark) -> str:
    """The page."""
    return page("llm-cost", courses="\n".join(map(_part, result.courses)), **result.model_dump(exclude={"courses"}))


def _part(course: Course) -> str:
    title = f"## {' and '.join(['An answer', *course.beside])} a turn"
    return "\n\n".join([title, _summary(course), _tokens(course)]) + f"\n{_times(course)}"


def _summary(course: Course) -> str:
    seconds = course.pace.seconds
    told = (
        f"{course.turns} turns, {course.by_model} answered by the model, {course.ours.calls / course.turns:.2f} calls "
        f"a turn. {course.ours.cached_share:.1%} of the prompts' tokens came from the cache, in the conversation with "
        f"the least {course.least_cached_share:.1%}. "
        f"The usual layout prefills {course.prefill_ratio:.2f} times as many tokens. All took {seconds:.0f} s, "
        f"{course.ours.prompt / seconds:,.0f} tokens of prompts and {course.ours.completion / seconds:,.0f} written "
        f"ones a second, and the application {course.pace.cpu_s / course.turns:.2f} s of processor time a turn."
    )
    return told if course.by_model else f"{told} {_NOTHING_SHOWN}"


def _tokens(course: Course) -> str:
    rows = [_cost_row(f"ours: {task}", cost) for task, cost in course.tasks.items()]
    rows += [_cost_row("**ours, all**", course.ours), _cost_row("**the usual layout, all**", course.naive)]
    return markdown_table(_TOKENS, rows)


def _cost_row(name: str, cost: Cost) -> list[str]:
    counts = [f"{one:,}" for one in (cost.calls, cost.prompt, cost.cached, cost.prefilled)]
    return [name, *counts, f"{cost.cached_share:.1%}", *_cells(cost.first_token_ms)]


def _times(course: Course) -> str:
    return markdown_table(("milliseconds", "p50", "p95"), [[name, *_cells(ms)] for name, ms in course.times.items()])


def _cells(times: Latency) -> list[str]:
    return ["-" if one is None else f"{one:.0f}" for one in (times.p50, times.p95)]
