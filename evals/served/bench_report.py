"""The figures of `bench llm` as Markdown, which is what a terminal shows, too."""

from collections.abc import Sequence

from evals.report import Latency
from evals.served.bench_figures import Cost, Course, LlmBenchmark

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
    return "\n\n".join([_title(name, course), _summary(course), _tokens(course), _times(course)]) + "\n"


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
    return _table(_TOKENS, rows)


def _cost_row(name: str, cost: Cost) -> list[str]:
    counts = [f"{one:,}" for one in (cost.calls, cost.prompt, cost.cached, cost.prefilled)]
    return [name, *counts, f"{cost.cached_share:.1%}", *_cells(cost.first_token_ms)]


def _times(course: Course) -> str:
    rows = [[name, *_cells(getattr(course, field))] for name, field in _TIMES if getattr(course, field) is not None]
    return _table(("milliseconds", "p50", "p95"), rows)


def _cells(times: Latency) -> list[str]:
    return ["-" if one is None else f"{one:.0f}" for one in (times.p50, times.p95)]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    rule = ["---", *("---:" for _ in head[1:])]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))
