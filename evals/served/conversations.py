"""Conversations of ten questions about a shop's products, the same ones every time."""

import random
from collections.abc import Mapping, Sequence

from ingestion.evidence import Product

LENGTH = 10
_FIRST = "What is the {first} of the {product}?"
_LATER = (
    "And its {second}?",
    "What do customers say about it?",
    "Can I return it?",
    "What warranty does it have?",
    "How do I look after it?",
    "What is its {third}?",
    "How does it compare with the {other}?",
    "When will it arrive?",
    "Is it in stock?",
)
_ATTRIBUTES = 3


def product_conversations(products: Mapping[str, Product], turns: int, seed: int = 7) -> list[list[str]]:
    """Make conversations: facts, opinions, policies and a comparison, each question leaning on the one before.

    Args:
        products: The catalog by id, at least one product.
        turns: Questions in all; the last conversation is cut.
        seed: Other seeds choose other products.

    Returns:
        Questions by conversation; a conversation is about one product.
    """
    generator = random.Random(seed)  # noqa: S311 - reproducible, no secret
    known = [product for product in products.values() if len(product.attributes) >= _ATTRIBUTES]
    known = known or list(products.values())
    conversations = [_conversation(known, generator) for _ in range(-(-turns // LENGTH))]
    for _ in range(len(conversations) * LENGTH - turns):
        conversations[-1].pop()
    return conversations


def _conversation(products: Sequence[Product], generator: random.Random) -> list[str]:
    product = generator.choice(products)
    alike = [other for other in products if other.category == product.category and other.id != product.id]
    other = generator.choice(alike or list(products))
    names = sorted(product.attributes) or ["price"]
    first, second, third = (name.lower() for name in (generator.sample(names, k=min(len(names), 3)) * 3)[:3])
    words = {"product": product.name, "other": other.name, "first": first, "second": second, "third": third}
    return [phrasing.format(**words) for phrasing in (_FIRST, *_LATER)]
