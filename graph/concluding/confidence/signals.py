"""Signals: what can be seen of a turn that tells whether its answer is right."""

import math
from collections.abc import Mapping, Sequence

from graph.concluding.confidence.agreement import agreement
from graph.draft import Draft, Sentence
from graph.language.families import family_of
from graph.language.terms import terms
from graph.retrieval.relevance import asked_terms
from graph.state import TurnState
from ingestion.evidence import Evidence

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
    sentences = [sentence for block in draft.blocks for sentence in block.sentences if sentence.factual]
    cited = list(dict.fromkeys(span.evidence_id for sentence in sentences for span in sentence.spans))
    relevances = {item["evidence_id"]: float(item["score"]) for item in state["retrieved"]}
    matches = state["catalog"]["matches"]
    asked = asked_terms(state["standalone_query"], [match["name"] for match in matches])
    alike, otherwise = agreement(asked, set(cited), relevances, evidence)
    return {
        "responder": draft.confidence,
        **_relevance(cited, relevances),
        "coverage": _coverage(asked, [evidence[key] for key in cited], draft.attributes),
        **_support(sentences),
        **_kinds([evidence[key] for key in cited]),
        "agreement": math.log1p(alike),
        "opposition": math.log1p(otherwise),
        "entropy": float(state["intent"]["entropy"]),
        "catalog": min((float(match["score"]) for match in matches), default=1.0),
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
