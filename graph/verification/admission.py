"""Admission: every drafted sentence passes the verifier, or is mended, or nobody sees it."""

from collections.abc import Mapping, Sequence

from graph.answering.absence import PARTIAL, gap, missing_phrase
from graph.answering.candidate import paragraph, remark
from graph.answering.comparison import NOT_STATED
from graph.budget import check_budget
from graph.draft import Block, Draft, Dropped, Part, Sentence, YesNo
from graph.parts import Question, Verdict, Verifier
from graph.understanding.parsed_question import analyse
from graph.verification.mending import Shown, mended
from ingestion.evidence import Evidence, Product


def admit(draft: Draft, question: Question, verifier: Verifier) -> tuple[Draft, list[Dropped]]:
    """Keep what its own citations support; a part of the question of which nothing is left is named as missing.

    Returns:
        The draft without unsupported sentences, and those that were dropped, with the words that failed.
    """
    evidence = {item.evidence_id: item for item, _ in question.evidence}
    products = {product.id: product for product in (*question.products, *question.related, *question.context)}
    admitted, dropped = admit_sentences(draft, evidence, products, verifier)
    left = _parts(admitted)
    lost = [part for part in _parts(draft) if part not in left]
    return _with_gaps(admitted, lost, products, question), dropped


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
            check_budget()
            kept += _admitted(sentence, verdict, block, shown, dropped)
        if not any(sentence.factual for sentence in kept) and any(sentence.factual for sentence in block.sentences):
            kept = [sentence for sentence in kept if not _leads(sentence)]
        if kept:
            blocks.append(block.model_copy(update={"sentences": kept}))
    admitted = draft.model_copy(update={"blocks": blocks})
    return (_emptied(admitted) if dropped and not _states(blocks) else admitted), dropped


def _parts(draft: Draft) -> list[Part]:
    """The parts of the question that a draft states something on."""
    stating = [block for block in draft.blocks if any(sentence.factual for sentence in block.sentences)]
    return list(dict.fromkeys(block.part for block in stating if block.part))


def _with_gaps(draft: Draft, lost: Sequence[Part], products: Mapping[str, Product], question: Question) -> Draft:
    """Name the parts of which nothing could be supported, before what is asked back; a refusal only records them."""
    names = tuple(product.name for product in question.products)
    asked = [(analyse(part.text, names), products.get(part.product_id or "")) for part in lost]
    missing = [missing_phrase(one, question) or one.text for one, _ in asked]
    if not lost or not _states(draft.blocks):
        return draft.model_copy(update={"missing": missing}) if lost and draft.missing else draft
    gaps = [paragraph(remark(gap(one, product, question))) for one, product in asked]
    last = len(draft.blocks) - (draft.clarification is not None)
    blocks = [*draft.blocks[:last], *gaps, *draft.blocks[last:]]
    confidence = draft.confidence * PARTIAL
    return draft.model_copy(update={"blocks": blocks, "missing": [*draft.missing, *missing], "confidence": confidence})


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
    return sentence.text in tuple(YesNo) or sentence.text.endswith(":")


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
