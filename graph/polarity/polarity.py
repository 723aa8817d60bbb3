"""The polarity model: what evidence says to a yes/no question."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graph.parts import Encoder
from graph.polarity.features import NAMES, Features, Likeness, describe
from graph.polarity.question import can_be_settled, claim_and_denial, without_name
from graph.polarity.statement import Statement, read_statement
from graph.polarity.weights import LEAST, PolarityWeights, shipped


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a statement says to a question.

    Attributes:
        yes: How probable it is that it says yes.
        no: How probable it is that it says no; the rest is that it decides nothing.
    """

    yes: float
    no: float

    @property
    def said(self) -> bool | None:
        """True for a yes and False for a no that is sure enough to be said; None where neither is."""
        return True if self.yes >= LEAST else False if self.no >= LEAST else None


class Polarity:
    """Reads yes and no out of evidence; safe to share."""

    def __init__(self, encoder: Encoder, weights: PolarityWeights | None = None) -> None:
        self._encoder = encoder
        self._weights = weights or shipped()

    def verdict(self, question: str, statement: str, source_type: str | None, product: str = "") -> Verdict:
        """What one piece of evidence, or a sentence of it, says to a yes/no question.

        Args:
            question: The question.
            statement: What is said; a whole Q&A with the question it answered, so that that is weighed too.
            source_type: The kind of the evidence.
            product: The name of the product that the question may name.
        """
        return self.verdicts(question, [(statement, source_type)], product)[0]

    def verdicts(self, question: str, statements: Sequence[tuple[str, str | None]], product: str = "") -> list[Verdict]:
        """The same of many statements with their source types, embedded at once, in their order.

        A question that leaves a choice ("wood or plastic?") or denies something itself gets neither yes nor no.
        """
        question = without_name(question, product)
        if not can_be_settled(question):
            return [Verdict(0.0, 0.0)] * len(statements)
        found = self._weights.probabilities(seen(question, statements, self._encoder))
        return [Verdict(float(yes), float(no)) for yes, no in found]


def seen(question: str, statements: Sequence[tuple[str, str | None]], encoder: Encoder) -> Features:
    """Features of statements that are given as texts with their source types, shape `(len(statements), len(NAMES))`."""
    if not statements:
        return np.zeros((0, len(NAMES)))
    read = [read_statement(text, kind) for text, kind in statements]
    likeness = _likeness(question, read, encoder)
    rows = [
        describe(question, one, kind, like) for one, (_, kind), like in zip(read, statements, likeness, strict=True)
    ]
    return np.array([list(row.values()) for row in rows], dtype=np.float64)


def _likeness(question: str, read: Sequence[Statement], encoder: Encoder) -> list[Likeness]:
    asked = (question, *claim_and_denial(question))
    stated = [text for one in read for text in (one.said, one.earlier)]
    texts = list(dict.fromkeys([*asked, *stated]))
    vectors = encoder.encode(texts)
    cosines = np.clip(vectors @ vectors[[texts.index(text) for text in asked]].T, 0.0, 1.0)
    to = dict(zip(texts, cosines.astype(np.float64).tolist(), strict=True))
    return [
        Likeness(
            whole=to[one.said][0],
            earlier=to[one.earlier][0] if one.earlier else 0.0,
            affirmed=to[one.said][1] - to[one.said][2],
        )
        for one in read
    ]
