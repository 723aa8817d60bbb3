"""Buyer or seller: the same topic has different answers, and an unstated role is asked for."""

from graph.answering.candidate import Candidate, paragraph, remark
from graph.draft import Draft
from graph.language.terms import terms
from graph.parts import Question
from graph.turn import Clarification
from ingestion.evidence import Evidence

ROLE_QUESTION = "Are you asking as a seller?"
ROLE_OPTIONS = {"I'm the buyer": "buyer", "I'm the seller": "seller"}
MARGIN = 0.15
"""The other audience's article is about the same topic when it is found this close to the first."""
SAME_TOPIC = 0.5


def role_tie(question: Question, chosen: Candidate) -> Evidence | None:
    """The article for the other audience, when the role is unknown and both answer; None otherwise."""
    if question.user.role is not None:
        return None
    ranked = [(item, score) for item, score in question.evidence if item.source_type == "help_article"]
    mine = [(item, score) for item, score in ranked if item.evidence_id in chosen.evidence_ids]
    if not mine or mine[0][0].audience != "buyer":
        return None
    first, best = mine[0]
    for item, score in ranked:
        if item.audience not in ("both", first.audience) and score >= best - MARGIN and _same_topic(first, item):
            return item
    return None


def _same_topic(one: Evidence, other: Evidence) -> bool:
    mine, theirs = set(terms(one.title)), set(terms(other.title))
    return len(mine & theirs) >= SAME_TOPIC * min(len(mine), len(theirs))


def for_buyers(evidence: tuple[tuple[Evidence, float], ...], role: str | None) -> tuple[tuple[Evidence, float], ...]:
    """What may be told to someone of unknown role first: everything but what is for sellers alone."""
    if role is not None:
        return evidence
    return tuple(pair for pair in evidence if pair[0].audience != "seller")


def with_role_question(draft: Draft, other: Evidence) -> Draft:  # noqa: ARG001 - the tie is the reason to ask
    """The buyer's answer, then one short question."""
    return draft.model_copy(
        update={
            "outcome": "ambiguous",
            "blocks": [*draft.blocks, paragraph(remark(ROLE_QUESTION))],
            "clarification": Clarification(question=ROLE_QUESTION, options=list(ROLE_OPTIONS)),
            "options": ROLE_OPTIONS,
            "pending_kind": "role",
        }
    )
