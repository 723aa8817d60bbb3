"""Sources: the primary evidence of the products in question, whether or not it was retrieved."""

from dataclasses import replace

from graph.language.injection import without_instructions
from graph.parts import KnowledgeBase, Question
from ingestion.evidence import Product

OWN_KINDS = frozenset({"spec", "datasheet", "manual"})
"""Kinds that hold for every user and at any time."""


def at_hand(question: Question) -> Product | None:
    """The one product a question is about; None where it is about several, or none."""
    products = question.products or question.context
    return products[0] if len(products) == 1 else None


def with_own_sources(question: Question, knowledge: KnowledgeBase) -> Question:
    """A question with all that the makers say of its products: a claim is looked up there, too."""
    known = {item.evidence_id for item, _ in question.evidence}
    own = [
        item
        for product in (question.products or question.context)
        for item in knowledge.product_evidence(product.id, OWN_KINDS)
        if item.evidence_id not in known
    ]
    return replace(question, evidence=(*question.evidence, *((item, 0.0) for item in without_instructions(own))))
