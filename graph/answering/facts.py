"""Facts: what specifications and short facts of the shop answer, each in a sentence of its own."""

import re
from collections.abc import Sequence
from functools import lru_cache

from graph.answering.candidate import Candidate, cited, paragraph, remark, span
from graph.answering.matching import AttributeMatch, match_attributes, nearest_attribute
from graph.draft import Segment, Sentence, Span, YesNo
from graph.language.families import covered_terms, family_of
from graph.language.negation import excludes
from graph.language.quantities import converted
from graph.language.sentences import NO, YES, capitalised, ended, opening_of, plural, state, the, with_article
from graph.language.terms import fold, name_pattern, terms, words
from graph.language.units import wanted_unit, wanted_words
from graph.parts import Models, Reader
from graph.turn import Derived
from graph.understanding.bounds import decides
from graph.understanding.parsed_question import Form, ParsedClause
from ingestion.evidence import Evidence, Product
from ingestion.statements import as_read
from ingestion.stems import stem


def in_unit(sentence: Sentence, unit: str | None) -> Sentence:
    """A sentence with its first quantity told in another unit beside it, where one was asked for."""
    other = converted(sentence.text, unit) if unit else None
    if other is None:
        return sentence
    where = sentence.spans[0]
    derived = Derived(op="convert", of=[where.evidence_id], value=other)
    segments = [Segment(text=sentence.text.rstrip("."), spans=[where.model_copy(update={"derived": derived})])]
    return sentence.model_copy(update={"segments": [*segments, Segment(text=f", about {other}.")]})


STATES = {
    "stock": ("is", "are"),
    "offer": ("has", "have"),
    "return_policy": ("has", "have"),
    "warranty": ("has", "have"),
}
"""The verb that joins a product and a noun phrase of a kind of evidence."""
VERB = re.compile(
    r"(ships?|arrives?|comes?|includes?|costs?|has|have|is|are|can|will|takes?|leaves?|qualifies|supports?)\b",
    re.IGNORECASE,
)
CONTINUES = re.compile(r"(no|free|in|out|on|at|from|up|only|limited)\b", re.IGNORECASE)


def completed(text: str, evidence: Evidence, product: Product | None) -> str | None:
    """The sentence a fragment stands for; None where the text is a sentence already.

    Only text of the form `<product's name>: <fragment>` is completed, and only by a verb: the words stay the shop's.
    """
    if product is None or evidence.product_id != product.id:
        return None
    name, colon, rest = text.partition(": ")
    if not colon or fold(name.strip()) != fold(product.name):
        return None
    fragment = rest.strip()
    subject = capitalised(the(product.name))
    if VERB.match(fragment):
        return ended(f"{subject} {fragment[:1].lower()}{fragment[1:]}")
    if evidence.source_type not in STATES or not fragment:
        return None
    one, many = STATES[evidence.source_type]
    verb = many if plural(product.name) else one
    phrase = re.sub(r"^[A-Z](?=[a-z])", lambda first: first.group().lower(), fragment)
    if evidence.source_type == "stock":
        status, comma, rest_of_it = phrase.partition(",")
        phrase = f"{status.lower()}{comma}{rest_of_it}"
    if verb in ("has", "have") and not CONTINUES.match(phrase):
        phrase = with_article(phrase)
    return ended(f"{subject} {verb} {phrase}")


SURE = 0.75
"""Probability from which on yes or no is said: on shops unknown to the reader seven in eight are then right."""


def verdict_of(asked: ParsedClause, passage: str, reader: Reader) -> YesNo | None:
    """Yes or no where a passage decides a yes/no clause surely enough; None where it does not.

    What leaves a choice ("wood or plastic?"), denies something itself or holds on a condition ("if it was opened") is
    left to the words of the source.

    Args:
        asked: The clause.
        passage: Behind what names its source.
        reader: Reads both together.
    """
    if not asked.yes_no or asked.conditional or asked.negated or Form.CHOICE in asked.forms:
        return None
    [found] = reader.judge([(asked.text, passage)])
    return YesNo.YES if found.yes >= SURE else YesNo.NO if found.no >= SURE else None


STRUCTURED = ("spec", "datasheet")
NAMED, MEANT = "facts", "facts by meaning"
"""What finds attributes that have the words asked for, and one of other words."""
MARGIN = 0.06
"""Attributes this close to the best are asked for, too."""
MOST, PAIR = 3, 2
DIMENSIONS = frozenset(map(stem, "width height depth length thickness".split()))
SIDES = {
    stem(word): stem(side)
    for side, said in {"width": "wide broad", "height": "tall high", "depth": "deep", "length": "long"}.items()
    for word in [side, *said.split()]
} | {stem("thick"): stem("thickness"), stem("thickness"): stem("thickness")}
"""The one dimension that a word asks for."""
BARE = re.compile(r"\d+(?:[.,]\d+)*")
"""A figure without its unit."""
MEASURE = re.compile(r"(?<!\d)(?<!\d[.,])(\d+(?:[.,]\d+)*)\s*(?:-\s*)?([^\W\d_]+|%|\")")
"""A figure with its unit, read from its first digit on."""


def find_facts(
    asked: ParsedClause, product: Product, evidence: Sequence[tuple[Evidence, float]], models: Models
) -> Candidate | None:
    """The attributes that answer a clause about a product."""
    structured = [item for item, _ in evidence if item.source_type in STRUCTURED and item.product_id == product.id]
    matches = [match for match in match_attributes(asked, structured, models.encoder) if match.agreement >= 0]
    named = bool(matches) and _is_named(asked, matches[0])
    if named:
        best = matches[0]
        chosen = _chosen(asked, matches)
    elif meant := nearest_attribute(asked, product, matches, models.finder):
        best, chosen = meant, [meant]
    else:
        return None
    if _is_dimension(best) and Form.SIZES in asked.forms:
        return None
    sentences: list[Sentence] = []
    for index, match in enumerate(chosen):
        if index == 0 and asked.yes_no and (verdict := _verdict(asked, match, models.reader)):
            sentences.append(remark(verdict))
        sentences.append(_stated(product, match, wanted_unit(asked.text)))
    sentences += _unit_lacking(asked, chosen)
    return Candidate(
        blocks=(paragraph(*sentences),),
        score=best.score,
        source_type=best.evidence.source_type,
        attributes=tuple(match.name for match in chosen),
        settled=_boolean(best),
        denied=opening_of(best.value) in NO,
        evidence_ids=frozenset(match.evidence.evidence_id for match in chosen),
        finder=NAMED if named else MEANT,
    )


def _is_named(asked: ParsedClause, match: AttributeMatch) -> bool:
    """Whether an attribute has the words that were asked for; those that only frame a question are had by chance."""
    if not match.coverage or _uncovered(asked, match) - _inside_name(asked, match):
        return False
    if Form.EXISTENCE in asked.forms and _measures(match) and not asked.terms & frozenset(terms(match.name)):
        # Whether it has lights is not how light it is.
        return False
    return bool(asked.specific) or match.coverage >= 1


def _inside_name(asked: ParsedClause, match: AttributeMatch) -> frozenset[str]:
    """What a question puts between the words of an attribute's name: what it `keeps warm` is not asked about."""
    named = [stem(word) for word in words(match.name)]
    if not asked.yes_no or not _boolean(match) or len(named) != PAIR:
        return frozenset()
    said = [stem(word) for word in words(asked.text)]
    if not set(named) <= set(said):
        return frozenset()
    first, last = (said.index(word) for word in named)
    return frozenset(said[first + 1 : last]) if last - first == PAIR else frozenset()


def _chosen(asked: ParsedClause, matches: Sequence[AttributeMatch]) -> list[AttributeMatch]:
    """The best attribute and those as good; all the dimensions, when the size is asked for as a whole."""
    best = matches[0]
    if _is_dimension(best) and not asked.terms & frozenset(terms(best.name)):
        sides = _without_repeats([match for match in matches if _is_dimension(match)])
        wanted = {SIDES[term] for term in asked.terms if term in SIDES}
        return [match for match in sides if wanted & set(terms(match.name))] or sides[: MOST + 1]
    near = [m for m in matches if m.score >= best.score - MARGIN]
    good = [m for m in near if not _uncovered(asked, m) - _inside_name(asked, m)]
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
    segments = [Segment(text=said.removesuffix("."), spans=[where]), Segment(text=f", about {other}.")]
    return Sentence(segments=segments, product_id=product.id)


def _unit_lacking(asked: ParsedClause, chosen: Sequence[AttributeMatch]) -> list[Sentence]:
    """What the shop's information lacks: the unit of a measure, or the figure in the unit that was asked for."""
    words_ = wanted_words(asked.text)
    if all(_measures(match) and BARE.fullmatch(match.value.strip()) for match in chosen):
        return [remark(f"The shop states no unit for {'it' if len(chosen) == 1 else 'these figures'}.")]
    unit = wanted_unit(asked.text)
    told = any(
        (unit and converted(match.value, unit)) or words_.casefold() in match.value.casefold() for match in chosen
    )
    already = any(unit and name_pattern(unit, r"\d\s*-?", r"\b").search(match.value) for match in chosen)
    if not words_ or told or already:
        return []
    return [remark(f"The shop's information does not state it in {words_}.")]


def _measures(match: AttributeMatch) -> bool:
    family = family_of(match.name)
    return family is not None and family.measures


def _verdict(asked: ParsedClause, match: AttributeMatch, reader: Reader) -> YesNo | None:
    """What the value itself decides, else what it says to the question."""
    open_ = asked.forms & {Form.PERMISSION, Form.JUDGEMENT}
    if open_ and match.value[:1].isdigit() and asked.constraint is None:
        # How much there is of a thing says neither what can be done with it nor whether that is good.
        return polarity(asked, match)
    return polarity(asked, match) or verdict_of(asked, as_read(match.evidence, f"{match.name}: {match.value}"), reader)


def polarity(asked: ParsedClause, match: AttributeMatch) -> YesNo | None:
    """Yes or no where the attribute decides a yes/no clause; None where it does not."""
    holds = _holds(asked, match)
    return None if holds is None else YesNo.of(holds != asked.negated)


def _holds(asked: ParsedClause, match: AttributeMatch) -> bool | None:
    """Whether what a clause asks is so by the attribute's value; None where the value does not decide it."""
    if _boolean(match):
        return opening_of(match.value) in YES
    borne_out = decides(asked.constraint, match.name, match.value) if asked.constraint else None
    if borne_out is not None or (asked.constraint and asked.constraint.compares):
        return borne_out
    stated = MEASURE.findall(match.value.casefold())
    units = {unit for _, unit in stated}
    comparable = [(number, unit) for number, unit in _claimed(asked.text) if unit in units]
    figures = {term for term in asked.terms if term[0].isdigit()}
    listed = [word for word in words(match.value) if word[0].isdigit()]
    if figures and len(listed) > 1 and figures <= set(listed):
        return True
    if comparable and len(stated) == 1:
        return all(pair in stated for pair in comparable)
    return True if _names(asked, match) else None


def _names(asked: ParsedClause, match: AttributeMatch) -> bool:
    """Whether a value that denies nothing names what is asked for."""
    said = frozenset(terms(match.value))
    whole = asked.specific <= said | frozenset(terms(match.name))
    return bool(asked.specific & said) and whole and not asked.negated and not excludes(match.value)


def _uncovered(asked: ParsedClause, match: AttributeMatch) -> frozenset[str]:
    """Specific terms the attribute says nothing about; a figure in its own unit is a claim it can answer."""
    uncovered = asked.uncovered(covered_terms(match.name, match.value))
    claimed = _claimed(asked.text)
    if not uncovered or not claimed:
        return uncovered
    stated = {unit for _, unit in MEASURE.findall(match.value.lower())}
    named = asked.terms & covered_terms(match.name, "")
    comparable = any(unit in stated for _, unit in claimed) or any(
        named and number in match.value for number in {number for number, _ in claimed}
    )
    said = {term for number, unit in claimed for term in terms(f"{number} {unit}")} if comparable else set()
    return uncovered - said


@lru_cache(maxsize=64)
def _claimed(question: str) -> tuple[tuple[str, str], ...]:
    """The figures of a question with their units, read once for all attributes."""
    return tuple(MEASURE.findall(question.lower()))


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
