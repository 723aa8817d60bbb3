"""Confidence: until it is calibrated, it comes from retrieval, the catalog match and the support of what is shown."""

from graph.draft import Draft
from graph.options import GraphOptions
from graph.state import TurnState
from graph.turn import Confidence

STATING = ("clear", "ambiguous", "non_decision")


def confidence_of(draft: Draft, state: TurnState, options: GraphOptions) -> Confidence:
    """Join the responder's score with the catalog's and the verifier's into one score and its label."""
    score = draft.confidence
    if draft.outcome in STATING:
        matches = [float(match["score"]) for match in state["catalog"]["matches"]]
        supports = [s.support for block in draft.blocks for s in block.sentences if s.factual]
        score *= min(matches, default=1.0) * (sum(supports) / len(supports) if supports else 1.0)
    score = round(min(1.0, max(0.0, score)), 4)
    label = "high" if score >= options.high_confidence else "medium" if score >= options.medium_confidence else "low"
    return Confidence(score=score, label=label)
