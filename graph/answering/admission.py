"""Admission: every drafted sentence passes the verifier, or it is dropped before anyone sees it."""

from collections.abc import Mapping

from graph.answering.candidate import paragraph, remark
from graph.answering.comparison import NOT_STATED
from graph.draft import Block, Draft, Sentence
from graph.parts import Question, Verifier
from ingestion.evidence import Evidence, Product


def admit(draft: Draft, question: Question, verifier: Verifier) -> tuple[Draft, list[str]]:
    """Keep what its own citations support.

    Returns:
        The draft without unsupported sentences, and the texts of those that were dropped.
    """
    evidence = {item.evidence_id: item for item, _ in question.evidence}
    products = {product.id: product for product in (*question.products, *question.related, *question.context)}
    return admit_sentences(draft, evidence, products, verifier)


def admit_sentences(
    draft: Draft, evidence: Mapping[str, Evidence], products: Mapping[str, Product], verifier: Verifier
) -> tuple[Draft, list[str]]:
    """The same for given evidence and products."""
    dropped: list[str] = []
    blocks = []
    for block in draft.blocks:
        kept = []
        for sentence in block.sentences:
            verdict = verifier.verify(sentence, evidence, products.get(sentence.product_id or ""))
            if verdict.accepted:
                kept.append(sentence.model_copy(update={"support": verdict.support}))
            else:
                dropped.append(sentence.text)
                kept += _withheld(block)
        if not any(sentence.factual for sentence in kept) and any(sentence.factual for sentence in block.sentences):
            kept = [sentence for sentence in kept if not _leads(sentence)]
        if kept:
            blocks.append(block.model_copy(update={"sentences": kept}))
    admitted = draft.model_copy(update={"blocks": blocks})
    return (_emptied(admitted) if dropped and not _states(blocks) else admitted), dropped


def _leads(sentence: Sentence) -> bool:
    """Whether a sentence only leads to the one after it."""
    return sentence.text in ("Yes.", "No.") or sentence.text.endswith(":")


def _withheld(block: Block) -> list[Sentence]:
    """A table keeps its shape: a withheld cell is stated as unknown."""
    return [remark(NOT_STATED)] if block.kind == "table" else []


def _states(blocks: list[Block]) -> bool:
    return any(sentence.factual for block in blocks for sentence in block.sentences)


def _emptied(draft: Draft) -> Draft:
    """Nothing that was drafted could be supported."""
    words = "The shop's information has something on this, but nothing that answers it word for word. "
    words += "Shall I ask the shop's team?"
    if draft.outcome != "clear":
        return draft
    return Draft(outcome="no_answer", blocks=[paragraph(remark(words))], confidence=0.2, missing=["that"])
