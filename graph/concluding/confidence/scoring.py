"""From the signals of a turn to its score and label."""

from collections.abc import Mapping

from graph.concluding.confidence.signals import signals_of
from graph.concluding.confidence.weights import right
from graph.draft import Draft
from graph.options import GraphOptions
from graph.state import TurnState
from graph.turn import Confidence
from ingestion.evidence import Evidence

REFUSAL = 0.1
"""What a turn that answers nothing can have at most: below nearly every answer."""


def confidence_of(
    draft: Draft, state: TurnState, evidence: Mapping[str, Evidence], options: GraphOptions
) -> Confidence:
    """The probability that a turn's answer is right and supported, its label, and what it was read from.

    Answers get the calibrated probability. What answers nothing stays low, in the order of how probable it is that the
    evidence does answer. Browsing is as sure as the cards are, and a hand-over as it says itself.

    Args:
        draft: What is answered, verified.
        state: What the nodes found.
        evidence: What was found and what is cited, by id.
        options: Where the labels begin.
    """
    signals = signals_of(draft, state, evidence)
    score = round(min(1.0, max(0.0, _score(draft, signals))), 4)
    label = "high" if score >= options.high_confidence else "medium" if score >= options.medium_confidence else "low"
    shown = {name: round(value, 4) for name, value in signals.items()}
    return Confidence(score=score, label=label, signals=shown)


def _score(draft: Draft, signals: Mapping[str, float]) -> float:
    if draft.outcome == "handoff":
        return draft.confidence
    if draft.outcome == "non_decision":
        stated = any(sentence.factual for block in draft.blocks for sentence in block.sentences)
        return draft.confidence * signals["catalog"] * (signals["support"] if stated else 1.0)
    cited = any(sentence.spans for block in draft.blocks for sentence in block.sentences)
    if draft.outcome == "clear" or (draft.outcome == "ambiguous" and cited):
        return right(signals)
    return REFUSAL * draft.confidence
