"""Figures of confidence, as a report and on its model card."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from evals.confidence.examples import PACK, SHOP, ConfidenceExample
from evals.metrics.classification import auroc_metric, calibration_metric
from evals.report import Metric, mean_metric
from graph.trained import Logistic

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


@dataclass(frozen=True, slots=True)
class ConfidenceMetrics:
    """Figures over answers.

    Attributes:
        rows: How many.
        right: Share of them that is right.
        auroc: How well right ones are told from wrong ones; not a number where all are of one kind.
        ece: Expected calibration error; not a number over none.
    """

    rows: int
    right: float
    auroc: float
    ece: float

    def __str__(self) -> str:
        return f"AUROC {self.auroc:.3f}, ECE {self.ece:.3f}, right {self.right:.3f}, n {self.rows}"


def measure(answers: Sequence[ConfidenceExample]) -> ConfidenceMetrics:
    """Measure the scores of answers."""
    metrics = confidence_metrics([one for one in answers if one.answered])
    right, auroc, ece = (metrics[name].value for name in ("right", "auroc", "ece"))
    return ConfidenceMetrics(len(answers), *(math.nan if value is None else value for value in (right, auroc, ece)))


def confidence_metrics(examples: Sequence[ConfidenceExample]) -> dict[str, Metric]:
    """Figures over the answers; `all.` takes refusals in as answers that are not right.

    `answerable_auroc` is over all: whether the score tells what the evidence answers from what it does not.
    """
    answers = [one for one in examples if one.answered]
    return {
        "right": mean_metric([one.right for one in answers]),
        "ece": calibration_metric([one.score for one in answers], [one.right for one in answers]),
        "auroc": auroc_metric([one.right for one in answers], [one.score for one in answers]),
        "all.ece": calibration_metric([one.score for one in examples], [one.right for one in examples]),
        "all.auroc": auroc_metric([one.right for one in examples], [one.score for one in examples]),
        "answerable_auroc": auroc_metric([one.answerable for one in examples], [one.score for one in examples]),
    }


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


_CARD = """# Confidence

Says how probable it is that an answer is right and supported: `confidence.score` of a turn, whose `signals` are kept
beside it.

* **Model**: a logistic regression over named signals of the turn (`signals.py`), their signs held to what they mean:
  more support, relevance or primary sources never lower the score. The odds fall at least with the support of the
  sentences, which cannot be learnt, as weakly supported ones are never shown. Isotonic regression behind it would be
  used if it were better on answers that were held back; see the figures.
* **Data**: {rows:,} answers of the parts that ship: {pack:,} to train rows of `{pack_name}` ({licence}), where a right
  one cites what answers first and nothing that does not help; {shop:,} to questions made from the demo shop's own data
  (`evals/shops/questions.py`), by product, rule and article apart from those it is measured on. The pack is found
  through `FOOTNOTE_BENCH`, not copied here. `answers-hetpqa` is left out: its rows hold one piece of evidence each,
  which always answers, so that they would teach that little evidence is sure evidence.
* **Training**: `footnote train confidence`, after all other parts; the same turns give the same file on one machine
  with one thread.
* **Use**: what a turn states as an answer. A turn that answers nothing gets a tenth of the probability that the
  evidence does answer, which puts it below nearly all answers; a hand-over and browsing are not scored by it.
* **Limits**: English. Other shops than the demo shop may be easier or harder: the score says how often such answers
  were right here. Whether a source is right is not asked.

## Figures

| answers | n | right | AUROC | ECE |
|---|---|---|---|---|
{figures}
## What counts

| signal | log odds per unit |
|---|---|
{weights}"""


def render_card(weights: Logistic, rows: Sequence[ConfidenceExample], figures: Mapping[str, ConfidenceMetrics]) -> str:
    """Write the card as Markdown.

    Args:
        weights: What was learnt.
        rows: Answers it was learnt from.
        figures: What was measured, by the name of the answers.
    """
    measured = (
        f"| {name} | {one.rows} | {one.right:.3f} | {one.auroc:.3f} | {one.ece:.3f} |\n"
        for name, one in figures.items()
    )
    return _CARD.format(
        rows=len(rows),
        pack=sum(one.source == PACK for one in rows),
        shop=sum(one.source == SHOP for one in rows),
        pack_name=PACK,
        licence="CDLA-Sharing-1.0",
        figures="".join(measured),
        weights=weights.table(),
    )


_INTRODUCTION = f"""# Confidence

Whether `confidence.score` is the probability that an answer is right and supported. Made by
`footnote report confidence --out docs/confidence.md`, over test rows of `{PACK}` (an answer is right when its first
citation answers the question and the others at least help) and questions made from the demo shop's own data about
products, rules and articles that nothing was learnt from. Rows with `all.` take refusals in as answers that are not
right. The model, its data and what counts: `graph/concluding/confidence/MODEL_CARD.md`."""


def as_markdown(examples: Sequence[ConfidenceExample]) -> str:
    """The report: figures over all and by source, and the reliability of the answers."""
    parts = [_INTRODUCTION]
    for name, chosen in _sets(examples):
        parts.append(f"## {name} ({len(chosen)} questions, {sum(one.answered for one in chosen)} answers)")
        parts.append("| figure | value | 95 % interval | n |\n|---|---|---|---|\n" + "\n".join(_rows(chosen)))
    parts.append("## Reliability\n\n| score | answers | mean score | right |\n|---|---|---|---|")
    bins = (
        f"| {one.low:.1f} .. {one.high:.1f} | {one.n} | {one.said:.3f} | {one.right:.3f} |"
        for one in reliability(examples)
    )
    return "\n\n".join(parts) + "\n" + "\n".join(bins) + "\n"


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


def _rows(examples: Sequence[ConfidenceExample]) -> Iterator[str]:
    for name, metric in confidence_metrics(examples).items():
        if metric.value is not None and metric.ci95 is not None:
            low, high = metric.ci95
            yield f"| {name} | {metric.value:.3f} | {low:.3f} .. {high:.3f} | {metric.n} |"
