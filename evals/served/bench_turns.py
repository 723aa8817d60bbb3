"""From held turns and bare calls to the figures of a course."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from evals.report import Latency, latency
from evals.served.bare_client import BareCall
from evals.served.bench_figures import Cost, Course, cost
from evals.served.layouts import task_of
from evals.served.observed_model import Exchange, waited_s
from graph.turn import Turn

Runs = Sequence[Sequence["HeldTurn"]]
"""By repetition, the turns in their order."""
BareRuns = Sequence[Sequence[Sequence[BareCall]]]
"""By repetition and turn, the calls in their order."""


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
    naive = [call for run in bare["naive"] for turn in run for call in turn]
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
        naive=cost([call.usage for call in naive], latency([call.first_ms for call in naive])),
        tasks=_tasks(exchanges),
        least_cached_share=min(_shares(runs), default=0.0),
    )


def _best(runs: Runs, time_of: Callable[[HeldTurn], float | None]) -> Latency:
    """For each turn the best time of its repetitions."""
    times = [[time for turn in same if (time := time_of(turn)) is not None] for same in zip(*runs, strict=True)]
    return latency([min(one) for one in times if one])


def _over_bare(runs: Runs, bare: BareRuns) -> Latency:
    over = [
        [turn.ms - sum(call.ms for call in calls) for turn, calls in zip(run, sent, strict=True)]
        for run, sent in zip(runs, bare, strict=True)
    ]
    return latency([min(same) for same in zip(*over, strict=True)])


def _cost(exchanges: Sequence[Exchange]) -> Cost:
    firsts = [(one.first - one.begun) * 1000 for one in exchanges if one.first is not None]
    return cost([one.usage for one in exchanges], latency(firsts))


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
