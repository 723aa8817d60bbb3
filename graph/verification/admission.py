"""Admission: every drafted sentence passes the verifier, or is mended, or nobody sees it."""

from collections.abc import Mapping

from graph.answering.candidate import paragraph, remark
from graph.answering.comparison import NOT_STATED
from graph.draft import Block, Draft, Sentence
from graph.parts import Dropped, Question, Verdict, Verifier
from graph.verification.mending import Shown, mended
from ingestion.evidence import Evidence, Product


def admit(draft: Draft, question: Question, verifier: Verifier) -> tuple[Draft, list[Dropped]]:
    """Keep what its own citations support.

    Returns:
        The draft without unsupported sentences, and those that were dropped, with the words that failed.
    """
    evidence = {item.evidence_id: item for item, _ in question.evidence}
    products = {product.id: product for product in (*question.products, *question.related, *question.context)}
    return admit_sentences(draft, evidence, products, verifier)


def admit_sentences(
    draft: Draft, evidence: Mapping[str, Evidence], products: Mapping[str, Product], verifier: Verifier
) -> tuple[Draft, list[Dropped]]:
    """The same for given evidence and products."""
    drafted = [sentence for block in draft.blocks for sentence in block.sentences]
    about = [products.get(sentence.product_id or "") for sentence in drafted]
    verdicts = iter(verifier.verify_all(list(zip(drafted, about, strict=True)), evidence))
    shown = Shown(evidence, products, verifier, {sentence.text for sentence in drafted})
    dropped: list[Dropped] = []
    blocks = []
    for block in draft.blocks:
        kept: list[Sentence] = []
        for sentence, verdict in zip(block.sentences, verdicts, strict=False):
            kept += _admitted(sentence, verdict, block, shown, dropped)
        if not any(sentence.factual for sentence in kept) and any(sentence.factual for sentence in block.sentences):
            kept = [sentence for sentence in kept if not _leads(sentence)]
        if kept:
            blocks.append(block.model_copy(update={"sentences": kept}))
    admitted = draft.model_copy(update={"blocks": blocks})
    return (_emptied(admitted) if dropped and not _states(blocks) else admitted), dropped


def _admitted(
    sentence: Sentence, verdict: Verdict, block: Block, shown: Shown, dropped: list[Dropped]
) -> list[Sentence]:
    """The sentence, what stands in its place, or nothing."""
    if verdict.accepted:
        return [sentence.model_copy(update={"support": verdict.support})]
    other = mended(sentence, shown, quoting=block.kind in {"paragraph", "bullets"})
    if other is None or other.text != sentence.text:
        dropped.append(
            Dropped(
                text=sentence.text,
                failing=list(verdict.failing),
                reasons=list(verdict.reasons),
                instead=other.text if other else None,
            )
        )
    return [other] if other else _withheld(block)


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
