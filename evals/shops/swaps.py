"""Swaps made from a shop: true sentences about its products and rules, and the same with one thing changed.

Each true sentence says one attribute as answers say it, or is a sentence of a fact as it stands; its evidence is the
title and the cited line. Changed are a number, a unit, a yes for a no, and the product.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.shops.files import read_folder
from evals.shops.sentence_swaps import swaps
from graph.language.sentences import state
from ingestion.evidence import Evidence, Product
from ingestion.spans import sentence_spans

RULES = frozenset(
    """warranty return_policy delivery exchange payment offer stock authenticity checkout size_chart feature
    description""".split()
)
"""Kinds of evidence whose sentences are true as they stand."""
TRUE = "true"
PRODUCT = "product"
_UNSPOKEN = frozenset({"Price", "Brand", "Category"})
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Swap:
    """A sentence beside its evidence.

    Attributes:
        claim: The sentence.
        evidence: What it cites, title first.
        kind: `true`, or what was changed: `number`, `unit`, `negation`, `product`.
    """

    claim: str
    evidence: tuple[str, ...]
    kind: str

    @property
    def label(self) -> bool:
        """Whether the evidence supports it."""
        return self.kind == TRUE


def swapped_shop(products: Mapping[str, Product], facts: Sequence[Evidence], seed: int = 11) -> list[Swap]:
    """Make true sentences and their swaps.

    Args:
        products: The catalog by id.
        facts: Evidence whose sentences are true as they stand.
        seed: Other seeds change other things.

    Returns:
        The same for the same shop and seed.
    """
    source = random.Random(seed)  # noqa: S311 - reproducible, no secret
    return [*_of_products(products, source), *_of_facts(facts, products, source)]


def swaps_of_shop(folder: Path, seed: int = 11) -> list[Swap]:
    """Read a shop's files and make true sentences and their swaps."""
    shop = read_folder(folder)
    return swapped_shop(shop.products, [one for one in shop.evidence if one.source_type in RULES], seed)


def support_rows(swapped: Sequence[Swap]) -> list[dict[str, Any]]:
    """The same as rows of `footnote eval support`; the group is what was changed."""
    return [
        {"id": f"swap-{place}", "claim": one.claim, "evidence": one.evidence, "label": one.label, "group": one.kind}
        for place, one in enumerate(swapped)
    ]


def _of_products(products: Mapping[str, Product], source: random.Random) -> Iterator[Swap]:
    for product in products.values():
        strangers = [other.name for other in products.values() if other.id != product.id]
        siblings = [
            other.name for other in products.values() if other.id != product.id and other.category == product.category
        ]
        for attribute, value in product.attributes.items():
            if attribute in _UNSPOKEN:
                continue
            evidence = (f"{product.name} specifications\n{attribute}: {value}",)
            yield Swap(state(product.name, attribute, value), evidence, TRUE)
            yield from _changed(state(product.name, attribute, value), evidence, source)
            for name in (source.choice(group) for group in (strangers, siblings) if group):
                yield Swap(state(name, attribute, value), evidence, PRODUCT)


def _of_facts(facts: Sequence[Evidence], products: Mapping[str, Product], source: random.Random) -> Iterator[Swap]:
    for fact in facts:
        title = fact.title
        for start, end in sentence_spans(fact.text):
            said = fact.text[start:end]
            if len(said) > _LONGEST or not said.endswith("."):
                continue
            evidence = (f"{title}\n{said}",)
            yield Swap(said, evidence, TRUE)
            yield from _changed(said, evidence, source)
            own = products[fact.product_id].name if fact.product_id and fact.product_id in products else None
            if own and own in said:
                name = source.choice([other.name for other in products.values() if other.name != own])
                yield Swap(said.replace(own, name), evidence, PRODUCT)


def _changed(claim: str, evidence: tuple[str, ...], source: random.Random) -> Iterator[Swap]:
    for kind, text in swaps(claim, source).items():
        if kind != "name":  # a name the shop does not sell; wrong products are its own
            yield Swap(text, evidence, kind)
