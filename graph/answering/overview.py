"""An overview of a product: what the seller says of it, and its price."""

from collections.abc import Sequence

from graph.answering.candidate import Candidate, cited, paragraph, span
from graph.answering.matching import attribute_lines
from graph.answering.parsed_clause import ParsedClause
from graph.answering.prose import sentence_of
from graph.draft import Sentence
from graph.language.sentences import state
from graph.language.terms import stem
from ingestion.evidence import Evidence, Product
from ingestion.spans import sentence_spans

SENTENCES = 2
GENERAL = frozenset(
    map(
        stem,
        "tell show give info information detail details overview summary describe description product item".split(),
    )
)


def find_overview(
    asked: ParsedClause, product: Product, evidence: Sequence[tuple[Evidence, float]]
) -> Candidate | None:
    """The start of the description, for a clause that asks for nothing in particular ("tell me about it")."""
    if asked.terms - GENERAL or asked.quantity or asked.yes_no:
        return None
    for item, _ in evidence:
        if item.source_type == "description" and item.product_id == product.id:
            spans = sentence_spans(item.text)[:SENTENCES]
            said = sentence_of(item, spans[0][0], spans[-1][1], product)
            return Candidate(
                blocks=(paragraph(said, *price_of(product, evidence)),),
                score=0.6,
                source_type="description",
                evidence_ids=frozenset({item.evidence_id}),
            )
    return None


def price_of(product: Product, evidence: Sequence[tuple[Evidence, float]]) -> list[Sentence]:
    """The price in a sentence, if the specification states one."""
    return [
        cited(state(product.name, name, value), span(item, start, end), product_id=product.id)
        for item, _ in evidence
        if item.source_type == "spec" and item.product_id == product.id
        for name, value, start, end in attribute_lines(item)
        if name == "Price"
    ]
