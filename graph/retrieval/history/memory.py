"""Memory: how much each earlier text counts for a question.

A gated recurrence over the thread: a question that goes on keeps what counted before it, one that changes the subject
lets go of it, and so does all that follows. No fixed window of turns is glued to a question.
"""

import math
from collections.abc import Sequence

from graph.parts import Encoder
from graph.retrieval.history.exchanges import Exchange, WeightedText
from graph.retrieval.history.features import Passages, Spoken, features
from graph.retrieval.history.weights import shipped
from graph.trained.logistic import Logistic

BASE_WEIGHT = 0.85
"""What a text counts beside the question where nothing changed the subject; chosen, as the next two, on train rows."""
SLOPE, OFFSET = 0.7, 1.8
"""From the model's log odds to a gate: to let go wrongly costs more than to keep."""
LEAST_WEIGHT = 0.02
"""What counts less is not searched at all."""
REMEMBERED_EXCHANGES = 12


class Memory:
    """Weighs what was said before a question."""

    def __init__(self, encoder: Encoder, passages: Passages, weights: Logistic | None = None) -> None:
        self._encoder, self._passages = encoder, passages
        self._weights = weights or shipped()

    def continues(self, question: str, history: Sequence[Exchange]) -> float:
        """How far a question goes on from what was said before it, 0 to 1; 1 where nothing was."""
        texts = [text for exchange in history[-REMEMBERED_EXCHANGES:] for text in exchange.texts]
        if not texts or not question.strip():
            return 1.0
        own, *before = self._encoder.encode([question, *texts])
        spoken = [Spoken(text, vector) for text, vector in zip(texts, before, strict=True)]
        log_odds = float(self._weights.log_odds(features(Spoken(question, own), spoken, self._passages)))
        return 1 / (1 + math.exp(-(SLOPE * log_odds + OFFSET)))

    def recall(self, continues: float, history: Sequence[Exchange]) -> list[WeightedText]:
        """What is searched beside a question, newest exchange first.

        Args:
            continues: How far the question goes on from the newest exchange.
            history: What was said before it, oldest first.
        """
        recalled: list[WeightedText] = []
        kept = continues
        latest = list(history[-REMEMBERED_EXCHANGES:])
        while latest and BASE_WEIGHT * kept >= LEAST_WEIGHT:
            exchange = latest.pop()
            recalled += [WeightedText(text, BASE_WEIGHT * kept) for text in exchange.texts]
            kept *= self.continues(exchange.question, latest) if exchange.continues is None else exchange.continues
        return recalled
