"""The report on the entropy threshold: the curve, and what was chosen."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from app import demo
from app.settings import index_path
from evals.conversations.fixtures import Conversation
from evals.conversations.replay import replaying
from evals.reports.entropy_curve import Point, ReadBothWays, choose, curve, read_both_ways
from evals.reports.entropy_questions import entropy_conversations
from graph.options import GraphOptions
from ingestion.knowledge import open_knowledge

_INTRODUCTION = """# The entropy threshold

Made by `footnote report entropy --out docs/entropy.md`. A question is read as one intent (focused) up to a normalised
entropy, and as the {broad} likeliest (broad) above it. Every question here has evidence or an answer that is known to
be right, and none was trained on: turns of the conversations in `tests/conversations`, and questions made from the demo
shop's own attributes and policies. Each was answered both ways, whatever its entropy; the threshold decides which of
the two answers counts. Questions that ask several things at once are read clause by clause and are left out, as are
those that the threshold cannot change.
"""


def measure(
    fixtures: Mapping[Path, Conversation], made: int, options: GraphOptions
) -> dict[str, Sequence[ReadBothWays]]:
    """Answer the turns of fixtures, and questions made from the demo shop, both ways.

    Args:
        fixtures: Conversations by file.
        made: How many questions to make.
        options: Those that ship.
    """
    with replaying() as replayer:
        replayer.assistant(demo.NAME, Path())  # its index is made where there is none
    with closing(open_knowledge(index_path(demo.NAME))) as knowledge:
        single = entropy_conversations(knowledge, demo.NAME, made)
    sets: dict[str, Mapping[Path, Sequence[Conversation]]] = {
        "Turns of our conversations": {file: [conversation] for file, conversation in fixtures.items()},
        "Questions made from the demo shop": {Path(demo.NAME): single},
    }
    return {name: read_both_ways(chosen, options, lambda own: replaying(options=own)) for name, chosen in sets.items()}


def as_markdown(measured: Mapping[str, Sequence[ReadBothWays]], options: GraphOptions) -> str:
    """The report: a curve for each set of questions, the pooled one first, and the choice."""
    parts = [_INTRODUCTION.format(broad=options.broad_intents)]
    for name, questions in _sets(measured).items():
        parts.append(f"## {name} (n = {len(questions)})\n\n{_table(curve(questions))}\n")
    pooled = _pooled(measured)
    best, shipped = choose(curve(pooled)), [question.shipped for question in pooled]
    right = sum(one.right for one in shipped) / len(shipped)
    evidence = sum(one.evidence for one in shipped) / len(shipped)
    parts.append(
        "## What was chosen\n\nThe threshold with the most right answers over all questions, and of equal ones that "
        f"which reads the least evidence, is **{best.threshold:.2f}**: {best.right:.3f} right with "
        f"{best.evidence:.1f} pieces of evidence.\n\n`graph.entropy_threshold` is {options.entropy_threshold:.2f}. "
        f"With it a question is also read as one intent when that has {options.dominant_intent:.0%} of the mass, and a "
        f"broad one leaves out intents below {options.broad_floor:.0%}: {right:.3f} right with {evidence:.1f} pieces.\n"
    )
    return "\n".join(parts)


def as_json(measured: Mapping[str, Sequence[ReadBothWays]]) -> dict[str, Any]:
    """All figures as plain data."""
    return {
        "component": "entropy",
        "chosen": choose(curve(_pooled(measured))).threshold,
        "rows": [
            {
                "questions": name,
                "n": len(questions),
                "entropy_threshold": point.threshold,
                "focused": round(point.focused, 6),
                "right": round(point.right, 6),
                "ci95": [round(end, 6) for end in point.interval],
                "evidence": round(point.evidence, 3),
                "ms": round(point.ms, 3),
            }
            for name, questions in _sets(measured).items()
            for point in curve(questions)
        ],
    }


def _sets(measured: Mapping[str, Sequence[ReadBothWays]]) -> dict[str, Sequence[ReadBothWays]]:
    return {"All questions": _pooled(measured), **measured}


def _pooled(measured: Mapping[str, Sequence[ReadBothWays]]) -> list[ReadBothWays]:
    return [question for questions in measured.values() for question in questions]


def _table(points: Sequence[Point]) -> str:
    head = "| threshold | read as one intent | right | 95 % interval | evidence | ms |\n|---|---|---|---|---|---|"
    rows = [
        f"| {p.threshold:.2f} | {p.focused:.3f} | {p.right:.3f} | {p.interval[0]:.3f} .. {p.interval[1]:.3f} "
        f"| {p.evidence:.1f} | {p.ms:.0f} |"
        for p in points
    ]
    return "\n".join([head, *rows])
