"""Which products a statement about a category or a brand holds for."""

import re
from functools import lru_cache

from ingestion.evidence import Evidence, Product
from ingestion.stems import stem


def concerns(evidence: Evidence, product: Product) -> bool:
    """Whether a statement about a group of products is about this one too.

    Its category must be an element of the product's category path (or a part of the path), its brand the product's;
    case and plural do not matter. A statement about no group is about the whole shop, not about a product.
    """
    if evidence.category is None and evidence.brand is None:
        return False
    if evidence.brand is not None and _stemmed(evidence.brand) != _stemmed(product.brand or ""):
        return False
    if evidence.category is None:
        return True
    path = {_stemmed(step) for step in product.category} | {_stemmed(" > ".join(product.category))}
    return all(_stemmed(step) in path for step in evidence.category.split(" > "))


@lru_cache(maxsize=4096)
def _stemmed(name: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in re.findall(r"\w+", name.casefold()))
