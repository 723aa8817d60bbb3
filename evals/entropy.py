"""What the entropy threshold decides: questions answered both ways."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from app import demo
from app.settings import Settings
from evals.conversations.fixtures import Conversation
from evals.conversations.replay import Replayer, replaying
from evals.metrics.answers import is_answered
from evals.report import markdown_table, mean_metric, page
from evals.shops import read_folder
from evals.shops.questions import ShopQuestion, answers_to, shop_questions
from graph.options import GraphOptions
from graph.turn import Turn

THRESHOLDS = tuple(step / 20 for step in range(21))
SEED, MADE = 3, 250
"""Chooses the questions about the demo shop, and how many."""
_JUDGED_BY = frozenset({"outcome", "answer_contains", "answer_excludes", "cites", "cites_only_products"})
_KNOWN_BY = ("cites", "answer_contains")

OpenReplayer = Callable[[GraphOptions], AbstractContextManager[Replayer]]
"""Opens assistants that read questions by these options."""


@dataclass(frozen=True, slots=True)
class Read:
    """What came of a question with known evidence that was read one way.

    Attributes:
        right: Whether the answer is what is known to be right.
        evidence: Pieces of evidence given to the responder.
        entropy: The question's normalised entropy.
        selected: How many intents were read.
    """

    right: bool
    evidence: int
    entropy: float
    selected: int

    @classmethod
    def of(cls, turn: Turn | None, *, right: bool) -> "Read | None":
        """What came of a turn; None where there was none."""
        if turn is None:
            return None
        return cls(right, len(turn.retrieved), turn.intent.entropy, len(turn.intent.selected))


AskAll = Callable[[Replayer], Iterator[Read | None]]
"""Puts a set of questions to assistants, always in the same order."""


def of_fixtures(fixtures: Mapping[Path, Conversation]) -> AskAll:
    """The turns of fixtures whose right evidence or answer is known."""

    def ask(replayer: Replayer) -> Iterator[Read | None]:
        for file, conversation in fixtures.items():
            for result in replayer.run(file, conversation).turns:
                if any(getattr(result.asked.expect, key) is not None for key in _KNOWN_BY):
                    right = not any(failure.key in _JUDGED_BY for failure in result.failures)
                    yield Read.of(result.turn, right=right)

    return ask


def of_demo_shop(questions: Sequence[ShopQuestion]) -> AskAll:
    """Questions about the demo shop, judged by its own data."""

    def ask(replayer: Replayer) -> Iterator[Read | None]:
        for question, turn in zip(questions, answers_to(questions, replayer), strict=True):
            yield Read.of(turn, right=is_answered(turn) and question.label.is_right(turn))

    return ask


@dataclass(frozen=True, slots=True)
class ReadBothWays:
    """A question with known evidence, read as one intent and as several.

    Attributes:
        focused: Read as its likeliest intent.
        broad: Read as its likeliest intents, however unlikely the last of them.
        shipped: Read by the options that ship.
    """

    focused: Read
    broad: Read
    shipped: Read

    def at(self, threshold: float) -> Read:
        """What comes of it when up to this entropy one intent is read."""
        return self.focused if self.focused.entropy <= threshold else self.broad


@dataclass(frozen=True, slots=True)
class Point:
    """An entropy threshold and what it leads to.

    Attributes:
        threshold: Up to this normalised entropy one intent is read, above it several.
        focused: Share of the questions read as one intent.
        right: Share of right answers.
        interval: Its 95 % bootstrap interval.
        evidence: Mean pieces of evidence a question.
    """

    threshold: float
    focused: float
    right: float
    interval: tuple[float, float]
    evidence: float


def ways(options: GraphOptions) -> dict[str, GraphOptions]:
    """The three ways to read a question: as one intent, as several, and as the options say."""
    focused = {"entropy_threshold": 1.0}
    broad = {"entropy_threshold": 0.0, "dominant_intent": 1.0, "broad_floor": 0.0}
    return {
        "focused": options.model_copy(update=focused),
        "broad": options.model_copy(update=broad),
        "shipped": options,
    }


def read_both_ways(ask: AskAll, options: GraphOptions, open_replayer: OpenReplayer) -> list[ReadBothWays]:
    """Ask questions each way, and keep those that ask one thing.

    Args:
        ask: Puts the questions.
        options: Those that ship.
        open_replayer: Opens assistants for options.
    """
    read: dict[str, list[Read | None]] = {}
    for way, chosen in ways(options).items():
        with open_replayer(chosen) as replayer:
            read[way] = list(ask(replayer))
    return [
        ReadBothWays(focused, broad, shipped)
        for focused, broad, shipped in zip(read["focused"], read["broad"], read["shipped"], strict=True)
        # Else the way of reading is not the threshold's choice: browsing, or several questions at once.
        if focused and broad and shipped and focused.selected == 1 and broad.selected > 1
    ]


def curve(questions: Sequence[ReadBothWays]) -> list[Point]:
    """What each threshold leads to."""
    return [_point(threshold, questions) for threshold in THRESHOLDS]


def choose(points: Sequence[Point]) -> Point:
    """The threshold with the most right answers; of equal ones that which reads the least evidence."""
    return max(points, key=lambda point: (point.right, -point.evidence, point.threshold))


def _point(threshold: float, questions: Sequence[ReadBothWays]) -> Point:
    read = [question.at(threshold) for question in questions]
    return Point(
        threshold=threshold,
        focused=fmean(question.focused.entropy <= threshold for question in questions),
        right=fmean(one.right for one in read),
        interval=mean_metric([one.right for one in read]).ci95 or (0.0, 1.0),
        evidence=fmean(one.evidence for one in read),
    )


def measure(fixtures: Mapping[Path, Conversation], options: GraphOptions) -> dict[str, Sequence[ReadBothWays]]:
    """Answer the turns of fixtures, and questions made from the demo shop, both ways.

    Args:
        fixtures: Conversations by file.
        options: Those that ship.
    """
    answerable = [one for one in shop_questions(read_folder(demo.shop_path())) if one.label.answerable]
    chosen = random.Random(SEED).sample(answerable, min(MADE, len(answerable)))  # noqa: S311 - reproducible, no secret
    sets = {
        "Turns of our conversations": of_fixtures(fixtures),
        "Questions made from the demo shop": of_demo_shop(chosen),
    }
    settings = Settings.load()
    return {
        name: read_both_ways(ask, options, lambda own: replaying(settings=settings.model_copy(update={"graph": own})))
        for name, ask in sets.items()
    }


def as_markdown(measured: Mapping[str, Sequence[ReadBothWays]], options: GraphOptions) -> str:
    """The page: a curve for each set of questions, the pooled one first, what moves with the threshold, the choice."""
    pooled = _pooled(measured)
    points, shipped = curve(pooled), [question.shipped for question in pooled]
    right, evidence = [point.right for point in points], [point.evidence for point in points]
    low, high = max(points, key=lambda point: point.right).interval
    moved = max(right) - min(right)
    return page(
        "entropy",
        curves="\n".join(
            f"## {name} (n = {len(questions)})\n\n{_table(curve(questions))}"
            for name, questions in _sets(measured).items()
        ),
        moved=moved,
        most=max(evidence),
        least=min(evidence),
        said=_CHANCE if moved <= (high - low) / 2 else "That is more than chance.",
        best=choose(points),
        options=options,
        right=fmean(one.right for one in shipped),
        evidence=fmean(one.evidence for one in shipped),
    )


_CHANCE = "That is no more than chance: the threshold decides how much is read, not how many answers are right."


def _sets(measured: Mapping[str, Sequence[ReadBothWays]]) -> dict[str, Sequence[ReadBothWays]]:
    return {"All questions": _pooled(measured), **measured}


def _pooled(measured: Mapping[str, Sequence[ReadBothWays]]) -> list[ReadBothWays]:
    return [question for questions in measured.values() for question in questions]


def _table(points: Sequence[Point]) -> str:
    columns = ("threshold", "read as one intent", "right", "95 % interval", "evidence")
    rows = [
        (
            f"{p.threshold:.2f}",
            f"{p.focused:.3f}",
            f"{p.right:.3f}",
            f"{p.interval[0]:.3f} .. {p.interval[1]:.3f}",
            f"{p.evidence:.1f}",
        )
        for p in points
    ]
    return markdown_table(columns, rows)
