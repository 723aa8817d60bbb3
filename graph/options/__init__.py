"""The graph's own settings: how a turn is read, how much it may read, and what is done with claims and escalations."""

from typing import Any

from pydantic import Field, field_validator

from graph.intents.entropy import IntentOptions
from graph.options.escalation import EscalationRules
from graph.options.sensitive import SensitiveClass, extended, shipped_classes


class GraphOptions(IntentOptions):
    """Thresholds and budgets of a turn, beside those of its intents.

    Attributes:
        fetch_limit: Evidence fetched for one intent and product.
        evidence_limit: Evidence given to the responder.
        max_query_chars: Longer questions are refused.
        widen_below: A draft less sure than this asks for one wider retrieval.
        high_confidence: Confidence is `high` from this score on.
        medium_confidence: Confidence is `medium` from this score on, `low` below it.
        sensitive: Classes of claims that only primary sources may make; what a shop gives is added to those that ship.
        escalation: When a person takes over or looks at a turn.
    """

    fetch_limit: int = Field(default=30, ge=1)
    evidence_limit: int = Field(default=24, ge=1)
    max_query_chars: int = Field(default=4000, ge=1)
    widen_below: float = Field(default=0.5, ge=0, le=1)
    high_confidence: float = Field(default=0.75, ge=0, le=1)
    medium_confidence: float = Field(default=0.5, ge=0, le=1)
    sensitive: dict[str, SensitiveClass] = Field(default_factory=shipped_classes)
    escalation: EscalationRules = Field(default_factory=EscalationRules)

    @field_validator("sensitive", mode="before")
    @classmethod
    def _with_shipped_classes(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Whoever adds patterns to a class, or a class, keeps the others."""
        return extended(given) if isinstance(given, dict) else given
