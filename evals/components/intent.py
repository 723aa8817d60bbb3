"""Intents: whether a text is classified right, how sure that is, and whether what has no label is told apart."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.errors import InputError
from evals.metrics.classification import auroc_metric, calibration_metric, classification_metrics
from evals.report import Evaluation, Metric, Scored, few, mean_metric, run_rows
from evals.rows import Request, Utterance, read_rows
from evals.training.fresh_intents import OUT_OF_SCOPE, Classification, fit_intent_model
from evals.training.intent_model import Example, TooFewExamplesError
from graph.intents import INTENTS, NON_DECISION
from graph.intents.entropy import normalised_entropy
from graph.intents.model import LocalIntentModel
from graph.parts import Encoder, IntentModel


@dataclass(frozen=True, slots=True)
class Classifier:
    """A model that is scored.

    Attributes:
        labels: The labels it knows.
        outside: What it says of a text to which no label applies.
        classify: Classifies one text.
    """

    labels: frozenset[str]
    outside: str
    classify: Callable[[str], Classification]


Classified = Scored[Utterance, Classification]
"""A text and what it was taken for."""


def load_classifier(request: Request) -> Classifier:
    """The model that ships, or one fitted on the rows of `request.train`.

    Raises:
        InputError: The rows cannot be used, or no model can be fitted on them.
    """
    from ingestion.encoder import shared_encoder  # noqa: PLC0415 - heavy

    if request.train is not None:
        return fitted(request.train, request.val, shared_encoder())
    if request.val is not None:
        msg = "--val calibrates a fresh model, and none is trained. Name its training rows with --train."
        raise InputError(msg)
    return shipped(LocalIntentModel(shared_encoder()))


def fitted(train: Path, val: Path | None, encoder: Encoder) -> Classifier:
    """A fresh model of the kind that ships.

    Raises:
        InputError: The rows cannot be used, or no model can be fitted on them.
    """
    examples, validation = _examples(train), _examples(val) if val else []
    try:
        model = fit_intent_model(examples, validation, encoder)
    except TooFewExamplesError as error:
        msg = f"No model can be fitted on {train}. {error!s}"
        raise InputError(msg) from error
    return Classifier(frozenset(model.labels), OUT_OF_SCOPE, model.classify)


def shipped(model: IntentModel) -> Classifier:
    """The model that ships; what no intent is about is `non_decision` to it."""

    def classify(text: str) -> Classification:
        distribution = model.distribution(text)
        likeliest = max(distribution, key=lambda label: distribution[label])
        return Classification(likeliest, distribution, normalised_entropy(distribution))

    return Classifier(frozenset(INTENTS), NON_DECISION, classify)


def evaluate(request: Request, load: Callable[[Request], Classifier] = load_classifier) -> Evaluation:
    """Classify each text.

    In scope are the rows whose label is not `oos`. `accuracy` and `ece` are over them; a rejected one counts as wrong.
    `oos_recall` is over the rows to which no label applies, `oos_precision` over those that are rejected, and
    `entropy_auroc` tells the two kinds of rows apart by the normalised entropy. F1 is over all rows, with what is
    rejected as a class of its own. The model that ships rejects by saying `non_decision`, which is an intent as well.

    Raises:
        InputError: The rows cannot be used, or no model can be fitted.
    """
    rows = read_rows(request.data, Utterance, request.split)

    def load_for_rows() -> Classifier:
        classifier = load(request)
        strange = _strange(rows, classifier)
        if strange and request.train is None:
            msg = (
                f"{request.data} has the label {strange[0]!r}, which is no intent. The intents are "
                f"{', '.join(INTENTS)}, and {OUT_OF_SCOPE} for none. To fit a model on labels "
                "of your own, name training rows with --train."
            )
            raise InputError(msg)
        return classifier

    def metrics(results: Sequence[Classified]) -> dict[str, Metric]:
        return _metrics(results, run.part.outside)

    run = run_rows(rows, load_for_rows, lambda classifier, row: classifier.classify(row.text))
    return run.evaluation("intent", request.data, metrics, _prediction, warnings=_warnings(_strange(rows, run.part)))


def _examples(file: Path) -> list[Example]:
    return [Example(row.text, row.label, row.text) for row in read_rows(file, Utterance)]


def _metrics(results: Sequence[Classified], outside: str) -> dict[str, Metric]:
    gold = [outside if result.row.label == OUT_OF_SCOPE else result.row.label for result in results]
    said = [result.found.label for result in results]
    pairs = list(zip(gold, said, strict=True))
    entropies = [result.found.entropy for result in results]
    labelled = [result for result in results if result.row.label != OUT_OF_SCOPE]
    likeliest = [max(result.found.distribution.items(), key=lambda item: item[1]) for result in labelled]
    hits = [label == result.row.label for (label, _), result in zip(likeliest, labelled, strict=True)]
    return {
        "accuracy": mean_metric([result.found.label == result.row.label for result in labelled]),
        "oos_recall": mean_metric([label == outside for right, label in pairs if right == outside]),
        "oos_precision": mean_metric([right == outside for right, label in pairs if label == outside]),
        "entropy_auroc": auroc_metric([right == outside for right in gold], entropies),
        "ece": calibration_metric([share for _, share in likeliest], hits),
        **classification_metrics(gold, said),
    }


def _strange(rows: Sequence[Utterance], classifier: Classifier) -> list[str]:
    return sorted({row.label for row in rows} - classifier.labels - {OUT_OF_SCOPE})


def _warnings(strange: Sequence[str]) -> list[str]:
    if not strange:
        return []
    return [f"{len(strange):,} labels are on no training row; their rows count as wrong: {few(strange)}."]


def _prediction(result: Classified) -> dict[str, Any]:
    found = result.found
    return {
        "text": result.row.text,
        "label": result.row.label,
        "predicted": found.label,
        "entropy": round(found.entropy, 6),
        "distribution": {label: round(share, 6) for label, share in found.distribution.items()},
    }
