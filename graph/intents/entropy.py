"""How sure a classification is, and the branch of the turn that follows from it."""

import math
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field, field_validator

from graph.intents import DECISION_INTENTS, INTENT_TABLE, NON_DECISION
from graph.trained import CLEAR, EVEN
from graph.turn import Intent
from graph.understanding.clauses import Clause, coordinates

SOURCES_BY_INTENT: dict[str, frozenset[str]] = {name: intent.reads for name, intent in INTENT_TABLE.items()}
"""Which kinds of evidence can answer an intent."""


class IntentOptions(BaseModel):
    """What each intent reads, and where branches part.

    Attributes:
        sources_by_intent: Kinds of evidence fetched for each intent.
        non_decision_threshold: A question is browsing or small talk from this probability on.
        entropy_threshold: Up to this normalised entropy one intent is read, above it several (see docs/entropy.md).
        dominant_intent: One intent is read, too, when it has this share of the decision intents' mass.
        broad_intents: How many intents a broad question reads at most.
        broad_floor: Least share of the decision intents' mass that makes a broad question read an intent.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    sources_by_intent: dict[str, frozenset[str]] = Field(default_factory=lambda: dict(SOURCES_BY_INTENT))
    non_decision_threshold: float = Field(default=0.40, ge=0, le=1)
    entropy_threshold: float = Field(default=0.35, ge=0, le=1)
    dominant_intent: float = Field(default=0.8, ge=0, le=1)
    broad_intents: int = Field(default=3, ge=1)
    broad_floor: float = Field(default=0.08, ge=0, le=1)

    @field_validator("sources_by_intent")
    @classmethod
    def _with_defaults(cls, given: dict[str, frozenset[str]]) -> dict[str, frozenset[str]]:
        """Whoever sets the kinds for one intent means that intent alone."""
        return SOURCES_BY_INTENT | given


class IntentModel(Protocol):
    """Classifies a question."""

    def distribution(self, query: str) -> dict[str, float]:
        """Calibrated probabilities over the contract's intents, summing to 1."""
        return self.distributions([query])[0]

    def distributions(self, queries: Sequence[str]) -> list[dict[str, float]]:
        """The same for several texts, read at once."""
        ...


_DISTRACTED = 0.2


def normalised_entropy(distribution: Mapping[str, float], classes: int | None = None) -> float:
    """Entropy of the distribution without `non_decision`, renormalised and divided by its maximum.

    Args:
        distribution: Probabilities by intent; an intent that is left out has none.
        classes: Number of intents other than `non_decision`; those of the contract and the shop's own if None.

    Returns:
        0 when one intent has all the mass, 1 when all have the same or none has any.
    """
    shares = _decision_shares(distribution)
    entropy = -sum(share * math.log(share) for share in shares.values() if share > 0)
    classes = classes or len(shares.keys() | DECISION_INTENTS)
    return min(1.0, max(0.0, entropy / math.log(classes)))


def choose_branch(
    distribution: Mapping[str, float], options: IntentOptions, *, searchable: bool, live_agent: bool
) -> Intent:
    """Select what to read for one question.

    Args:
        distribution: Probabilities over the intents.
        options: The thresholds.
        searchable: There is a question to look up.
        live_agent: The user wants a person; beside a question to look up, that is answered first if it can be.
    """
    entropy = normalised_entropy(distribution)
    # A request for a person pulls towards `non_decision`, though the question beside it was found to be one.
    browsing = not live_agent and distribution.get(NON_DECISION, 0.0) >= options.non_decision_threshold
    if browsing or not searchable:
        branch = "handoff" if live_agent else "non_decision"
        return Intent(distribution=dict(distribution), entropy=entropy, selected=[], branch=branch)
    shares = _decision_shares(distribution)
    ranked = sorted(shares, key=lambda name: (-shares[name], name))
    if entropy <= options.entropy_threshold or shares[ranked[0]] >= options.dominant_intent:
        return _read(distribution, entropy, ranked[:1])
    likeliest = ranked[: options.broad_intents]
    carried = [name for name in likeliest if shares[name] >= options.broad_floor]
    return _read(distribution, entropy, carried or likeliest)


def classify(
    questions: Sequence[Clause], model: IntentModel, options: IntentOptions, *, searchable: bool, live_agent: bool
) -> Intent:
    """Classify the questions of a message one by one, and select the intents of all of them.

    The distribution of several questions is the mean of theirs; greetings and the like among them do not count.
    """
    read = ((clause.text, clause.question, *coordinates(clause.question)) for clause in questions)
    texts = dict.fromkeys(chain.from_iterable(read))
    found = dict(zip(texts, model.distributions(list(texts)), strict=True))
    parts = [part for clause in questions for part in _distributions(clause, found)]
    asked = [part for part in parts if part.get(NON_DECISION, 0.0) < options.non_decision_threshold] or parts
    mixture = _mean(asked)
    intent = choose_branch(mixture, options, searchable=searchable, live_agent=live_agent)
    if len(asked) == 1 or not intent.selected:
        return intent
    return _read(mixture, intent.entropy, _tops(asked, mixture))


def _distributions(clause: Clause, found: Mapping[str, dict[str, float]]) -> list[dict[str, float]]:
    """One distribution, or one for each of two things that are asked in one breath."""
    whole = found[clause.text]
    if whole.get(NON_DECISION, 0.0) >= _DISTRACTED:
        whole = min(whole, found[clause.question], key=lambda distribution: distribution.get(NON_DECISION, 0.0))
    parts = [found[part] for part in coordinates(clause.question)]
    tops = {max((mass, name) for name, mass in part.items()) for part in parts}
    different = {name for _, name in tops} - {NON_DECISION}
    clear = min((mass for mass, _ in tops), default=0.0) >= CLEAR
    return parts if clear and len(different) > 1 else [whole]


def _tops(parts: Sequence[Mapping[str, float]], mixture: Mapping[str, float]) -> list[str]:
    """The likeliest intent of each clause that has a clear one, likeliest of all first."""
    best = [max((share, name) for name, share in _decision_shares(part).items()) for part in parts]
    clear = {name for share, name in best if share >= EVEN} or {max(best)[1]}
    return sorted(clear, key=lambda name: (-mixture[name], name))


def _mean(parts: Sequence[Mapping[str, float]]) -> dict[str, float]:
    names = dict.fromkeys(name for part in parts for name in part)
    return {name: sum(part.get(name, 0.0) for part in parts) / len(parts) for name in names}


def _decision_shares(distribution: Mapping[str, float]) -> dict[str, float]:
    rest = {name: mass for name, mass in distribution.items() if name != NON_DECISION}
    total = sum(rest.values())
    if total <= 0:
        return dict.fromkeys(DECISION_INTENTS, 1 / len(DECISION_INTENTS))
    return {name: mass / total for name, mass in rest.items()}


def _read(distribution: Mapping[str, float], entropy: float, selected: list[str]) -> Intent:
    branch = "focused" if len(selected) == 1 else "broad"
    return Intent(distribution=dict(distribution), entropy=entropy, selected=selected, branch=branch)
