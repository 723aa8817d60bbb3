"""The graph's own settings: how a turn is read, how much it may read, and what is done with claims and escalations."""

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal, Self

import re2
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from graph.intents.entropy import IntentOptions

_REMEMBERED = 1024
_BOUNDED = ("\\b", "\\B", "\\w", "\\W")
"""What RE2 knows of Latin letters only."""


def shop_places(pattern: str, text: str) -> Iterator[tuple[int, int]]:
    """Where a pattern as a shop writes it matches, in code points and in any case; accents make no difference.

    Raises:
        ValueError: RE2 cannot read it.
    """
    return (found.span() for found in _compiled(pattern).finditer(_plain(text)))


@lru_cache(maxsize=_REMEMBERED)
def _compiled(pattern: str) -> re.Pattern[str]:
    plain = _plain(pattern)
    if any(part in plain for part in _BOUNDED) and any(char.isalnum() and not char.isascii() for char in plain):
        msg = f"the pattern {pattern!r} has \\b or \\w beside letters that are not Latin: leave those out"
        raise ValueError(msg)
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    try:
        compiled: re.Pattern[str] = re2.compile(plain, options)
    except re2.error as error:
        reason = error.args[0] if error.args else error
        msg = (
            f"the pattern {pattern!r} is no regular expression that RE2 reads: "
            f"{reason.decode('utf-8', 'replace') if isinstance(reason, bytes) else reason}. "
            "Lookaround such as (?!...) and references such as \\1 are left out, so that no pattern can be slow"
        )
        raise ValueError(msg) from error
    return compiled


def _plain(text: str) -> str:
    """A text with Latin letters for accented ones, each in its place: RE2 finds words by those alone."""
    return text if text.isascii() else "".join(map(_letter, text))


@lru_cache(maxsize=4096)
def _letter(character: str) -> str:
    base = unicodedata.normalize("NFKD", character)[0]
    if base.isascii() and base.isalnum():
        return base
    return "?" if 0xD800 <= ord(character) <= 0xDFFF else character  # noqa: PLR2004 - half of a surrogate pair


Severity = Literal["low", "medium", "high"]
PATTERNS = ("designations", "claims", "questions")
"""The fields of a class that hold patterns."""
Place = tuple[int, int]
SEVERITIES: tuple[Severity, ...] = ("low", "medium", "high")


class SensitiveClass(BaseModel):
    """A class of claims.

    Attributes:
        on: Whether it is looked for.
        severity: How bad a wrong one would be.
        label: What it is called in a review.
        settled: What answers a question of this class: `primary` where nothing but a primary source does, its yes and
            no in the same words; `shop` where only the words of yes and no are free; `verbatim` where only the claims
            in what is shown are looked up.
        figures: A claim with figures is these, the way its limit goes and what it is a limit of.
        holds: Words of which a statement must hold one to be about such a claim; empty for none.
        designations: Patterns of names and numbers, written in one order.
        claims: Patterns of statements.
        questions: Patterns that ask for such a claim without making it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    on: bool = True
    severity: Severity = "high"
    label: str = Field(min_length=1)
    settled: Literal["primary", "shop", "verbatim"] = "primary"
    figures: bool = False
    holds: tuple[str, ...] = ()
    designations: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _usable(self) -> Self:
        """Every pattern can be read."""
        for pattern in (*self.designations, *self.claims, *self.questions):
            places(pattern, "")
        return self


def shipped_classes() -> dict[str, SensitiveClass]:
    """The classes that are known without any settings, by name."""
    return {name: SensitiveClass.model_validate(entry) for name, entry in raw_table()["class"].items()}


def extended(given: Mapping[str, Any]) -> dict[str, Any]:
    """What a shop gives, over the classes that ship: patterns are added, anything else is replaced."""
    merged = {name: dict(entry) for name, entry in raw_table()["class"].items()}
    for name, entry in given.items():
        if not isinstance(entry, Mapping):
            merged[name] = entry
            continue
        known = merged.setdefault(name, {"label": name.replace("_", " ")})
        for key, value in entry.items():
            old = known.get(key, ())
            patterns = key in PATTERNS and isinstance(value, list | tuple)
            known[key] = tuple(dict.fromkeys([*old, *value])) if patterns else value
    return merged


@lru_cache(maxsize=1)
def raw_table() -> dict[str, Any]:
    """The shipped table as it is written, read once."""
    return tomllib.loads(files("graph.options").joinpath("sensitive.toml").read_text(encoding="utf-8"))


def places(pattern: str, text: str) -> Iterator[Place]:
    """Where a pattern matches, in code points: one that ships, or one that a shop gives.

    Raises:
        ValueError: It can be read as neither.
    """
    shipped = _shipped_patterns().get(pattern)
    if shipped is None:
        return shop_places(_whole(pattern), text)
    return (found.span() for found in shipped.finditer(text))


@lru_cache(maxsize=1)
def _shipped_patterns() -> Mapping[str, re.Pattern[str]]:
    """What ships, compiled once; the tests hold it to time linear in the text."""
    lists = (entry.get(key, ()) for entry in raw_table()["class"].values() for key in PATTERNS)
    return {pattern: re.compile(_whole(pattern), re.IGNORECASE) for patterns in lists for pattern in patterns}


def _whole(pattern: str) -> str:
    """A pattern with its parts in their places."""
    for _ in range(2):  # A part may stand in another.
        for name, part in raw_table()["parts"].items():
            pattern = pattern.replace(f"%{name}%", part)
    return pattern


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
            shop_places(pattern, "")
        return given

    def recognises(self, query: str) -> bool:
        """Whether a question is such a wish."""
        counts = (int(count.replace(",", "")) for count in UNITS.findall(query))
        worded = (place for pattern in self.patterns for place in shop_places(pattern, query))
        return any(count >= self.threshold for count in counts) or any(worded)


class EscalationRules(BaseModel):
    """All rules; each has a default of its own."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    explicit_request: ExplicitRequest = Field(default_factory=ExplicitRequest)
    custom_order: CustomOrder = Field(default_factory=CustomOrder)
    repeated_failure: RepeatedFailure = Field(default_factory=RepeatedFailure)
    sensitive: SensitiveMatter = Field(default_factory=SensitiveMatter)
    low_confidence: LowConfidence = Field(default_factory=LowConfidence)


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
