"""Where branches part: the trade-offs on held-back examples from which the settings' defaults are chosen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graph.intents.entropy import choose_branch, normalised_entropy
from graph.options import GraphOptions
from graph.options.intents import NON_DECISION

THRESHOLDS = tuple(step / 20 for step in range(2, 20))
_MOST_LOST = 0.01
_FOCUSED_ACCURACY = 0.96


@dataclass(frozen=True, slots=True)
class BrowsingPoint:
    """A `non_decision` threshold: the share of it found, and the share of questions lost to browsing by it."""

    threshold: float
    found: float
    lost: float


@dataclass(frozen=True, slots=True)
class FocusPoint:
    """An entropy threshold: the share of questions read as one intent, and how often it is the right one.

    Attributes:
        threshold: The normalised entropy up to which one intent is read.
        focused: Share of the questions at or below it.
        accuracy: Share of those whose likeliest intent is right.
        covered: Share of all questions whose intent is among those read.
    """

    threshold: float
    focused: float
    accuracy: float
    covered: float


Labelled = Sequence[tuple[Mapping[str, float], str]]
"""Held-back distributions with the right label."""


def browsing_curve(rows: Labelled) -> list[BrowsingPoint]:
    """What each `non_decision` threshold finds and loses."""
    browsing = [distribution[NON_DECISION] for distribution, label in rows if label == NON_DECISION]
    questions = [distribution[NON_DECISION] for distribution, label in rows if label != NON_DECISION]
    return [
        BrowsingPoint(threshold, _share(browsing, threshold), _share(questions, threshold)) for threshold in THRESHOLDS
    ]


def focus_curve(rows: Labelled, options: GraphOptions) -> list[FocusPoint]:
    """What each entropy threshold reads as one intent, over the questions that reach a decision branch."""
    questions = [(d, label) for d, label in rows if label != NON_DECISION]
    return [_focus_point(questions, options.model_copy(update={"entropy_threshold": t})) for t in THRESHOLDS]


def choose_browsing(curve: Sequence[BrowsingPoint]) -> BrowsingPoint:
    """The lowest threshold that loses at most 1 % of the questions: a lost question gets no answer at all."""
    return next((point for point in curve if point.lost <= _MOST_LOST), curve[-1])


def choose_focus(curve: Sequence[FocusPoint]) -> FocusPoint:
    """The highest threshold at which the one intent read is right in 96 % of cases."""
    return next((point for point in reversed(curve) if point.accuracy >= _FOCUSED_ACCURACY), curve[0])


def _focus_point(questions: Labelled, options: GraphOptions) -> FocusPoint:
    sure = [
        max((mass, name) for name, mass in distribution.items() if name != NON_DECISION)[1] == label
        for distribution, label in questions
        if normalised_entropy(distribution) <= options.entropy_threshold
    ]
    # With a person asked for, no question is lost to browsing: what is measured is the selection alone.
    covered = [label in choose_branch(d, options, searchable=True, live_agent=True).selected for d, label in questions]
    accuracy = sum(sure) / len(sure) if sure else 1.0
    return FocusPoint(options.entropy_threshold, len(sure) / len(questions), accuracy, sum(covered) / len(questions))


def _share(masses: Sequence[float], threshold: float) -> float:
    return sum(mass >= threshold for mass in masses) / len(masses)
