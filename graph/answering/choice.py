"""Choosing among candidate answers: the kinds of evidence an intent needs come first."""

from collections.abc import Sequence
from dataclasses import replace

from graph.answering.audience import for_buyers
from graph.answering.candidate import Candidate, paragraph
from graph.answering.definitions import find_definition
from graph.answering.facts import find_facts
from graph.answering.how_it_works import find_workings
from graph.answering.offers import added_by_offer, find_offers
from graph.answering.opinions import contradiction, find_opinions, find_reports
from graph.answering.overview import find_overview
from graph.answering.parsed_clause import PROCEDURE, ParsedClause
from graph.answering.prose import PRICE, find_prose
from graph.answering.steps import find_steps
from graph.answering.variants import find_variants
from graph.draft import Block
from graph.options.intents import OF_PRODUCT, first_kinds
from graph.parts import Models, Question
from ingestion.evidence import Evidence, Product

BONUS = (0.25, 0.12, 0.1, 0.08, 0.06)
"""Added to a candidate's score for standing first, second, ... among the kinds of the likeliest intent."""
LATER_INTENT = 0.05
STATED_FACT = 0.25
"""Added to an attribute where yes or no is asked, and to the price where that is."""
OWN_PRODUCT, OWN_GROUP, OWN_PLACE = 0.1, 0.06, 0.1
"""Added to what is about the product itself, or its group, rather than the whole shop."""


def best_candidate(
    asked: ParsedClause, product: Product | None, question: Question, models: Models
) -> Candidate | None:
    """The best answer to one clause; None when nothing in the evidence answers it."""
    evidence = for_buyers(question.evidence, question.user.role)
    found = _candidates(asked, product, evidence, models, question)
    if not found and evidence != question.evidence:
        evidence = question.evidence
        found = _candidates(asked, product, evidence, models, question)
    if not found:
        return None
    place = question.user.region is not None
    ranked = sorted(
        found, key=lambda candidate: -_worth(asked, candidate, question.intents, evidence, product, known_place=place)
    )
    return _with_customers(asked, ranked[0], product, evidence, question.intents)


def _candidates(
    asked: ParsedClause,
    product: Product | None,
    evidence: Sequence[tuple[Evidence, float]],
    models: Models,
    question: Question,
) -> list[Candidate]:
    intents = question.intents
    everything, evidence = evidence, [pair for pair in evidence if pair[1] > 0]
    workings = find_workings(asked, evidence) if product is None else None
    found: list[Candidate | None] = [workings or find_steps(asked, [item for item, _ in evidence], models, question)]
    if product is not None:
        found.append(find_offers(asked, product, evidence))
        found.append(find_overview(asked, product, evidence))
        # "How do I wash it" asks what to do, not what it is.
        fact = None if PROCEDURE.search(asked.text) else find_facts(asked, product, evidence, models)
        found.append(fact)
        found.append(find_variants(asked, product, evidence, intents, question.query, question.user.preferences))
        if "opinion" in intents[:1] and not (asked.yes_no and fact):
            found.append(find_opinions(asked, product, evidence))
        found.append(find_reports(asked, product, evidence))
    found.append(find_definition(asked, evidence))
    at_hand = product or next(iter(question.context), None)
    about = [item for item, _ in everything if product is None or item.product_id in (None, product.id)]
    found += find_prose(asked, at_hand, about, models, question)
    return [candidate for candidate in found if candidate is not None]


def _worth(
    asked: ParsedClause,
    candidate: Candidate,
    intents: Sequence[str],
    evidence: Sequence[tuple[Evidence, float]],
    product: Product | None,
    *,
    known_place: bool,
) -> float:
    """A candidate's score with what speaks for its kind and for how narrowly it is about the product at hand."""
    bonus = 0.0
    for place, intent in enumerate(intents):
        kinds = first_kinds(intent)
        if candidate.source_type in kinds:
            bonus = max(bonus, BONUS[kinds.index(candidate.source_type)] - LATER_INTENT * min(place, 2))
    decided = asked.yes_no and candidate.source_type == "spec" and OF_PRODUCT.intersection(intents[:1])
    if decided or (PRICE in asked.terms and candidate.source_type == "spec" and "Price" in candidate.attributes):
        bonus += STATED_FACT
    used = [item for item, _ in evidence if item.evidence_id in candidate.evidence_ids]
    own = max((_narrowness(item, product, known_place=known_place) for item in used), default=0.0)
    return candidate.score + bonus + own


def _narrowness(item: Evidence, product: Product | None, *, known_place: bool) -> float:
    place = OWN_PLACE if known_place and item.region else 0.0
    if item.product_id is not None:
        return place + (OWN_PRODUCT if product is None or item.product_id == product.id else 0.0)
    return place + (OWN_GROUP if item.category or item.brand else 0.0)


def _with_customers(
    asked: ParsedClause,
    chosen: Candidate,
    product: Product | None,
    evidence: Sequence[tuple[Evidence, float]],
    intents: Sequence[str],
) -> Candidate:
    """Let customers speak where they contradict what the seller says."""
    if product is None or chosen.source_type not in ("spec", "feature", "description", "size_chart", "datasheet"):
        return chosen
    reviews = [item for item, _ in evidence if item.source_type == "review" and item.product_id == product.id]
    if chosen.denied and (added := added_by_offer(asked, product, evidence)):
        return replace(chosen, blocks=(*chosen.blocks, paragraph(*added)))
    if "opinion" in intents[:1]:
        voices = find_opinions(asked, product, evidence)
        return replace(chosen, blocks=(*chosen.blocks, *voices.blocks)) if voices else chosen
    if not asked.yes_no and chosen.source_type != "size_chart":
        return chosen
    other = contradiction(asked, reviews, product, denied=chosen.denied)
    if other is None:
        return chosen
    blocks = chosen.blocks if chosen.settled else tuple(_without_verdict(block) for block in chosen.blocks)
    return replace(chosen, blocks=(*blocks, paragraph(other)))


def _without_verdict(block: Block) -> Block:
    """Where customers contradict the seller, neither yes nor no is said."""
    kept = [sentence for sentence in block.sentences if sentence.text not in ("Yes.", "No.")]
    return block.model_copy(update={"sentences": kept})
