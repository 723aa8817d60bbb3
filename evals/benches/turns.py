"""How long a warm turn takes, node by node, beside the bare embedding model in the same run."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

from pydantic import BaseModel
from rich.console import Console

from app.cli.console import table_of
from evals.conversations.fixtures import Conversation, FixtureTurn
from evals.conversations.replay import ConversationResult, Replayer
from evals.report import Latency, latency, timed

WARM_UP = "What can you help me with?"
"""Asked first and not measured: it loads what is loaded once a process."""

OpenReplayer = Callable[[], AbstractContextManager[Replayer]]
Embed = Callable[[list[str]], object]


class Timing(Latency):
    """Milliseconds, and over how many turns."""

    n: int


class TurnsBenchmark(BaseModel):
    """Times of a run.

    Attributes:
        conversations: Fixtures that were held.
        repeat: How often each; every time with an assistant that has not heard the questions before.
        failed: Turns without an answer, which are not in the times.
        nodes: Milliseconds in each node of the graph.
        turn: Milliseconds of a whole turn.
        encoder: Milliseconds of embedding the same questions, one at a time, and nothing else.
    """

    conversations: int
    repeat: int
    failed: int
    nodes: dict[str, Timing]
    turn: Timing
    encoder: Timing


def time_turns(
    fixtures: Mapping[Path, Conversation], open_replayer: OpenReplayer, embed: Embed, repeat: int = 1
) -> TurnsBenchmark:
    """Hold conversations and time their turns.

    Args:
        fixtures: The conversations, by file.
        open_replayer: Opens fresh assistants.
        embed: The bare embedding model.
        repeat: How often all of them are held.
    """
    nodes: dict[str, list[float]] = defaultdict(list)
    turns: list[float] = []
    encoder: list[float] = []
    for _ in range(repeat):
        with open_replayer() as replayer:
            for position, (file, conversation) in enumerate(fixtures.items()):
                if position == 0:
                    warm_up = conversation.model_copy(update={"turns": [FixtureTurn(user=WARM_UP)]})
                    replayer.run(file, warm_up)
                result = replayer.run(file, conversation)
                turns += [turn.ms for turn in result.turns if turn.turn]
                _add_nodes(nodes, result)
                encoder += [timed(partial(embed, [turn.said]))[1] for turn in result.turns]
    return TurnsBenchmark(
        conversations=len(fixtures),
        repeat=repeat,
        failed=len(encoder) - len(turns),
        nodes={name: _timing(times) for name, times in nodes.items()},
        turn=_timing(turns),
        encoder=_timing(encoder),
    )


def print_benchmark(console: Console, result: TurnsBenchmark) -> None:
    """The times as a table."""
    rows = [
        *result.nodes.items(),
        ("whole turn", result.turn),
        ("bare encoder, one query", result.encoder),
    ]
    cells = [(name, _shown(timing.p50), _shown(timing.p95), str(timing.n)) for name, timing in rows]
    console.print(table_of(("node", "p50 ms", "p95 ms", "turns"), cells))
    if result.failed:
        console.print(f"{result.failed} turns failed and are not in the times", style="red")


def _shown(milliseconds: float | None) -> str:
    return "-" if milliseconds is None else f"{milliseconds:.1f}"


def _add_nodes(nodes: dict[str, list[float]], result: ConversationResult) -> None:
    for turn in result.turns:
        for name, milliseconds in (turn.turn.timings_ms if turn.turn else {}).items():
            nodes[name].append(milliseconds)


def _timing(times: list[float]) -> Timing:
    return Timing(n=len(times), **latency(times).model_dump())
