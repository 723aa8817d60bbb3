"""Choosing among candidate answers: the kinds of evidence an intent needs come first."""

from collections.abc import Sequence

from graph.answering.asked import Asked
from graph.answering.audience import buyer_first
from graph.answering.candidate import Candidate, paragraph
from graph.answering.facts import find_facts
from graph.answering.kinds import FIRST_KINDS
from graph.answering.offers import find_offers
from graph.answering.opinions import contradiction, find_opinions
from graph.answering.overview import find_overview
from graph.answering.prose import find_prose
from graph.answering.steps import find_steps
from graph.answering.variants import find_variants
from graph.draft import Block
from graph.parts import Encoder, Question
from ingestion.evidence import Evidence, Product

BONUS = (0.2, 0.16, 0.12, 0.1, 0.08)
"""Added to a candidate's score for standing first, second, ... among the kinds of the likeliest intent."""
OWN_PRODUCT = 0.08
"""Added to what is about the product itself rather than the whole shop."""


def best_candidate(asked: Asked, product: Product | None, question: Question, encoder: Encoder) -> Candidate | None:
    """The best answer to one clause; None when nothing in the evidence answers it."""
    evidence = buyer_first(question.evidence, question.user.role)
    found = _candidates(asked, product, evidence, encoder, question.intents)
    if not found:
        return None
    ranked = sorted(found, key=lambda candidate: -_worth(candidate, question.intents, product))
    return _with_customers(asked, ranked[0], product, evidence)


def _candidates(
    asked: Asked,
    product: Product | None,
    evidence: Sequence[tuple[Evidence, float]],
    encoder: Encoder,
    intents: Sequence[str],
) -> list[Candidate]:
    found: list[Candidate | None] = [find_steps(asked, evidence, encoder)]
    if product is not None:
        if "opinion" in intents[:1]:
            found.append(find_opinions(asked, product, evidence))
        if "offers_and_discounts" in intents:
            found.append(find_offers(asked, product, evidence))
        found.append(find_overview(asked, product, evidence))
        found.append(find_facts(asked, product, evidence, encoder))
        found.append(find_variants(asked, product, evidence, intents))
    found += find_prose(asked, product, evidence, encoder, intents)
    return [candidate for candidate in found if candidate is not None]


def _worth(candidate: Candidate, intents: Sequence[str], product: Product | None) -> float:
    bonus = 0.0
    for place, intent in enumerate(intents):
        kinds = FIRST_KINDS.get(intent, ())
        if candidate.source_type in kinds:
            bonus = max(bonus, BONUS[kinds.index(candidate.source_type)] - 0.05 * min(place, 2))
    ids = {span.evidence_id for block in candidate.blocks for sentence in block.sentences for span in sentence.spans}
    own = product is not None and any(
        sentence.product_id == product.id for block in candidate.blocks for sentence in block.sentences
    )
    return candidate.score + bonus + (OWN_PRODUCT if own and ids else 0.0)


def _with_customers(
    asked: Asked, chosen: Candidate, product: Product | None, evidence: Sequence[tuple[Evidence, float]]
) -> Candidate:
    """Let customers speak where they contradict what the seller says."""
    if product is None or chosen.source_type not in ("spec", "feature", "description", "size_chart", "datasheet"):
        return chosen
    reviews = [item for item, _ in evidence if item.source_type == "review" and item.product_id == product.id]
    other = contradiction(asked, reviews, product) if asked.yes_no or chosen.source_type == "size_chart" else None
    if other is None:
        return chosen
    return Candidate(
        blocks=(*(_without_verdict(block) for block in chosen.blocks), paragraph(other)),
        score=chosen.score,
        source_type=chosen.source_type,
        attributes=chosen.attributes,
        evidence_ids=chosen.evidence_ids,
    )


def _without_verdict(block: Block) -> Block:
    """Where customers contradict the seller, neither yes nor no is said."""
    kept = [sentence for sentence in block.sentences if sentence.text not in ("Yes.", "No.")]
    return block.model_copy(update={"sentences": kept})
