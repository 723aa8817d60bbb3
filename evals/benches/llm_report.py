"""What turns over a served model cost and how long they take: the figures of `bench llm`."""

from pydantic import BaseModel, computed_field

from evals.report import Latency, markdown_table


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


class Course(BaseModel):
    """All conversations, held in one way.

    Attributes:
        beside: What was asked for beside each answer.
        turns: How many questions, each time they were asked.
        by_model: How many answers the model wrote, as far as they were shown.
        turn_ms: A whole turn.
        first_token_ms: From a question to the first token of the model.
        first_sentence_ms: From a question to the first sentence shown.
        before_ms: From a question to the first request: understanding and retrieval.
        overhead_ms: A turn without the time in which it only waited for the model, local answers included.
        answered_ms: The same of the turns that the model answered; none where it answered none.
        cpu_ms: Processor time of the application in a turn, in all its threads.
        over_bare_ms: A turn less the bare calls with its prompts; where something was asked for beside, none.
        ours: What the turns cost.
        naive: What the same texts cost in the usual layout, one request after the other.
        tasks: What ours cost, by what was asked for.
        least_cached_share: That of the conversation that had the least from the cache.
    """

    beside: list[str]
    turns: int
    by_model: int
    turn_ms: Latency
    first_token_ms: Latency
    first_sentence_ms: Latency
    before_ms: Latency
    overhead_ms: Latency
    answered_ms: Latency
    cpu_ms: Latency
    over_bare_ms: Latency | None
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
        repeat: How often; of times the best counts for each turn, of tokens the sum.
        static_tokens: Tokens of what every prompt begins with, as the embedding model's tokenizer counts.
        load: Processes that ran or waited to, on average over the minutes before and during the run.
        cores: Of this machine.
        endpoints: For each endpoint, by what it is called, the courses.
    """

    model: str
    conversations: int
    repeat: int
    static_tokens: int
    load: list[float]
    cores: int
    endpoints: dict[str, list[Course]]


_INTRODUCTION = """# What a served model costs

Made by `footnote bench llm --report`. Conversations of ten questions about one product of the shop each (facts,
opinions, returns, warranty, care, a comparison, delivery, stock) are held through the whole graph. Then the same
prompts are sent once more without the graph: in our layout (rules, evidence, customer, notes, question, and last what
this request alone asks for), and in the usual one (rules, what is asked for, question, evidence), one prompt after the
other. Before each of these nothing is in the server's prefix cache.

Model `{model}`, {conversations} conversation(s), held {repeat} time(s), {cores} cores that the server shares where it
runs on the same machine, load {load}. What every prompt begins with has {static_tokens:,} tokens by the tokenizer of
the embedding model.
"""
_NOTHING_SHOWN = (
    "Nothing that this model wrote was borne out by the evidence: each turn was answered locally in the end, which its "
    "times hold as well."
)
_TOKENS = ("requests", "calls", "prompt", "cached", "prefilled", "share cached", "first token p50", "p95")
_TIMES = (
    ("turn", "turn_ms"),
    ("to the first token of the model", "first_token_ms"),
    ("to the first sentence shown", "first_sentence_ms"),
    ("to the first request: understanding and retrieval", "before_ms"),
    ("turn without waiting for the model, local answers included", "overhead_ms"),
    ("the same, turns that the model answered", "answered_ms"),
    ("processor time of the application a turn", "cpu_ms"),
    ("turn less the bare calls with its prompts", "over_bare_ms"),
)


def as_markdown(result: LlmBenchmark) -> str:
    """The report."""
    told = result.model_dump(include={"model", "conversations", "repeat", "cores", "static_tokens"})
    parts = [_INTRODUCTION.format(load=" to ".join(f"{one:g}" for one in result.load), **told)]
    for name, courses in result.endpoints.items():
        parts += [_part(name, course) for course in courses]
    return "\n".join(parts)


def _part(name: str, course: Course) -> str:
    return "\n\n".join([_title(name, course), _summary(course), _tokens(course)]) + f"\n{_times(course)}"


def _title(name: str, course: Course) -> str:
    asked = " and ".join(["an answer", *course.beside])
    return f"## {name[:1].upper()}{name[1:]}: {asked} a turn"


def _summary(course: Course) -> str:
    told = (
        f"{course.turns} turns, {course.by_model} answered by the model, {course.ours.calls / course.turns:.2f} calls "
        f"a turn. {course.ours.cached_share:.1%} of the prompts' tokens came from the cache, in the conversation with "
        f"the least {course.least_cached_share:.1%}. "
        f"The usual layout prefills {course.prefill_ratio:.2f} times as many tokens."
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
    rows = [[name, *_cells(getattr(course, field))] for name, field in _TIMES if getattr(course, field) is not None]
    return markdown_table(("milliseconds", "p50", "p95"), rows)


def _cells(times: Latency) -> list[str]:
    return ["-" if one is None else f"{one:.0f}" for one in (times.p50, times.p95)]
