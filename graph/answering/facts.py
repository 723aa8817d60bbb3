"""Facts: what specifications and short facts of the shop answer, each in a sentence of its own."""

import re
from collections.abc import Sequence
from dataclasses import replace

from graph.answering.candidate import Candidate, cited, paragraph, remark, span
from graph.answering.matching import AttributeMatch, attribute_lines, match_attributes
from graph.draft import Segment, Sentence, YesNo
from graph.language.families import covered_terms
from graph.language.locale import word_class
from graph.language.negation import denies, excludes
from graph.language.quantities import converted
from graph.language.sentences import NO, YES, opening_of, state
from graph.language.terms import clauses_of, name_pattern, terms, words
from graph.language.units import wanted_unit
from graph.parts import Models, Reader, Statement
from graph.trained import EVEN
from graph.turn import Derived
from graph.understanding.parsed_question import Form, ParsedClause, decides
from ingestion.compose import HEADS
from ingestion.evidence import Evidence, Product
from ingestion.statements import as_read
from ingestion.stems import stem


def in_unit(sentence: Sentence, text: str, unit: str | None) -> Sentence:
    """A sentence with the first quantity of what it tells in another unit beside it, where one was asked for."""
    other = converted(text, unit) if unit else None
    if other is None:
        return sentence
    where = sentence.spans[0]
    derived = Derived(op="convert", of=[where.evidence_id], value=other)
    segments = [Segment(text=sentence.text.rstrip("."), spans=[where.model_copy(update={"derived": derived})])]
    return sentence.model_copy(update={"segments": [*segments, Segment(text=f", about {other}.")]})


SURE = 0.75
"""Probability from which on yes or no is said: on shops unknown to the reader seven in eight are then right."""


def verdict_of(asked: ParsedClause, passage: str, reader: Reader) -> YesNo | None:
    """Yes or no where a passage decides a yes/no clause surely enough; None where it does not.

    The clause and its question alone must both be decided; of several denials one must decide by itself. What leaves a
    choice ("wood or plastic?"), denies something itself or holds on a condition ("if it was opened") is left to the
    words of the source.

    Args:
        asked: The clause.
        passage: Behind what names its source.
        reader: Reads both together.
    """
    if not asked.yes_no or asked.conditional or asked.negated or Form.CHOICE in asked.forms:
        return None
    found = reader.judge([(text, passage) for text in dict.fromkeys((asked.text, asked.question))])
    if all(one.yes >= SURE for one in found):
        return YesNo.YES
    if not all(one.no >= SURE for one in found):
        return None
    # "Kettles are not sent to Europe, and creams are not sent to Canada" is no No to kettles in Canada.
    denials = [clause for clause in clauses_of(passage) if denies(clause)]
    apart = reader.judge([(asked.question, denial) for denial in denials]) if len(denials) > 1 else found
    return YesNo.NO if any(one.no >= SURE for one in apart) else None


STRUCTURED = ("spec", "datasheet")
NAMED, MEANT = "facts", "facts by meaning"
"""What finds attributes that have the words asked for, and one of other words."""
KIND = HEADS[1]
"""The attribute that tells what a product is."""
MARGIN = 0.06
"""Attributes this close to the best are asked for, too."""
MOST = 3
DIMENSIONS = frozenset(map(stem, word_class("dimensions")))
FREE = re.compile(r"(?i)\bfree\b")
MEASURE = re.compile(r"(?<!\d)(?<!\d[.,])(\d+(?:[.,]\d+)*)\s*(?:-\s*)?([^\W\d_]+|%|\")")
"""A figure with its unit, read from its first digit on."""


def find_facts(
    asked: ParsedClause, product: Product, evidence: Sequence[tuple[Evidence, float]], models: Models
) -> Candidate | None:
    """The attributes that answer a clause about a product."""
    structured = [item for item, _ in evidence if item.source_type in STRUCTURED and item.product_id == product.id]
    matches = [one for one in match_attributes(asked, structured, models.encoder) if _concerns(one, asked)]
    while matches and _is_named(asked, matches[0]) and not _is_meant(asked, matches[0], product, models.reader):
        matches = matches[1:]
    if not matches or not _is_named(asked, matches[0]):
        return None
    best, chosen = matches[0], _chosen(asked, matches)
    sentences: list[Sentence] = []
    for index, match in enumerate(chosen):
        if index == 0 and asked.yes_no and (verdict := _verdict(asked, match, models.reader, named=True)):
            sentences.append(remark(verdict))
        sentences.append(in_unit(_stated(match, product), match.value, wanted_unit(asked.text)))
    return Candidate(
        blocks=(paragraph(*sentences),),
        score=best.score,
        source_type=best.evidence.source_type,
        attributes=tuple(match.name for match in chosen),
        settled=_boolean(best),
        denied=opening_of(best.value) in NO,
        finder=NAMED,
    )


def find_facts_by_meaning(product: Product, read: Sequence[Statement]) -> list[Candidate]:
    """Each attribute that comes near to what is asked, in whatever words."""
    own = [one for one in read if one.evidence.source_type in STRUCTURED and one.evidence.product_id == product.id]
    return [
        Candidate(
            blocks=(paragraph(_stated(match, product)),),
            score=match.score,
            source_type=match.evidence.source_type,
            attributes=(match.name,),
            finder=MEANT,
            statement=one,
        )
        for one in own
        for match in _matches_at(one)
        # What the name says anyway answers nothing, nor does the kind, which a customer sees.
        if not (match.name == KIND or frozenset(terms(match.value)) <= frozenset(terms(product.name)))
    ]


def _concerns(match: AttributeMatch, asked: ParsedClause) -> bool:
    """Whether an attribute may be what is asked for: what a product is says nothing of what it has or comes with."""
    named = not asked.terms.isdisjoint(terms(match.name))
    return match.name != KIND or named or (asked.yes_no and Form.EXISTENCE not in asked.forms)


def _matches_at(one: Statement) -> list[AttributeMatch]:
    """The attributes that a line states."""
    return [
        AttributeMatch(one.evidence, name, value, start, end, coverage=0.0, score=one.score)
        for name, value, start, end in attribute_lines(one.evidence)
        if (start, end) == (one.start, one.end)
    ]


def with_verdict(asked: ParsedClause, meant: Candidate, reader: Reader) -> Candidate | None:
    """An attribute found by meaning, behind the yes or no that it gives and in the unit that is asked for.

    None where it gives neither, though one is asked for.
    """
    (said,) = meant.blocks[0].sentences
    stated = _matches_at(meant.statement) if meant.statement else ()
    match = next(match for match in stated if match.name in meant.attributes)
    verdict = _verdict(asked, match, reader, named=False) if asked.yes_no else None
    if asked.yes_no and verdict is None:
        return None
    told = in_unit(said, match.value, wanted_unit(asked.text))
    return replace(
        meant,
        blocks=(paragraph(*([remark(verdict)] if verdict else []), told),),
        settled=_boolean(match),
        denied=opening_of(match.value) in NO,
    )


def _stated(match: AttributeMatch, product: Product) -> Sentence:
    where = span(match.evidence, match.start, match.end)
    return cited(state(product.name, match.name, match.value), where, product_id=product.id)


def _is_named(asked: ParsedClause, match: AttributeMatch) -> bool:
    """Whether an attribute has the words that were asked for; those that only frame a question are had by chance."""
    if not match.coverage or _uncovered(asked, match):
        return False
    return bool(asked.specific) or match.coverage >= 1


def _is_meant(asked: ParsedClause, match: AttributeMatch, product: Product, reader: Reader) -> bool:
    """Whether an attribute that a yes/no clause calls by another word is what it asks for.

    Whether it has lights is not how light it is.
    """
    if not asked.yes_no or not asked.terms.isdisjoint(terms(match.name)):
        return True
    # A question of several need not name its product, and is read alone.
    named = name_pattern(product.name).search(asked.question)
    question = asked.question if named else f"{product.name}: {asked.question}"
    (found,) = reader.judge([(question, as_read(match.evidence, f"{match.name}: {match.value}"))])
    return found.answers >= EVEN


def _chosen(asked: ParsedClause, matches: Sequence[AttributeMatch]) -> list[AttributeMatch]:
    """The best attribute and those as good; all the dimensions, when the size is asked for as a whole."""
    best = matches[0]
    near = [m for m in matches if m.score >= best.score - MARGIN]
    good = [m for m in near if not _uncovered(asked, m)]
    told: dict[tuple[str, str], AttributeMatch] = {}
    for match in good:
        if _boolean(match) == _boolean(best):
            # A datasheet may say what the specification says.
            told.setdefault((match.name.casefold(), match.value.casefold()), match)
    several = bool(asked.specific) or frozenset(terms(best.name)) <= DIMENSIONS
    return list(told.values())[: MOST if several else 1]


def _verdict(asked: ParsedClause, match: AttributeMatch, reader: Reader, *, named: bool) -> YesNo | None:
    """What the value itself decides, else what it says to the question."""
    # A yes to what has another name may be a no to what was asked.
    holds = _holds(asked, match) if named or not _boolean(match) else None
    if holds is not None:
        return YesNo.of(holds != asked.negated)
    if asked.forms & {Form.PERMISSION, Form.JUDGEMENT} and match.value[:1].isdigit() and asked.constraint is None:
        # How much there is of a thing says neither what can be done with it nor whether that is good.
        return None
    return verdict_of(asked, as_read(match.evidence, f"{match.name}: {match.value}"), reader)


def _holds(asked: ParsedClause, match: AttributeMatch) -> bool | None:
    """Whether what a clause asks is so by the attribute's value; None where the value does not decide it."""
    if _boolean(match):
        # "Nickel-free: Yes" is a no to "does it contain nickel".
        opposed = excludes(match.name) and not FREE.search(asked.text)
        return (opening_of(match.value) in YES) != opposed
    borne_out = decides(asked.constraint, match.name, match.value) if asked.constraint else None
    if borne_out is not None or (asked.constraint and asked.constraint.compares):
        return borne_out
    stated = MEASURE.findall(match.value.casefold())
    units = {unit for _, unit in stated}
    comparable = [(number, unit) for number, unit in MEASURE.findall(asked.text.casefold()) if unit in units]
    if comparable and len(stated) == 1:
        return all(pair in stated for pair in comparable)
    figures = {term for term in asked.terms if term[0].isdigit()}
    listed = {word for word in words(match.value) if word[0].isdigit()}
    if figures and len(listed) > 1 and figures <= listed:
        return True
    said = frozenset(terms(match.value))
    names = asked.specific & said and asked.specific <= said | frozenset(terms(match.name))
    return True if names and not asked.negated and not excludes(match.value) else None


def _uncovered(asked: ParsedClause, match: AttributeMatch) -> frozenset[str]:
    """Specific terms the attribute says nothing about; a figure in its own unit is a claim it can answer."""
    units = {unit for _, unit in MEASURE.findall(match.value.lower())}
    named = asked.terms & covered_terms(match.name, "")
    figures = MEASURE.findall(asked.text.lower())
    claimed = [f"{number} {unit}" for number, unit in figures if unit in units or (named and number in match.value)]
    return asked.uncovered(covered_terms(match.name, match.value)) - frozenset(terms(" ".join(claimed)))


def _boolean(match: AttributeMatch) -> bool:
    return opening_of(match.value) in YES | NO


def price_of(product: Product, evidence: Sequence[tuple[Evidence, float]]) -> list[Sentence]:
    """The price in a sentence, if the specification states one."""
    return [
        cited(state(product.name, name, value), span(item, start, end), product_id=product.id)
        for item, _ in evidence
        if item.source_type == "spec" and item.product_id == product.id
        for name, value, start, end in attribute_lines(item)
        if name == "Price"
    ]
