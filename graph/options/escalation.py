"""Escalation rules: when a turn goes to a person, as data that a shop can change."""

import re

from pydantic import BaseModel, ConfigDict, Field, field_validator

from graph.language.shop_patterns import shop_pattern
from graph.options.sensitive import Severity

CUSTOM_ORDERS = (
    r"\b(?:bulk|wholesale|volume|corporate|trade|group)[ -](?:orders?|purchas\w+|discounts?|pric\w+|accounts?)\b",
    r"\b(?:buy|order|purchase|sell)\w*\b.{0,40}\b(?:in bulk|wholesale|in (?:large|big) quantit\w+)\b",
    r"\b(?:custom|tailor)[ -](?:made|built|orders?|build|design\w*|print\w*|siz(?:e|es|ed|ing)|logos?|colou?rs?)\b",
    r"\b(?:made|built|cut)[ -]to[ -](?:measure|order)\b|\bbespoke\b",
    r"\b(?:our|my|company|the company['’]s) (?:own )?(?:company )?(?:logo|branding|artwork|brand name)\b",
)
"""How a wish for what no listing offers is worded."""
UNITS = re.compile(
    r"(?i)(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d+)\+? (?:more )?(?:units|pieces|pcs|items|copies|of (?:them|these|those))\b"
)
"""How many of a thing are asked for."""


class EscalationRule(BaseModel):
    """When a person is needed, and what happens then.

    Attributes:
        on: Whether it is looked at.
        ticket: Whether a ticket is opened; the turn is marked for review else.
        team: Who gets the ticket; the shop's team when empty.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    on: bool = True
    ticket: bool = False
    team: str = ""


class ExplicitRequest(EscalationRule):
    """The customer asks for a person. A bare request always opens a ticket, whatever this says."""

    ticket: bool = True


class LowConfidence(EscalationRule):
    """An answer was given that is less sure than `threshold`, and may well be wrong."""

    threshold: float = Field(default=0.4, ge=0, le=1)


class SensitiveMatter(EscalationRule):
    """A sensitive claim of a severity from `threshold` on was withheld, or asked for and not confirmed."""

    threshold: Severity = "low"


class RepeatedFailure(EscalationRule):
    """So many questions in a row as `threshold` says got no answer."""

    ticket: bool = True
    threshold: int = Field(default=3, ge=1)


class CustomOrder(EscalationRule):
    """The customer wants what no listing offers: many at once, or one made for them.

    Attributes:
        threshold: So many pieces at once are an order of their own.
        patterns: How such a wish is worded, as regular expressions that ignore case.
    """

    ticket: bool = True
    threshold: int = Field(default=20, ge=2)
    patterns: tuple[str, ...] = CUSTOM_ORDERS

    @field_validator("patterns")
    @classmethod
    def _compile(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in given:
            shop_pattern(pattern)
        return given

    def recognises(self, query: str) -> bool:
        """Whether a question is such a wish."""
        counts = (int(count.replace(",", "")) for count in UNITS.findall(query))
        return any(count >= self.threshold for count in counts) or any(
            shop_pattern(pattern).matches(query) for pattern in self.patterns
        )


class EscalationRules(BaseModel):
    """All rules; each has a default of its own."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    explicit_request: ExplicitRequest = Field(default_factory=ExplicitRequest)
    custom_order: CustomOrder = Field(default_factory=CustomOrder)
    repeated_failure: RepeatedFailure = Field(default_factory=RepeatedFailure)
    sensitive: SensitiveMatter = Field(default_factory=SensitiveMatter)
    low_confidence: LowConfidence = Field(default_factory=LowConfidence)
