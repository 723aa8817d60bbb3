"""A fresh intent model, fitted on anybody's labelled texts, that also says when none of the labels applies."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graph.intents.entropy import normalised_entropy
from graph.intents.model import LocalIntentModel
from graph.intents.training import Fitted, fit, fit_validated
from graph.intents.utterances import Example
from graph.options import NON_DECISION
from graph.parts import Encoder

OUT_OF_SCOPE = "oos"
"""The label of texts to which no other label applies."""

KEPT_ACCURACY = 0.953
"""Share of the texts with a label that must still be answered right when others are rejected."""

_KEPT_SHARE = 0.99
"""Share of its right answers that must be kept where the model cannot reach `KEPT_ACCURACY` at all."""


@dataclass(frozen=True, slots=True)
class Classification:
    """What a text was taken for.

    Attributes:
        label: The likeliest label, or `OUT_OF_SCOPE`.
        distribution: Calibrated probabilities of the labels, summing to 1; `OUT_OF_SCOPE` is none of them.
        entropy: Normalised entropy of the distribution.
    """

    label: str
    distribution: dict[str, float]
    entropy: float


@dataclass(frozen=True, slots=True)
class FittedIntentModel:
    """A fitted model and the entropy above which it rejects a text.

    Attributes:
        model: Gives the probabilities.
        labels: All labels but `OUT_OF_SCOPE`.
        most_entropy: A text whose normalised entropy is above it is out of scope; 1 rejects none.
    """

    model: LocalIntentModel
    labels: tuple[str, ...]
    most_entropy: float

    def classify(self, text: str) -> Classification:
        """Classify one text."""
        distribution = self.model.distribution(text)
        entropy = _entropy(distribution)
        likeliest = max(distribution, key=lambda label: distribution[label])
        return Classification(likeliest if entropy <= self.most_entropy else OUT_OF_SCOPE, distribution, entropy)


def fit_intent_model(train: Sequence[Example], validation: Sequence[Example], encoder: Encoder) -> FittedIntentModel:
    """Fit a model of the kind that ships, and choose when it rejects.

    Examples labelled `OUT_OF_SCOPE` are not learnt from: they only say that rejecting is of use. The model is
    calibrated, and the threshold chosen, on the validation examples; without any, on held-back training examples.

    Args:
        train: Labelled texts, with at least two labels beside `OUT_OF_SCOPE`.
        validation: Others of the same kind; may be empty.
        encoder: Embeds the texts.

    Raises:
        TooFewExamplesError: There is too little to learn from.
    """
    inside, held_back = _with_label(train), _with_label(validation)
    known = {example.label for example in inside}
    held_back = [example for example in held_back if example.label in known]
    fitted = fit_validated(inside, held_back, encoder) if held_back else fit(inside, encoder)
    model = LocalIntentModel(encoder, fitted.weights)
    outside = _texts_outside(validation) or _texts_outside(train)
    threshold = rejection_threshold(
        _entropies_of_right(fitted), len(fitted.gold), [_entropy(model.distribution(text)) for text in outside]
    )
    return FittedIntentModel(model, fitted.weights.labels, threshold)


def rejection_threshold(right: Sequence[float], rows: int, outside: Sequence[float]) -> float:
    """The entropy above which a text is best rejected.

    It finds as many texts out of scope as can be found while `KEPT_ACCURACY` holds, or `_KEPT_SHARE` of the right
    answers where the model does not reach that; of the thresholds that do, it rejects the fewest others.

    Args:
        right: Entropies of the texts with a label whose likeliest label is right.
        rows: How many texts with a label there are.
        outside: Entropies of texts out of scope.

    Returns:
        The threshold, halfway between what it keeps and what it rejects; 1, which rejects none, where none is found.
    """
    sure = sorted(right)
    kept = math.ceil(KEPT_ACCURACY * rows)
    if len(sure) < kept:
        kept = math.ceil(_KEPT_SHARE * len(sure))
    least = sure[kept - 1] if kept else 0.0
    found = min((entropy for entropy in outside if entropy > least), default=None)
    if found is None:
        return 1.0
    return (found + max(entropy for entropy in [least, *sure] if entropy < found)) / 2


def _with_label(examples: Sequence[Example]) -> list[Example]:
    return [example for example in examples if example.label != OUT_OF_SCOPE]


def _texts_outside(examples: Sequence[Example]) -> list[str]:
    return [example.text for example in examples if example.label == OUT_OF_SCOPE]


def _entropies_of_right(fitted: Fitted) -> list[float]:
    right = fitted.held_back.argmax(axis=1) == fitted.gold
    return [_entropy(dict(zip(fitted.weights.labels, row, strict=True))) for row in fitted.held_back[right].tolist()]


def _entropy(distribution: Mapping[str, float]) -> float:
    classes = sum(label != NON_DECISION for label in distribution)
    return normalised_entropy(distribution, max(classes, 2))
