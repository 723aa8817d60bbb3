"""The graph's own settings: what each intent reads, and where branches part."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from graph.options.escalation import EscalationRules
from graph.options.intents import INTENT_TABLE
from graph.options.sensitive import SensitiveClass, extended, shipped_classes

SOURCES_BY_INTENT: dict[str, frozenset[str]] = {name: intent.reads for name, intent in INTENT_TABLE.items()}
"""Which kinds of evidence can answer an intent."""


class GraphOptions(BaseModel):
    """Thresholds and budgets of a turn.

    Attributes:
        sources_by_intent: Kinds of evidence fetched for each intent.
        non_decision_threshold: A question is browsing or small talk from this probability on.
        entropy_threshold: Up to this normalised entropy one intent is read, above it several (see docs/entropy.md).
        dominant_intent: One intent is read, too, when it has this share of the decision intents' mass.
        broad_intents: How many intents a broad question reads at most.
        broad_floor: Least share of the decision intents' mass that makes a broad question read an intent.
        fetch_limit: Evidence fetched for one intent and product.
        evidence_limit: Evidence given to the responder.
        max_query_chars: Longer questions are refused.
        widen_below: A draft less sure than this asks for one wider retrieval.
        high_confidence: Confidence is `high` from this score on.
        medium_confidence: Confidence is `medium` from this score on, `low` below it.
        sensitive: Classes of claims that only primary sources may make; what a shop gives is added to those that ship.
        escalation: When a person takes over or looks at a turn.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    sources_by_intent: dict[str, frozenset[str]] = Field(default_factory=lambda: dict(SOURCES_BY_INTENT))
    non_decision_threshold: float = Field(default=0.40, ge=0, le=1)
    entropy_threshold: float = Field(default=0.35, ge=0, le=1)
    dominant_intent: float = Field(default=0.8, ge=0, le=1)
    broad_intents: int = Field(default=3, ge=1)
    broad_floor: float = Field(default=0.08, ge=0, le=1)
    fetch_limit: int = Field(default=30, ge=1)
    evidence_limit: int = Field(default=24, ge=1)
    max_query_chars: int = Field(default=4000, ge=1)
    widen_below: float = Field(default=0.5, ge=0, le=1)
    high_confidence: float = Field(default=0.75, ge=0, le=1)
    medium_confidence: float = Field(default=0.5, ge=0, le=1)
    sensitive: dict[str, SensitiveClass] = Field(default_factory=shipped_classes)
    escalation: EscalationRules = Field(default_factory=EscalationRules)

    @field_validator("sources_by_intent")
    @classmethod
    def _with_defaults(cls, given: dict[str, frozenset[str]]) -> dict[str, frozenset[str]]:
        """Whoever sets the kinds for one intent means that intent alone."""
        return SOURCES_BY_INTENT | given

    @field_validator("sensitive", mode="before")
    @classmethod
    def _with_shipped_classes(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Whoever adds patterns to a class, or a class, keeps the others."""
        return extended(given) if isinstance(given, dict) else given
