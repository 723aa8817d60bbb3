"""The report on confidence: whether a turn's score is the probability that its answer is right."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from evals.output import markdown_table
from evals.training.confidence import PACK, SHOP, ConfidenceExample, confidence_metrics

BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers of like confidence.

    Attributes:
        low: Least score of the bin.
        high: Where the next begins.
        n: How many answers.
        said: Their mean score.
        right: Share of them that is right.
    """

    low: float
    high: float
    n: int
    said: float
    right: float


def reliability(examples: Sequence[ConfidenceExample]) -> list[Bin]:
    """Answers by tenths of confidence; a tenth without answers is left out."""
    placed: dict[int, list[ConfidenceExample]] = {}
    for one in (one for one in examples if one.answered):
        placed.setdefault(min(int(one.score * BINS), BINS - 1), []).append(one)
    return [
        Bin(
            low=place / BINS,
            high=(place + 1) / BINS,
            n=len(held),
            said=sum(one.score for one in held) / len(held),
            right=sum(one.right for one in held) / len(held),
        )
        for place, held in sorted(placed.items())
    ]


_INTRODUCTION = f"""# Confidence

Whether `confidence.score` is the probability that an answer is right and supported. Made by
`footnote report confidence --out docs/confidence.md`, over test rows of `{PACK}` (an answer is right when its first
citation answers the question and the others at least help) and questions made from the demo shop's own data about
products, rules and articles that nothing was learnt from. Rows with `all.` take refusals in as answers that are not
right. The model, its data and what counts: `graph/concluding/MODEL_CARD.md`."""


def as_markdown(examples: Sequence[ConfidenceExample]) -> str:
    """The report: figures over all and by source, and the reliability of the answers."""
    parts = [_INTRODUCTION]
    for name, chosen in _sets(examples):
        parts.append(f"## {name} ({len(chosen)} questions, {sum(one.answered for one in chosen)} answers)")
        parts.append(markdown_table(("figure", "value", "95 % interval", "n"), _rows(chosen)).rstrip())
    bins = [
        (f"{one.low:.1f} .. {one.high:.1f}", str(one.n), f"{one.said:.3f}", f"{one.right:.3f}")
        for one in reliability(examples)
    ]
    parts += ["## Reliability", markdown_table(("score", "answers", "mean score", "right"), bins)]
    return "\n\n".join(parts)


def as_json(examples: Sequence[ConfidenceExample]) -> dict[str, Any]:
    """All figures as plain data."""
    return {
        "component": "confidence",
        "sets": [
            {
                "questions": name,
                "n": len(chosen),
                "answers": sum(one.answered for one in chosen),
                "metrics": {key: metric.model_dump() for key, metric in confidence_metrics(chosen).items()},
                "reliability": [asdict(one) for one in reliability(chosen)],
            }
            for name, chosen in _sets(examples)
        ],
    }


def _sets(examples: Sequence[ConfidenceExample]) -> Iterator[tuple[str, Sequence[ConfidenceExample]]]:
    yield "All", examples
    for source in (PACK, SHOP):
        if chosen := [one for one in examples if one.source == source]:
            yield source, chosen


def _rows(examples: Sequence[ConfidenceExample]) -> Iterator[tuple[str, ...]]:
    for name, metric in confidence_metrics(examples).items():
        if metric.value is not None and metric.ci95 is not None:
            low, high = metric.ci95
            yield name, f"{metric.value:.3f}", f"{low:.3f} .. {high:.3f}", str(metric.n)
