"""Mending: a right sentence with a wrong citation gets the right one; a wrong one gives way to what its source says.

Whatever comes of it passes the same verifier; its threshold is the same for all.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from graph.answering.candidate import cited, span
from graph.draft import Sentence, Span
from graph.language.injection import instructs
from graph.language.sentences import quoted, state
from graph.language.terms import terms
from graph.parts import Verifier
from ingestion.evidence import Evidence, Product
from ingestion.spans import sentence_spans

_LEAST_SHARED = 0.5
"""Share of a sentence's content words that another source must have to be its citation, or to stand in its place."""
_MOST_TRIED = 3
_LONGEST_NAME = 60


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
        verdict = self.verifier.verify(sentence, self.evidence, product)
        return sentence.model_copy(update={"support": verdict.support}) if verdict.accepted else None


def mended(sentence: Sentence, shown: Shown, *, quoting: bool) -> Sentence | None:
    """What may be shown in place of a refused sentence; None where nothing may.

    Args:
        sentence: As it was drafted.
        shown: What the turn may answer from.
        quoting: Whether a quotation may take its place: not in a step or a cell.
    """
    if any(where.derived for where in sentence.spans):
        return None  # what was counted is counted in all its sources, or is wrong
    tried = [*_cited_elsewhere(sentence, shown), *(_quotations(sentence, shown) if quoting else ())]
    for other in tried:
        accepted = shown.accepts(other)
        if accepted is not None and (other.text == sentence.text or other.text not in shown.said):
            shown.said.add(other.text)
            return accepted
    return None


def _cited_elsewhere(sentence: Sentence, shown: Shown) -> Iterator[Sentence]:
    """The sentence under the citations that have most of its words."""
    found = [
        (shared, place, where)
        for place, where in enumerate(_sentences(sentence, shown, list(shown.evidence)))
        if (shared := _shared(sentence, where, shown)) >= _LEAST_SHARED and where not in sentence.spans
    ]
    for _, _, where in sorted(found, key=lambda one: (-one[0], one[1]))[:_MOST_TRIED]:
        claims = [claim.model_copy(update={"spans": []}) for claim in sentence.claims]
        claims[-1] = claims[-1].model_copy(update={"spans": [where]})
        yield sentence.model_copy(update={"claims": claims})


def _quotations(sentence: Sentence, shown: Shown) -> Iterator[Sentence]:
    """What the cited sources say themselves, the likest first."""
    own = list(dict.fromkeys(where.evidence_id for where in sentence.spans))
    found = [
        (shared, -place, where)
        for place, where in enumerate(_sentences(sentence, shown, own))
        if any(_overlaps(where, drafted) for drafted in sentence.spans)
        and (shared := _shared(sentence, where, shown)) >= _LEAST_SHARED
    ]
    for _, _, where in sorted(found, key=lambda one: one[:2], reverse=True)[:_MOST_TRIED]:
        yield cited(_spoken(where, sentence, shown), where, product_id=sentence.product_id)


def _spoken(where: Span, sentence: Sentence, shown: Shown) -> str:
    """A source's own words: an attribute in a sentence, all else as a quotation of who says it."""
    item, product = shown.evidence[where.evidence_id], shown.products.get(sentence.product_id or "")
    text = item.text[where.start : where.end]
    name, colon, value = text.partition(": ")
    if colon and product and item.product_id == product.id and len(name) <= _LONGEST_NAME and "\n" not in text:
        return state(product.name, name, value.rstrip("."))
    return quoted(item.source_type, text)


def _sentences(sentence: Sentence, shown: Shown, keys: list[str]) -> Iterator[Span]:
    """All sentences of evidence about the same product or the whole shop; none that gives orders."""
    for key in keys:
        item = shown.evidence.get(key)
        if item is not None and (sentence.product_id is None or item.product_id in {None, sentence.product_id}):
            for start, end in sentence_spans(item.text):
                if not instructs(item.text[start:end]):
                    yield span(item, start, end)


def _shared(sentence: Sentence, where: Span, shown: Shown) -> float:
    """Share of a sentence's content words, its product's name left out, that a stretch of evidence has."""
    product = shown.products.get(sentence.product_id or "")
    said = set(terms(sentence.text)) - set(terms(product.name if product else ""))
    item = shown.evidence[where.evidence_id]
    there = set(terms(item.text[where.start : where.end]))
    return len(said & there) / len(said) if said else 0.0


def _overlaps(one: Span, other: Span) -> bool:
    return one.evidence_id == other.evidence_id and one.start < other.end and other.start < one.end
