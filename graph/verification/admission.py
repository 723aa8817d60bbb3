"""Admission: every drafted sentence passes the verifier, or is mended, or nobody sees it.

A right sentence with a wrong citation gets the right one; a wrong one gives way to what its source says. Whatever comes
of it passes the same verifier; its threshold is the same for all.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from graph.answering.absence import PARTIAL, gap, missing_phrase
from graph.answering.candidate import cited, paragraph, remark, span
from graph.answering.comparison import NOT_STATED
from graph.budget import check_budget
from graph.draft import Block, Draft, Dropped, Part, Sentence, Span, YesNo
from graph.language.injection import instructs
from graph.language.locale import reply
from graph.language.sentences import quoted, state
from graph.parts import Question, Verification, Verifier
from graph.understanding.parsed_question import analyse
from graph.verification.claim import read
from ingestion.evidence import Evidence, Product
from ingestion.statements import statement_spans

_LEAST_SHARED = 0.5
"""Share of a sentence's content words that another source must have to be its citation, or to stand in its place."""
_MOST_TRIED = 3


@dataclass(frozen=True, slots=True)
class Shown:
    """What a turn may answer from.

    Attributes:
        evidence: All that was given to the turn, by id.
        products: The products it is about, by id.
        verifier: Judges what is mended as it judged the draft.
        said: Texts of the drafted sentences; none is said twice.
    """

    evidence: Mapping[str, Evidence]
    products: Mapping[str, Product]
    verifier: Verifier
    said: set[str]

    def accepts(self, sentence: Sentence) -> Sentence | None:
        """The sentence with its support; None where it is not supported either."""
        product = self.products.get(sentence.product_id or "")
        judged = self.verifier.verify(sentence, self.evidence, product)
        return sentence.model_copy(update={"support": judged.support}) if judged.accepted else None


def admit(draft: Draft, question: Question, verifier: Verifier) -> tuple[Draft, list[Dropped]]:
    """Keep what its own citations support; a part of the question of which nothing is left is named as missing.

    Returns:
        The draft without unsupported sentences, and those that were dropped, with the words that failed.
    """
    admitted, dropped = admit_sentences(draft, question.sources, question.spoken_of, verifier)
    left = _parts(admitted)
    lost = [part for part in _parts(draft) if part not in left]
    return _with_gaps(admitted, lost, question), dropped


def admit_sentences(
    draft: Draft, evidence: Mapping[str, Evidence], products: Mapping[str, Product], verifier: Verifier
) -> tuple[Draft, list[Dropped]]:
    """The same for given evidence and products."""
    drafted = draft.sentences
    about = [products.get(sentence.product_id or "") for sentence in drafted]
    judged = iter(verifier.verify_all(list(zip(drafted, about, strict=True)), evidence))
    shown = Shown(evidence, products, verifier, {sentence.text for sentence in drafted})
    dropped: list[Dropped] = []
    blocks = []
    for block in draft.blocks:
        kept: list[Sentence] = []
        for sentence, judgement in zip(block.sentences, judged, strict=False):
            check_budget()
            kept += _admitted(sentence, judgement, block, shown, dropped)
        if block.facts and not any(sentence.factual for sentence in kept):
            leads = (*YesNo, *(one.text for one in kept if one.text.endswith(":")))
            kept = [sentence for sentence in kept if sentence.text not in leads]
        if kept:
            blocks.append(block.model_copy(update={"sentences": kept}))
    admitted = draft.left_with(blocks)
    return (_emptied(admitted) if dropped and not admitted.facts else admitted), dropped


def _parts(draft: Draft) -> list[Part]:
    """The parts of the question that a draft states something on."""
    return list(dict.fromkeys(block.part for block in draft.blocks if block.part and block.facts))


def _with_gaps(draft: Draft, lost: Sequence[Part], question: Question) -> Draft:
    """Name the parts of which nothing could be supported, before what is asked back; a refusal only records them."""
    names = tuple(product.name for product in question.products)
    asked = [(analyse(part.text, names), question.spoken_of.get(part.product_id or "")) for part in lost]
    missing = [missing_phrase(one, question) or one.text for one, _ in asked]
    if not lost or not draft.facts:
        return draft.model_copy(update={"missing": missing}) if lost and draft.missing else draft
    gaps = [paragraph(remark(gap(one, product, question))) for one, product in asked]
    last = len(draft.blocks) - (draft.clarification is not None)
    blocks = [*draft.blocks[:last], *gaps, *draft.blocks[last:]]
    confidence = draft.confidence * PARTIAL
    return draft.model_copy(update={"blocks": blocks, "missing": [*draft.missing, *missing], "confidence": confidence})


def _admitted(
    sentence: Sentence, judged: Verification, block: Block, shown: Shown, dropped: list[Dropped]
) -> list[Sentence]:
    """The sentence, what stands in its place, or nothing."""
    if judged.accepted:
        return [sentence.model_copy(update={"support": judged.support})]
    other = mended(sentence, shown, quoting=block.kind in {"paragraph", "bullets"})
    if other is None or other.text != sentence.text:
        dropped.append(
            Dropped(
                text=sentence.text,
                failing=list(judged.failing),
                reasons=list(judged.reasons),
                instead=other.text if other else None,
            )
        )
    # A table keeps its shape: a withheld cell is stated as unknown.
    return [other] if other else [remark(NOT_STATED)] if block.kind == "table" else []


def _emptied(draft: Draft) -> Draft:
    """Nothing that was drafted could be supported."""
    words = f"{reply('withheld')} {reply('next_step')}"
    if draft.outcome != "clear":
        return draft
    return Draft(outcome="no_answer", blocks=[paragraph(remark(words))], confidence=0.2, missing=["that"])


def mended(sentence: Sentence, shown: Shown, *, quoting: bool) -> Sentence | None:
    """What may be shown in place of a refused sentence; None where nothing may.

    Args:
        sentence: As it was drafted.
        shown: What the turn may answer from.
        quoting: Whether a quotation may take its place: not in a step or a cell.
    """
    if any(where.derived for where in sentence.spans):
        return None  # what was counted is counted in all its sources, or is wrong
    elsewhere = list(_cited_elsewhere(sentence, shown))
    # A bare value, such as a yes, that stands in several places is about what none of them tells.
    tried = [*elsewhere, *_quotations(sentence, shown)] if quoting else elsewhere if len(elsewhere) == 1 else []
    for other in tried:
        accepted = shown.accepts(other)
        if accepted is not None and (other.text == sentence.text or other.text not in shown.said):
            shown.said.add(other.text)
            return accepted
    return None


def _cited_elsewhere(sentence: Sentence, shown: Shown) -> Iterator[Sentence]:
    """The sentence under the citations that have most of its words."""
    for where in _likest(sentence, shown, shown.evidence, lambda where: where not in sentence.spans):
        segments = [segment.model_copy(update={"spans": []}) for segment in sentence.segments]
        segments[-1] = segments[-1].model_copy(update={"spans": [where]})
        yield sentence.model_copy(update={"segments": segments})


def _quotations(sentence: Sentence, shown: Shown) -> Iterator[Sentence]:
    """What the cited sources say themselves."""
    own = dict.fromkeys(where.evidence_id for where in sentence.spans)
    for where in _likest(sentence, shown, own, lambda where: any(map(where.overlaps, sentence.spans))):
        yield cited(_spoken(where, sentence, shown), where, product_id=sentence.product_id)


def _spoken(where: Span, sentence: Sentence, shown: Shown) -> str:
    """A source's own words: an attribute in a sentence, all else as a quotation of who says it."""
    item, product = shown.evidence[where.evidence_id], shown.products.get(sentence.product_id or "")
    text = item.text[where.start : where.end]
    name, _, value = text.partition(": ")
    if read(text).attribute and product and item.product_id == product.id:
        return state(product.name, name, value.rstrip("."))
    return quoted(item.source_type, text)


def _likest(sentence: Sentence, shown: Shown, keys: Iterable[str], fits: Callable[[Span], bool]) -> list[Span]:
    """The likest sentences of evidence about the same product or the whole shop; none that gives orders."""
    items = [shown.evidence[key] for key in keys if key in shown.evidence]
    about = [item for item in items if sentence.product_id is None or item.product_id in {None, sentence.product_id}]
    told = [span(item, *at) for item in about for at in statement_spans(item) if not instructs(item.text[slice(*at)])]
    shared = [(_shared(sentence, where, shown), where) for where in told if fits(where)]
    likest = sorted(shared, key=lambda one: -one[0])[:_MOST_TRIED]
    return [where for share, where in likest if share >= _LEAST_SHARED]


def _shared(sentence: Sentence, where: Span, shown: Shown) -> float:
    """Share of a sentence's content words, its product's name left out, that a stretch of evidence has."""
    product = shown.products.get(sentence.product_id or "")
    said = read(sentence.text).content - read(product.name if product else "").content
    there = read(shown.evidence[where.evidence_id].text[where.start : where.end]).content
    return len(said & there) / len(said) if said else 0.0
