"""Confidence: how probable it is that an answer is right, made of what the models say of it."""

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graph.draft import Draft, Sentence
from graph.language.families import family_of
from graph.language.negation import denies
from graph.language.terms import coverage, terms
from graph.options import GraphOptions
from graph.retrieval.search import asked_terms
from graph.state import TurnState
from graph.trained import Logistic
from graph.turn import Confidence
from ingestion.evidence import Evidence

RELEVANT = 0.3
"""Relevance from which on a source counts."""
TELLING = 0.5
"""Share of the asked words that a source must hold to speak of what was asked."""


def agreement(
    asked: frozenset[str], cited: AbstractSet[str], relevances: Mapping[str, float], evidence: Mapping[str, Evidence]
) -> tuple[int, int]:
    """Count the sources beside the cited ones that say the same, and those of which only one of both sides negates.

    Args:
        asked: Terms of the question without names of products.
        cited: Ids of what is cited.
        relevances: Relevance of all that was found, by id.
        evidence: The same, and what is cited, by id.
    """
    if not cited:
        return 0, 0
    denied = _negate([evidence[key] for key in cited])
    others = [
        evidence[key]
        for key, relevance in relevances.items()
        if key not in cited and relevance >= RELEVANT and coverage(asked, evidence[key].text) >= TELLING
    ]
    alike = [_negate([item]) == denied for item in others]
    return sum(alike), len(alike) - sum(alike)


def _negate(items: Sequence[Evidence]) -> bool:
    return any(denies(item.text) for item in items)


DESCRIBING = ("description", "feature")


def signals_of(draft: Draft, state: TurnState, evidence: Mapping[str, Evidence]) -> dict[str, float]:
    """Name what can be seen of a turn; all but counts lie between 0 and 1, the lead between -1 and 1.

    Args:
        draft: What is answered, verified.
        state: What the nodes found.
        evidence: What was found and what is cited, by id.

    Returns:
        `responder`: how sure the responder is. `relevance`: that of what is cited first. `lead`: how far it is
        ahead of the best that is not cited. `coverage`: share of the question's words that the cited sources hold or
        the attribute told is asked for by. `support`, `least support`: of the
        factual sentences, by the verifier. `primary`, `reviews`, `customer answers`, `descriptions`: shares of the
        cited sources. `agreement`, `opposition`: how many other sources speak of it in the same way, and otherwise,
        as log(1 + n). `entropy`: of the intents. `catalog`: the least score of a product named, 1 without any.
        `unnamed`, `missing`, `widened`: whether no product is known, a part is left open, the search was widened.
    """
    sentences = draft.facts
    cited = list(dict.fromkeys(span.evidence_id for sentence in sentences for span in sentence.spans))
    relevances = {item.evidence_id: item.score for item in state["retrieved"]}
    matches = state["catalog"].matches
    asked = asked_terms(state["standalone_query"], [match.name for match in matches])
    alike, otherwise = agreement(asked, set(cited), relevances, evidence)
    return {
        "responder": draft.confidence,
        **_relevance(cited, relevances),
        "coverage": _coverage(asked, [evidence[key] for key in cited], draft.attributes),
        **_support(sentences),
        **_kinds([evidence[key] for key in cited]),
        "agreement": math.log1p(alike),
        "opposition": math.log1p(otherwise),
        "entropy": state["intent"].entropy,
        "catalog": min((match.score for match in matches), default=1.0),
        "unnamed": float(not matches),
        "missing": float(bool(draft.missing)),
        "widened": float(state["widened"]),
    }


def _relevance(cited: Sequence[str], relevances: Mapping[str, float]) -> dict[str, float]:
    first = relevances.get(cited[0], 0.0) if cited else 0.0
    others = (relevance for key, relevance in relevances.items() if key not in cited)
    return {"relevance": first, "lead": first - max(others, default=0.0)}


def _coverage(asked: frozenset[str], cited: Sequence[Evidence], attributes: Sequence[str]) -> float:
    """Share of the asked words that are told; an attribute also tells the words by which its kind is asked for."""
    told = {term for item in cited for term in terms(item.text)}
    families = filter(None, map(family_of, attributes))
    told.update(cue for family in families for cue in family.stems)
    return len(asked & told) / len(asked) if asked else float(bool(cited))


def _support(sentences: Sequence[Sentence]) -> dict[str, float]:
    supports = [sentence.support for sentence in sentences]
    if not supports:
        return {"support": 0.0, "least support": 0.0}
    return {"support": sum(supports) / len(supports), "least support": min(supports)}


def _kinds(cited: Sequence[Evidence]) -> dict[str, float]:
    whole = max(len(cited), 1)
    kinds = [item.source_type for item in cited]
    return {
        "primary": sum(item.primary for item in cited) / whole,
        "reviews": kinds.count("review") / whole,
        "customer answers": kinds.count("qa") / whole,
        "descriptions": sum(kind in DESCRIBING for kind in kinds) / whole,
    }


MODEL_PATH = Path(__file__).with_name("model.json")

STEEP = 0.75
"""From this on the responder is nearly sure, and each step says more."""
STEEPER = "responder above 0.75"
SHOPS_OWN = "responder by primary"

BOUNDS: dict[str, tuple[float | None, float | None]] = {
    "responder": (0, None),
    "relevance": (0, None),
    "lead": (0, None),
    "coverage": (0, None),
    "support": (1, None),
    "least support": (0, None),
    "primary": (0, None),
    "reviews": (None, 0),
    "customer answers": (None, 0),
    "descriptions": (None, 0),
    "agreement": (0, None),
    "opposition": (None, 0),
    "entropy": (None, 0),
    "catalog": (0, None),
    "unnamed": (None, 0),
    "missing": (None, 0),
    "widened": (None, 0),
    STEEPER: (0, None),
    SHOPS_OWN: (0, None),
}
"""What is looked at, and between what their log odds may lie: no sign is learnt against its meaning.

Answers with weak support are never shown, so their effect cannot be learnt; the odds fall at least with the support.
"""
NAMES = tuple(BOUNDS)
_LEAST = 1e-3


def described(signals: Mapping[str, float]) -> NDArray[np.float64]:
    """Signals as the model reads them, shape `(len(NAMES),)`; of the support its logarithm."""
    responder = signals["responder"]
    read = {
        **signals,
        "support": math.log(max(signals["support"], _LEAST)),
        STEEPER: max(0.0, responder - STEEP),
        # How sure the responder is of a customer's words tells less than how sure it is of the shop's own.
        SHOPS_OWN: responder * signals["primary"],
    }
    return np.array([read[name] for name in NAMES], dtype=np.float64)


def right(signals: Mapping[str, float]) -> float:
    """The probability that an answer with these signals is right and supported."""
    return float(shipped().probabilities(described(signals)[None])[0])


def load(path: Path = MODEL_PATH) -> Logistic:
    """Read the weights from a file.

    Raises:
        WeightsError: The file is missing or is for other signals.
    """
    return Logistic.load(path, NAMES, "footnote train confidence")


@cache
def shipped() -> Logistic:
    """The weights that come with this package, read once."""
    return load()


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
        return draft.confidence * signals["catalog"] * (signals["support"] if draft.facts else 1.0)
    cited = any(sentence.spans for sentence in draft.sentences)
    if draft.outcome == "clear" or (draft.outcome == "ambiguous" and cited):
        return right(signals)
    return REFUSAL * draft.confidence
