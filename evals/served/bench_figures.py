"""What turns over a served model cost and how long they take: the figures of `bench llm`."""

from collections.abc import Sequence
from functools import reduce
from operator import add

from pydantic import BaseModel, computed_field

from evals.report import Latency
from graph.turn import Usage


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


def cost(usages: Sequence[Usage], first_token_ms: Latency) -> Cost:
    """Add up what requests cost."""
    total = reduce(add, usages, Usage())
    return Cost(
        calls=total.llm_calls,
        prompt=total.prompt_tokens,
        cached=total.cached_tokens,
        completion=total.completion_tokens,
        first_token_ms=first_token_ms,
    )


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
