"""Where the entropy threshold should lie, by the answers it leads to: each question read both ways."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from evals.bootstrap import mean_interval
from evals.conversations.fixtures import Conversation
from evals.conversations.replay import Replayer, TurnResult
from graph.options import GraphOptions

THRESHOLDS = tuple(step / 20 for step in range(21))
_JUDGED_BY = frozenset({"outcome", "answer_contains", "answer_excludes", "cites", "cites_only_products"})
_KNOWN_BY = ("cites", "answer_contains")

OpenReplayer = Callable[[GraphOptions], AbstractContextManager[Replayer]]
"""Opens assistants that read questions by these options."""


@dataclass(frozen=True, slots=True)
class Read:
    """What came of a question that was read one way.

    Attributes:
        right: Whether the answer is what is known to be right.
        evidence: Pieces of evidence given to the responder.
        ms: Milliseconds of the whole turn.
    """

    right: bool
    evidence: int
    ms: float


@dataclass(frozen=True, slots=True)
class ReadBothWays:
    """A question with known evidence, read as one intent and as several.

    Attributes:
        entropy: Its normalised entropy.
        focused: Read as its likeliest intent.
        broad: Read as its likeliest intents, however unlikely the last of them.
        shipped: Read by the options that ship.
    """

    entropy: float
    focused: Read
    broad: Read
    shipped: Read

    def at(self, threshold: float) -> Read:
        """What comes of it when up to this entropy one intent is read."""
        return self.focused if self.entropy <= threshold else self.broad


@dataclass(frozen=True, slots=True)
class Point:
    """An entropy threshold and what it leads to.

    Attributes:
        threshold: Up to this normalised entropy one intent is read, above it several.
        focused: Share of the questions read as one intent.
        right: Share of right answers.
        interval: Its 95 % bootstrap interval.
        evidence: Mean pieces of evidence a question.
        ms: Mean milliseconds a question.
    """

    threshold: float
    focused: float
    right: float
    interval: tuple[float, float]
    evidence: float
    ms: float


def ways(options: GraphOptions) -> dict[str, GraphOptions]:
    """The three ways to read a question: as one intent, as several, and as the options say."""
    focused = {"entropy_threshold": 1.0}
    broad = {"entropy_threshold": 0.0, "dominant_intent": 1.0, "broad_floor": 0.0}
    return {
        "focused": options.model_copy(update=focused),
        "broad": options.model_copy(update=broad),
        "shipped": options,
    }


def read_both_ways(
    conversations: Mapping[Path, Sequence[Conversation]], options: GraphOptions, open_replayer: OpenReplayer
) -> list[ReadBothWays]:
    """Hold conversations each way, and keep the turns whose right evidence or answer is known and that ask one thing.

    Args:
        conversations: Conversations by the file that they are from.
        options: Those that ship.
        open_replayer: Opens assistants for options.
    """
    held: dict[str, list[TurnResult]] = {}
    for way, chosen in ways(options).items():
        with open_replayer(chosen) as replayer:
            held[way] = list(_held(replayer, conversations))
    together = zip(held["focused"], held["broad"], held["shipped"], strict=True)
    return [
        ReadBothWays(focused.turn.intent.entropy, *(_read(one) for one in (focused, broad, shipped)))
        for focused, broad, shipped in together
        if focused.turn and broad.turn and shipped.turn and _depends(focused, broad)
    ]


def curve(questions: Sequence[ReadBothWays]) -> list[Point]:
    """What each threshold leads to."""
    return [_point(threshold, [q.at(threshold) for q in questions], questions) for threshold in THRESHOLDS]


def choose(points: Sequence[Point]) -> Point:
    """The threshold with the most right answers; of equal ones that which reads the least evidence."""
    return max(points, key=lambda point: (point.right, -point.evidence, point.threshold))


def _point(threshold: float, read: Sequence[Read], questions: Sequence[ReadBothWays]) -> Point:
    right = [float(one.right) for one in read]
    return Point(
        threshold=threshold,
        focused=sum(question.entropy <= threshold for question in questions) / len(questions),
        right=sum(right) / len(right),
        interval=mean_interval(right),
        evidence=sum(one.evidence for one in read) / len(read),
        ms=sum(one.ms for one in read) / len(read),
    )


def _held(replayer: Replayer, conversations: Mapping[Path, Sequence[Conversation]]) -> Iterator[TurnResult]:
    for file, of_file in conversations.items():
        for conversation in of_file:
            for result in replayer.run(file, conversation).turns:
                if any(getattr(result.asked.expect, key) is not None for key in _KNOWN_BY):
                    yield result


def _depends(focused: TurnResult, broad: TurnResult) -> bool:
    """Whether the way of reading is the threshold's choice: a decision branch, and one question, not several."""
    assert focused.turn is not None, "turns without an answer are left out before"
    assert broad.turn is not None, "turns without an answer are left out before"
    return len(focused.turn.intent.selected) == 1 and len(broad.turn.intent.selected) > 1


def _read(result: TurnResult) -> Read:
    assert result.turn is not None, "turns without an answer are left out before"
    right = not any(failure.key in _JUDGED_BY for failure in result.failures)
    return Read(right, len(result.turn.retrieved), result.ms)
