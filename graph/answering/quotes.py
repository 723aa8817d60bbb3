"""Answers by quotation: what is most relevant to a question, in its own words and with who says it."""

import re
from collections.abc import Sequence

from graph.answerability import answerable
from graph.answering.asked import Asked
from graph.answering.candidate import Candidate, cited, paragraph, remark, span
from graph.answering.conversion import in_unit
from graph.answering.fragments import completed, with_subject
from graph.answering.passages import STRUCTURED, Passage, passages, telling_part
from graph.answering.prose import hard_terms, lacks_figure
from graph.answering.yes_no import verdict_of
from graph.draft import Sentence
from graph.language.names import name_pattern
from graph.language.notation import plain_name, plain_value
from graph.language.sentences import state
from graph.language.sources import quoted
from graph.language.terms import terms
from graph.language.units import wanted_unit
from graph.parts import Encoder
from graph.retrieval.relevance import without_name
from graph.retrieval.reranking import Candidate as Ranked
from graph.retrieval.reranking import Reranker
from ingestion.evidence import Evidence, Product

SELLERS = frozenset({"feature", "description"})
CUSTOMERS = frozenset({"review", "qa"})
QUOTABLE = STRUCTURED | SELLERS | CUSTOMERS
LEAST = 0.3
"""Probability of answering from which on something is quoted."""
LEAST_SAID = 4
"""Content words from which on a passage may answer in words of its own."""
SURE = 0.6
"""The same for what has none of the words that were asked for."""
READ, RERANKED = 10, 30
"""Pieces of evidence that are read, and passages of them that are compared with the question."""

_SAYS_SO = re.compile(r"(?i)“(?:yes|no)\b")


def find_quote(
    asked: Asked, product: Product, evidence: Sequence[tuple[Evidence, float]], encoder: Encoder
) -> Candidate | None:
    """The passage about a product that most probably answers, quoted; None where that is not probable enough.

    Args:
        asked: The clause.
        product: The product it is about.
        evidence: What was found, with its relevance.
        encoder: Compares passages with the question.
    """
    about = [pair for pair in evidence if pair[0].source_type in QUOTABLE and pair[0].product_id == product.id]
    about.sort(key=lambda pair: (-pair[1], pair[0].evidence_id))
    ranked = _ranked(asked, product, [passage for item, _ in about[:READ] for passage in passages(item)], encoder)
    probability = answerable([relevance for _, relevance in ranked])
    if probability < LEAST or lacks_figure(asked, _unnamed(plain_value(ranked[0][0].text), product)):
        return None
    best = ranked[0][0]
    if probability < SURE and _beside_the_point(asked, best):
        return None
    return Candidate(
        blocks=(paragraph(*_answered(asked, best, product, encoder)),),
        score=probability,
        source_type=best.evidence.source_type,
        evidence_ids=frozenset({best.evidence.evidence_id}),
    )


def _unnamed(text: str, product: Product) -> str:
    """A text without the product's name, whose figures tell nothing."""
    return name_pattern(product.name).sub("", text) if product.name else text


def _beside_the_point(asked: Asked, passage: Passage) -> bool:
    """Whether mere praise, or an advertisement asked for a yes or no, has none of the words that were asked for."""
    kind, said = passage.evidence.source_type, terms(passage.text)
    if kind not in SELLERS | {"review"} or not asked.specific or asked.specific & frozenset(said):
        return False
    return len(said) < LEAST_SAID or (asked.yes_no and kind in SELLERS)


def _ranked(asked: Asked, product: Product, found: Sequence[Passage], encoder: Encoder) -> list[tuple[Passage, float]]:
    """The passages by their own words alone, as the reranker was taught: titles and a Q&A's question are no answer."""
    told = sorted(found, key=lambda passage: -len(asked.terms & frozenset(terms(passage.text))))[:RERANKED]
    candidates = [Ranked(passage.text, passage.evidence.source_type) for passage in told]
    scores = Reranker(encoder).scores(without_name(asked.text, product.name), candidates).tolist()
    return sorted(zip(told, scores, strict=True), key=lambda pair: (-pair[1], pair[0].evidence.evidence_id))


def _answered(asked: Asked, passage: Passage, product: Product, encoder: Encoder) -> list[Sentence]:
    """The quotation behind the yes or no it gives, if it speaks of every name and figure of the question.

    A customer's yes is the customer's: it stands in the sentence that says so.
    """
    item = passage.evidence
    said = in_unit(_quotation(telling_part(asked, passage, encoder), product), wanted_unit(asked.text))
    stated = item.text if item.source_type == "qa" else passage.text
    verdict = None if _SAYS_SO.search(said.text) else verdict_of(asked, stated, item.source_type, product, encoder)
    if verdict is None or hard_terms(asked, item.source_type) - frozenset(terms(stated)):
        return [said]
    if item.source_type not in CUSTOMERS:
        return [remark(verdict), said]
    first, *others = said.claims
    lead = f"{verdict.removesuffix('.')}, {first.text[:1].lower()}{first.text[1:]}"
    return [said.model_copy(update={"claims": [first.model_copy(update={"text": lead}), *others]})]


def _quotation(passage: Passage, product: Product) -> Sentence:
    item, text = passage.evidence, passage.text
    if item.source_type in STRUCTURED:
        name, _, value = text.partition(":")
        told = state(product.name, plain_name(name.strip()), plain_value(value.strip()))
    else:
        whole = passage.marked
        subject = with_subject(text, product) if item.source_type in SELLERS and whole == text else None
        told = completed(text, item, product) or subject or quoted(item.source_type, whole)
    return cited(told, span(item, passage.start, passage.end), product_id=product.id)
