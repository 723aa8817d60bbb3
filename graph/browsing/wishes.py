"""Wishes: what customers look for, by what they say of their need."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from graph.answering.prose import stands_alone
from graph.language.terms import STOPWORDS, terms, words
from graph.parts import Context, Statement
from graph.understanding.parsed_question import MEASURING
from ingestion.evidence import Product
from ingestion.stems import stem

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
    near = parts.finder.nearest([need], [item for item in own if item.product_id in wanted])
    for one in takewhile(lambda one: one.score >= MEETS, near):
        if one.evidence.product_id and stands_alone(one):
            best.setdefault(one.evidence.product_id, one)
    least = max((one.score - ALIKE for one in best.values()), default=MEETS)
    return [(wanted[key], one) for key, one in best.items() if one.score >= least]


NO_MONEY = (
    r"(?!\s*(?:-\s*)?(?:people|persons?|kgs?|g|mm|cm|m|km|ml|l|lb|oz|lit(?:re|er)s?|inch(?:es)?|gb|tb|mah|hz|w|watts?|hours?|days?|"
    r"years?|stars?|seasons?)\b|\s*[\"%°]|[\d,.]*\d)"
)
FIGURE = rf"\s*(?:(?:[$€£₹]|usd|eur)\s*)?(\d[\d,]*+(?:\.\d++)?+){NO_MONEY}"
MAXIMUM = re.compile(
    rf"(?i)(?:under|below|less than|cheaper than|up to|at most|max(?:imum)?(?: of)?|within|no more than|<){FIGURE}"
)
MINIMUM = re.compile(rf"(?i)(?:over|above|more than|at least|min(?:imum)?(?: of)?|from|>){FIGURE}")
BETWEEN = re.compile(
    r"(?i)between\s*(?:[$€£₹]\s*)?(\d[\d,]*(?:\.\d+)?)\s*(?:and|-|to)\s*(?:[$€£₹]\s*)?(\d[\d,]*(?:\.\d+)?)"
)
CHEAPEST = re.compile(r"(?i)\b(cheapest|least expensive|lowest[- ]price[d]?|most affordable|budget)\b")
DEAREST = re.compile(r"(?i)\b(most expensive|priciest|dearest|premium|top of the range|highest[- ]price[d]?)\b")
FRAME = frozenset(
    map(
        stem,
        """show find browse list see look looking search recommend recommendation suggest suggestion want need buy
        shopping sell stock carry cheapest cheap expensive under below over above between less more than price priced
        budget best good nice great new top popular please options choose choice pick gift present something anything
        products product items item dollars euros bucks usd eur range around about have""".split(),
    )
)


@dataclass(frozen=True, slots=True)
class Wish:
    """A browsing request; prices in the shop's currency."""

    least: float | None
    most: float | None
    order: str | None
    terms: frozenset[str]


def wish_of(query: str) -> Wish:
    """Read limits, order and descriptive terms from a browsing request."""
    between = BETWEEN.search(query)
    most = MAXIMUM.search(query)
    least = MINIMUM.search(query)
    figures = {term for found in (between, most, least) if found for group in found.groups() for term in terms(group)}
    return Wish(
        least=_figure(between[1] if between else least[1] if least else None),
        most=_figure(between[2] if between else most[1] if most else None),
        order="cheapest" if CHEAPEST.search(query) else "dearest" if DEAREST.search(query) else None,
        terms=frozenset(stem(word) for word in words(query) if word not in STOPWORDS) - FRAME - MEASURING - figures,
    )


def _figure(text: str | None) -> float | None:
    return float(text.replace(",", "")) if text else None
