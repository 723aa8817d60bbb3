"""Confidence: how probable it is that an answer is right, made of what the models say of it."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graph.draft import Draft
from graph.language.families import family_of
from graph.language.terms import terms
from graph.options import GraphOptions
from graph.parts import Reader
from graph.retrieval.search import asked_terms
from graph.state import TurnState
from graph.trained import EVEN, SURELY, Logistic, log_odds
from graph.turn import Confidence
from ingestion.evidence import Evidence
from ingestion.statements import as_read

MOST_READ = 2
"""Cited statements that are read beside the question; of more, as in a table, the first."""


def signals_of(draft: Draft, state: TurnState, evidence: Mapping[str, Evidence], reader: Reader) -> dict[str, float]:
    """Name what can be seen of a turn, each between 0 and 1.

    Args:
        draft: What is answered, verified.
        state: What the nodes found.
        evidence: What was found and what is cited, by id.
        reader: Tells whether what is cited answers the question.

    Returns:
        `responder`: how sure the responder is. `reading`: the least probability that a cited statement answers what
        it is cited for. `relevance`: that of what is cited first. `coverage`: share of the question's words that the
        cited sources hold or the attribute told is asked for by. `support`: of the factual sentences, by the verifier.
        `primary`: share of the cited sources that are the shop's own.
    """
    facts = draft.facts
    cited = list(dict.fromkeys(span.evidence_id for sentence in facts for span in sentence.spans))
    relevances = {item.evidence_id: item.score for item in state["retrieved"]}
    query = state["standalone_query"]
    asked = asked_terms(query, [match.name for match in state["catalog"].matches])
    read = [one.answers for one in reader.judge(list(dict.fromkeys(_pairs(draft, query, evidence)))[:MOST_READ])]
    read += [EVEN] if draft.missing else []  # nothing was read of a part that is left open
    return {
        "responder": draft.confidence,
        "reading": min(read, default=0.0),
        "relevance": relevances.get(cited[0], 0.0) if cited else 0.0,
        "coverage": _coverage(asked, [evidence[key] for key in cited], draft.attributes),
        "support": sum(sentence.support for sentence in facts) / len(facts) if facts else 0.0,
        "primary": sum(evidence[key].primary for key in cited) / max(len(cited), 1),
    }


def _pairs(draft: Draft, query: str, evidence: Mapping[str, Evidence]) -> Iterator[tuple[str, str]]:
    """What is asked, and the cited words that are to answer it, as the reader reads them."""
    for block in draft.blocks:
        asked = block.part.text if block.part else query
        for span in (span for sentence in block.sentences if sentence.factual for span in sentence.spans):
            item = evidence[span.evidence_id]
            yield asked, as_read(item, item.text[span.start : span.end])


def _coverage(asked: frozenset[str], cited: Sequence[Evidence], attributes: Sequence[str]) -> float:
    """Share of the asked words that are told; an attribute also tells the words by which its kind is asked for."""
    told = {term for item in cited for term in terms(item.text)}
    families = filter(None, map(family_of, attributes))
    told.update(cue for family in families for cue in family.stems)
    return len(asked & told) / len(asked) if asked else float(bool(cited))


MODEL_PATH = Path(__file__).with_name("model.json")

BOUNDS: dict[str, tuple[float | None, float | None]] = {
    "responder": (0, None),
    "reading": (0, None),
    "relevance": (0, None),
    "coverage": (0, None),
    "support": (1, None),
    "primary": (0, None),
}
"""What is looked at, and between what their log odds may lie: no sign is learnt against its meaning.

Answers with weak support are never shown, so its effect cannot be learnt; the odds fall at least with the support.
"""
NAMES = tuple(BOUNDS)


def described(signals: Mapping[str, float]) -> NDArray[np.float64]:
    """Signals as the model reads them, shape `(len(NAMES),)`: the reader's in log odds, support as its logarithm."""
    read = {
        **signals,
        "reading": log_odds(signals["reading"]),
        "support": math.log(max(signals["support"], SURELY)),
    }
    return np.array([read[name] for name in NAMES], dtype=np.float64)


def right(signals: Mapping[str, float]) -> float:
    """The probability that an answer with these signals is right and supported."""
    return float(load().probabilities(described(signals)[None])[0])


@cache
def load(path: Path = MODEL_PATH) -> Logistic:
    """Read the weights from a file, by default those that come with this package; once.

    Raises:
        WeightsError: The file is missing or is for other signals.
    """
    return Logistic.load(path, NAMES, "footnote train confidence")


REFUSAL = 0.1
"""What a turn that answers nothing can have at most: below nearly every answer."""


def confidence_of(
    draft: Draft, state: TurnState, evidence: Mapping[str, Evidence], options: GraphOptions, reader: Reader
) -> Confidence:
    """The probability that a turn's answer is right and supported, its label, and what it was read from.

    Answers get the calibrated probability. What answers nothing stays low, in the order of how probable it is that the
    evidence does answer. Browsing is as sure as the cards are, and a hand-over as it says itself.
    """
    signals = signals_of(draft, state, evidence, reader)
    score = round(min(1.0, max(0.0, _score(draft, signals, state))), 4)
    label = "high" if score >= options.high_confidence else "medium" if score >= options.medium_confidence else "low"
    shown = {name: round(value, 4) for name, value in signals.items()}
    return Confidence(score=score, label=label, signals=shown)


def _score(draft: Draft, signals: Mapping[str, float], state: TurnState) -> float:
    if draft.outcome == "handoff":
        return draft.confidence
    if draft.outcome == "non_decision":
        named = min((match.score for match in state["catalog"].matches), default=1.0)
        return draft.confidence * named * (signals["support"] if draft.facts else 1.0)
    cited = any(sentence.spans for sentence in draft.sentences)
    if draft.outcome == "clear" or (draft.outcome == "ambiguous" and cited):
        return right(signals)
    return REFUSAL * draft.confidence
