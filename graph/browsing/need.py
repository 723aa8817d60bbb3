"""Browsing by need: the products whose own evidence comes nearest to what was asked for."""

from collections.abc import Sequence

from graph.answering.prose import stands_alone
from graph.parts import Context, Statement
from ingestion.evidence import Product

KINDS = frozenset({"spec", "feature", "description", "datasheet", "manual", "qa", "review"})
"""Kinds that tell what a product is good for."""
MOST = 200
"""Products whose evidence is read."""
MEETS, ALIKE = 0.45, 0.1
"""Least score of a statement that meets a need, and how much farther than the best another may be."""


def meeting(need: str, pool: Sequence[Product], parts: Context) -> list[tuple[Product, Statement]]:
    """Products with the statement that decides, nearest first.

    Args:
        need: What is asked for, in the customer's words.
        pool: Products that hold to all limits.
        parts: What finds and reads.
    """
    wanted = {product.id: product for product in pool[:MOST]}
    own = [item for key in wanted for item in parts.knowledge.product_evidence(key, KINDS)]
    best: dict[str, Statement] = {}
    for one in parts.finder.nearest([need], [item for item in own if item.product_id in wanted]):
        if one.evidence.product_id and stands_alone(one):
            best.setdefault(one.evidence.product_id, one)
    least = max((MEETS, *(one.score - ALIKE for one in best.values())))
    return [(wanted[key], one) for key, one in best.items() if one.score >= least]
