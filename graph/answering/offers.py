"""Answers about offers: what is on now, the price beside it, and no offer said to be one that has ended."""

from collections.abc import Sequence

from graph.answering.candidate import Candidate, paragraph, remark
from graph.answering.facts import price_of
from graph.answering.matching import statements
from graph.answering.prose import sentence_of
from graph.draft import Sentence
from graph.language.sentences import the
from graph.language.terms import terms
from graph.understanding.parsed_question import ParsedClause
from ingestion.evidence import Evidence, Product
from ingestion.source_types import SOURCE_TABLE

MOST = 3
OFFER_WORDS = SOURCE_TABLE["offer"].stems - {"off", "save"}


def find_offers(asked: ParsedClause, product: Product, evidence: Sequence[tuple[Evidence, float]]) -> Candidate | None:
    """The offers on a product now, and its price; that there is none, when offers were asked for by name."""
    if not asked.terms & OFFER_WORDS:
        return None
    offers = [item for item, _ in evidence if item.source_type == "offer" and item.product_id in (product.id, None)]
    offers.sort(key=lambda item: item.product_id is None)
    sentences: list[Sentence] = []
    for item in offers[:MOST]:
        sentences += [sentence_of(item, start, end) for start, end in statements(item)[:2]]
    if not sentences:
        sentences.append(remark(f"The shop lists no current offer on {the(product.name)}."))
    sentences += price_of(product, evidence)
    if not any(sentence.factual for sentence in sentences):
        return None
    return Candidate(
        blocks=(paragraph(*sentences),),
        score=0.8 if offers else 0.7,
        source_type="offer",
        attributes=("Price",),
    )


def beside_price(product: Product, evidence: Sequence[tuple[Evidence, float]]) -> list[Sentence]:
    """The offers on a product that run now, for who is told a price and not that is cheaper today is misled."""
    return [
        sentence_of(item, *statements(item)[0])
        for item, _ in evidence
        if item.source_type == "offer" and item.product_id == product.id and statements(item)
    ]


def added_by_offer(asked: ParsedClause, product: Product, evidence: Sequence[tuple[Evidence, float]]) -> list[Sentence]:
    """The offers that hold all that was asked, such as an accessory the product comes without."""
    told = beside_price(product, evidence)
    return [one for one in told if asked.specific and asked.specific <= frozenset(terms(one.text))]
