"""Answers from structured facts: a sentence that says the attribute, not the line it stands in."""

import re
from collections.abc import Sequence

from graph.answering.asked import Asked
from graph.answering.candidate import Candidate, cited, paragraph, remark, span
from graph.answering.matching import AttributeMatch, match_attributes
from graph.draft import Claim, Sentence, Span
from graph.language.families import covered_terms
from graph.language.sentences import NO, YES, opening_of, state
from graph.language.terms import stem, terms, words
from graph.language.units import converted, wanted_unit
from graph.parts import Encoder
from graph.turn import Derived
from ingestion.evidence import Evidence, Product

STRUCTURED = ("spec", "datasheet")
BOOLEAN_FIRST = 0.08
"""Added to attributes that say yes or no where that is asked."""
MARGIN = 0.06
"""Attributes this close to the best are asked for, too."""
MOST = 3
DIMENSIONS = frozenset(map(stem, "width height depth length thickness".split()))
MEASURE = re.compile(r"(\d+(?:[.,]\d+)*)\s*-?\s*([^\W\d_]+|%|\")")


def find_facts(
    asked: Asked, product: Product, evidence: Sequence[tuple[Evidence, float]], encoder: Encoder
) -> Candidate | None:
    """The attributes that answer a clause about a product."""
    structured = [item for item, _ in evidence if item.source_type in STRUCTURED and item.product_id == product.id]
    matches = match_attributes(asked, structured, encoder)
    if asked.yes_no:
        matches.sort(key=lambda match: -(match.score + (BOOLEAN_FIRST if _boolean(match) else 0.0)))
    if not matches or not matches[0].coverage or _uncovered(asked, matches[0]):
        return None
    best = matches[0]
    chosen = _chosen(asked, matches)
    sentences: list[Sentence] = []
    for index, match in enumerate(chosen):
        if index == 0 and asked.yes_no and (verdict := polarity(asked, match)):
            sentences.append(remark(verdict))
        sentences.append(_stated(product, match, wanted_unit(asked.text)))
    return Candidate(
        blocks=(paragraph(*sentences),),
        score=best.score,
        source_type=best.evidence.source_type,
        attributes=tuple(match.name for match in chosen),
        settled=_boolean(best),
        denied=opening_of(best.value) in NO,
        evidence_ids=frozenset(match.evidence.evidence_id for match in chosen),
    )


def _chosen(asked: Asked, matches: Sequence[AttributeMatch]) -> list[AttributeMatch]:
    """The best attribute and those as good; all the dimensions, when the size is asked for as a whole."""
    best = matches[0]
    if _is_dimension(best) and not asked.terms & frozenset(terms(best.name)):
        return _without_repeats([match for match in matches if _is_dimension(match)])[: MOST + 1]
    good = [m for m in matches if m.score >= best.score - MARGIN and not _uncovered(asked, m)]
    alike = [match for match in good if _boolean(match) == _boolean(best)]
    return _without_repeats(alike)[: MOST if asked.specific else 1]


def _is_dimension(match: AttributeMatch) -> bool:
    return {stem(word) for word in words(match.name)} <= DIMENSIONS


def _stated(product: Product, match: AttributeMatch, unit: str | None) -> Sentence:
    """The attribute in a sentence, with a conversion beside it where another unit was asked for."""
    said = state(product.name, match.name, match.value)
    other = converted(match.value, unit) if unit else None
    if other is None:
        return cited(said, _span(match), product_id=product.id)
    derived = Derived(op="convert", of=[match.evidence.evidence_id], value=other)
    where = _span(match).model_copy(update={"derived": derived})
    claims = [Claim(text=said.removesuffix("."), spans=[where]), Claim(text=f", about {other}.")]
    return Sentence(claims=claims, product_id=product.id)


def polarity(asked: Asked, match: AttributeMatch) -> str | None:
    """`Yes.` or `No.` where the attribute decides a yes/no clause; None where it does not."""
    value = match.value.casefold()
    if _boolean(match):
        return "Yes." if (opening_of(match.value) in YES) != asked.negated else "No."
    claimed = MEASURE.findall(asked.text.lower())
    stated = MEASURE.findall(value)
    comparable = [(number, unit) for number, unit in claimed if any(unit == other for _, other in stated)]
    figures = {term for term in asked.terms if term[0].isdigit()}
    listed = [word for word in words(value) if word[0].isdigit()]
    if figures and len(listed) > 1 and figures <= set(listed):
        return "Yes."
    if comparable and len(stated) == 1:
        return "Yes." if all(pair in stated for pair in comparable) else "No."
    said = frozenset(terms(match.value))
    if asked.specific & said and not asked.negated and asked.specific <= said | frozenset(terms(match.name)):
        return "Yes."
    return None


def _uncovered(asked: Asked, match: AttributeMatch) -> frozenset[str]:
    """Specific terms the attribute says nothing about; a figure in its own unit is a claim it can answer."""
    claimed = {term for number, unit in MEASURE.findall(asked.text.lower()) for term in terms(f"{number} {unit}")}
    stated = {unit for _, unit in MEASURE.findall(match.value.lower())}
    figures = {number for number, _ in MEASURE.findall(asked.text.lower())}
    comparable = any(unit in stated for _, unit in MEASURE.findall(asked.text.lower())) or any(
        number in match.value for number in figures
    )
    return asked.uncovered(covered_terms(match.name, match.value)) - (claimed if comparable else set())


def _boolean(match: AttributeMatch) -> bool:
    return opening_of(match.value) in YES | NO


def _span(match: AttributeMatch) -> Span:
    return span(match.evidence, match.start, match.end)


def _without_repeats(matches: Sequence[AttributeMatch]) -> list[AttributeMatch]:
    """Drop a datasheet's line that says what the specification says."""
    seen: set[tuple[str, str]] = set()
    kept = []
    for match in matches:
        key = (match.name.casefold(), match.value.casefold())
        if key not in seen:
            kept.append(match)
        seen.add(key)
    return kept
