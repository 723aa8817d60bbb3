"""Single questions about a shop whose right evidence is known, made from what is indexed."""

import random
from collections.abc import Iterator, Sequence

from evals.conversations.fixtures import Conversation, Expect, ExpectedCitation, FixtureTurn
from graph.parts import KnowledgeBase
from ingestion.evidence import Product

ATTRIBUTE_PHRASINGS = (
    "What is the {attribute} of the {product}?",
    "{product} {attribute}",
    "Tell me the {attribute} of {product} please",
    "i'd like to know about the {attribute} on the {product}",
)
KIND_PHRASINGS = {
    "warranty": ("How long is the warranty on the {product}?", "what if the {product} breaks after a year"),
    "return_policy": ("Can I return the {product}?", "{product} not for me, what now"),
    "stock": ("Is the {product} in stock?", "can I get the {product} right now"),
    "delivery": ("How long does delivery of the {product} take?", "when would the {product} be here"),
    "offer": ("Is there a discount on the {product}?", "{product} any cheaper"),
    "size_chart": ("Which size of the {product} should I take?", "{product} sizes"),
    "exchange": ("Can I swap the {product} for another one?", "{product} wrong one, change it"),
    "authenticity": ("Is the {product} genuine?", "is your {product} the real thing"),
    "review": ("What do customers say about the {product}?", "is the {product} any good"),
}
_ATTRIBUTES_A_PRODUCT = 2


def entropy_conversations(knowledge: KnowledgeBase, index: str, count: int, seed: int = 3) -> list[Conversation]:
    """Make conversations of one question each, the same for the same index.

    An attribute's question is answered right when the answer cites the product and holds the value; one about a policy
    or opinions when it cites evidence of that kind.

    Args:
        knowledge: What is indexed.
        index: The index by name, as fixtures say it.
        count: How many at most.
        seed: Other seeds choose others.
    """
    made = [turn for product in knowledge.products.values() for turn in _about(product, knowledge, seed)]
    chosen = random.Random(seed).sample(made, min(count, len(made)))  # noqa: S311 - reproducible, no secret
    return [Conversation(name=turn.user or "", index=index, turns=[turn]) for turn in chosen]


def _about(product: Product, knowledge: KnowledgeBase, seed: int) -> Iterator[FixtureTurn]:
    choice = random.Random(f"{seed}{product.id}")  # noqa: S311 - reproducible, no secret
    names = sorted(product.attributes)
    for name in choice.sample(names, min(_ATTRIBUTES_A_PRODUCT, len(names))):
        own = ExpectedCitation(product_id=product.id)
        expect = Expect(cites=[own], answer_contains=[str(product.attributes[name])])
        yield _turn(ATTRIBUTE_PHRASINGS, product, choice, expect, name.lower())
    for kind, phrasings in KIND_PHRASINGS.items():
        if any(one.product_id == product.id for one in knowledge.product_evidence(product.id, {kind})):
            yield _turn(phrasings, product, choice, Expect(cites=[ExpectedCitation(source_type=kind)]))


def _turn(
    phrasings: Sequence[str], product: Product, choice: random.Random, expect: Expect, attribute: str = ""
) -> FixtureTurn:
    text = choice.choice(phrasings).format(product=product.name, attribute=attribute)
    return FixtureTurn(user=text, expect=expect)
