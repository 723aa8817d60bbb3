"""The recipe of confidence, from turns whose answers are known to be right or wrong to weights and card; its report."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app import demo
from evals.conversations.replay import replaying
from evals.metrics.answers import Answerable, is_answered, judged
from evals.metrics.classification import auroc_metric, calibration_metric
from evals.metrics.judges import LexicalJudge
from evals.report import Metric, markdown_table, mean_metric, page
from evals.row_turns import load_turns
from evals.rows import pack, read_rows
from evals.shops import read_folder
from evals.shops.questions import ShopQuestion, answers_to, shop_questions
from evals.training.recipe import (
    Bounds,
    Floats,
    Metrics,
    Release,
    card_text,
    fold_of,
    logistic,
    splits,
    standardised,
    table,
    weights_table,
)
from graph.concluding.confidence import BOUNDS, MODEL_PATH, NAMES, described
from graph.trained import Logistic

PACK = "answers-epqa-dev"
SHOP = "demo shop"
TEST_FOLDS = frozenset({0, 1})
"""Folds of the products, rules and articles whose questions are only measured on."""
SEEDS = {"train": (5,), "test": (5, 6)}
"""The seeds of the questions that are made; measuring takes more of them, as the calibration error of few is noise."""


@dataclass(frozen=True, slots=True)
class ConfidenceExample:
    """A question that was asked.

    Attributes:
        source: Where it comes from.
        subject: What it is about; examples about one are held back together.
        answerable: Whether the evidence answers it.
        answered: Whether the turn did.
        right: Whether it did so rightly.
        score: The confidence of the turn.
        signals: What that was read from.
    """

    source: str
    subject: str
    answerable: bool
    answered: bool
    right: bool
    score: float
    signals: Mapping[str, float]


def examples(split: str) -> list[ConfidenceExample]:
    """Ask the pack's questions and those about the demo shop, by the parts that ship.

    Args:
        split: `train` or `test`.

    Raises:
        InputError: The pack is not there.
    """
    return [*pack_examples(split), *shop_examples(split)]


def pack_examples(split: str) -> list[ConfidenceExample]:
    """Questions over the evidence of their rows; a right answer cites what answers. Rows that only help are left out.

    Raises:
        InputError: The pack is not there.
    """
    rows = read_rows(pack(PACK) / "data.jsonl", Answerable, split)
    ask, judge = load_turns(), LexicalJudge()
    results = [judged(judge, row, ask(row.asked)) for row in rows if not row.partial]
    return [
        ConfidenceExample(
            source=PACK,
            subject=result.row.product.id if result.row.product else result.row.id,
            answerable=result.row.answerable,
            answered=result.answered,
            right=result.answered and result.case.right,
            score=result.turn.confidence.score,
            signals=result.turn.confidence.signals,
        )
        for result in results
    ]


def shop_examples(split: str) -> list[ConfidenceExample]:
    """Questions made from the demo shop's own data, asked of its index."""
    shop = read_folder(demo.shop_path())
    made = [one for seed in SEEDS[split] for one in shop_questions(shop, seed) if split_of(one) == split]
    questions = list({one.text: one for one in made}.values())
    with replaying() as replayer:
        return [
            ConfidenceExample(
                source=SHOP,
                subject=question.subject,
                answerable=question.label.answerable,
                answered=is_answered(turn),
                right=is_answered(turn) and question.label.is_right(turn),
                score=turn.confidence.score,
                signals=turn.confidence.signals,
            )
            for question, turn in zip(questions, answers_to(questions, replayer), strict=True)
        ]


def split_of(question: ShopQuestion) -> str:
    """Whether a question is trained on or measured on."""
    return "test" if fold_of(question.subject) in TEST_FOLDS else "train"


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


REGULARISATION = 0.3
"""The inverse strength C, over standardised signals."""


def fit(rows: Floats, labels: NDArray[np.bool_]) -> Logistic:
    """Learn from described signals.

    Args:
        rows: Shape `(examples, len(NAMES))`.
        labels: Whether each answer is right.
    """
    from scipy.optimize import minimize  # noqa: PLC0415 - heavy

    described, centre, spread = standardised(rows)

    def loss(weights: Floats) -> tuple[float, Floats]:
        odds = described @ weights[:-1] + weights[-1]
        missed = 1 / (1 + np.exp(-odds)) - labels
        penalty = weights[:-1] / REGULARISATION
        value = float((np.logaddexp(0, odds) - labels * odds).sum() + (weights[:-1] @ penalty) / 2)
        return value, np.append(described.T @ missed + penalty, missed.sum())

    bounds = [*_standardised(spread.tolist()), (None, None)]
    start = np.array([low or 0.0 for low, _ in bounds])
    found = minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B").x
    coefficients = found[:-1] / spread
    return logistic(NAMES, coefficients, found[-1] - coefficients @ centre)


def _standardised(spreads: Sequence[float]) -> list[Bounds]:
    """The bounds of log odds per standard deviation."""
    return [
        (None if low is None else low * spread, None if high is None else high * spread)
        for (low, high), spread in zip(BOUNDS.values(), spreads, strict=True)
    ]


def train() -> Release:
    """Train on answers to train questions, and measure on answers to test questions too.

    Raises:
        InputError: The pack is not there.
    """
    return release(examples("train"), examples("test"))


def release(train_rows: Sequence[ConfidenceExample], test_rows: Sequence[ConfidenceExample]) -> Release:
    """The same from examples; those that were not answered teach nothing."""
    rows, test = ([one for one in own if one.answered] for own in (train_rows, test_rows))
    weights = fit(_described(rows), _right(rows))
    held_back = _held_back(rows)
    sets = {
        "train, cross-validated": held_back,
        f"of these, {PACK}": [one for one in held_back if one.source == PACK],
        f"of these, {SHOP}": [one for one in held_back if one.source == SHOP],
        "test": _scored(test, weights.probabilities(_described(test))),
    }
    metrics = {name: measured(own) for name, own in sets.items()}
    card = card_text(
        "confidence",
        rows=len(rows),
        pack=sum(one.source == PACK for one in rows),
        shop=sum(one.source == SHOP for one in rows),
        pack_name=PACK,
        licence="CDLA-Sharing-1.0",
        metrics=table(metrics, "answers"),
        weights=weights_table(weights),
    )
    return Release(MODEL_PATH, weights.to_bytes(), card, metrics)


def measured(answers: Sequence[ConfidenceExample]) -> Metrics:
    """How many of some answers are right, and how well their scores tell; not a number where that is undefined."""
    found = confidence_metrics(answers)
    names = {"right": "right", "auroc": "AUROC", "ece": "ECE"}
    values = {shown: found[name].value for name, shown in names.items()}
    return {"n": len(answers)} | {name: math.nan if value is None else value for name, value in values.items()}


def _held_back(rows: Sequence[ConfidenceExample]) -> list[ConfidenceExample]:
    """Examples scored by models that did not learn from their fold."""
    seen, right, scores = _described(rows), _right(rows), np.zeros(len(rows))
    for held, rest in splits([one.subject for one in rows]):
        scores[held] = fit(seen[rest], right[rest]).probabilities(seen[held])
    return _scored(rows, scores)


def _described(rows: Sequence[ConfidenceExample]) -> Floats:
    return np.stack([described(one.signals) for one in rows])


def _right(rows: Sequence[ConfidenceExample]) -> NDArray[np.bool_]:
    return np.array([one.right for one in rows])


def _scored(rows: Sequence[ConfidenceExample], scores: NDArray[np.floating]) -> list[ConfidenceExample]:
    return [replace(one, score=float(score)) for one, score in zip(rows, scores, strict=True)]


BINS = 10


def reliability(examples: Sequence[ConfidenceExample]) -> list[dict[str, float]]:
    """Answers by tenths of confidence; a tenth without answers is left out.

    Returns:
        Of each tenth its least score (`low`) and where the next begins (`high`), how many answers it has (`n`), their
        mean score (`said`) and the share of them that is right (`right`).
    """
    placed: dict[int, list[ConfidenceExample]] = {}
    for one in (one for one in examples if one.answered):
        placed.setdefault(min(int(one.score * BINS), BINS - 1), []).append(one)
    return [
        {
            "low": place / BINS,
            "high": (place + 1) / BINS,
            "n": len(held),
            "said": sum(one.score for one in held) / len(held),
            "right": sum(one.right for one in held) / len(held),
        }
        for place, held in sorted(placed.items())
    ]


def as_markdown(examples: Sequence[ConfidenceExample]) -> str:
    """The page: figures over all and by source, and the reliability of the answers."""
    parts = []
    for name, chosen in _sets(examples):
        parts.append(f"## {name} ({len(chosen)} questions, {sum(one.answered for one in chosen)} answers)")
        parts.append(markdown_table(("figure", "value", "95 % interval", "n"), _rows(chosen)).rstrip())
    bins = [
        (f"{one['low']:.1f} .. {one['high']:.1f}", str(one["n"]), f"{one['said']:.3f}", f"{one['right']:.3f}")
        for one in reliability(examples)
    ]
    shown = markdown_table(("score", "answers", "mean score", "right"), bins)
    return page("confidence", pack=PACK, sets="\n\n".join(parts), reliability=shown)


def _sets(examples: Sequence[ConfidenceExample]) -> Iterator[tuple[str, Sequence[ConfidenceExample]]]:
    yield "All", examples
    for source in (PACK, SHOP):
        if chosen := [one for one in examples if one.source == source]:
            yield source, chosen


def _rows(examples: Sequence[ConfidenceExample]) -> Iterator[tuple[str, ...]]:
    for name, metric in confidence_metrics(examples).items():
        if metric.value is not None:
            yield name, *metric.shown, str(metric.n)
