"""Prose: the sentences of running text that answer a clause, as the models read them."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from graph.answering.candidate import Candidate, cited, paragraph, remark, span
from graph.answering.facts import completed, in_unit, verdict_of
from graph.answering.matching import DIVIDER, TableRow, attribute_lines, row_at, row_sentence
from graph.answering.reviews import RATING_LINE, is_statement
from graph.draft import Sentence, YesNo
from graph.language.injection import instructs
from graph.language.quantities import Joint, Written, joint_of, quantities
from graph.language.sentences import quoted
from graph.language.terms import terms
from graph.language.units import wanted_unit
from graph.parts import Question, Reader, Statement
from graph.retrieval.search import wordings
from graph.understanding.bounds import decided_by_all
from graph.understanding.parsed_question import ParsedClause
from ingestion.evidence import Evidence, Product, lines
from ingestion.source_types import POLICIES
from ingestion.spans import sentence_spans
from ingestion.statements import as_read
from ingestion.stems import stem

HEDGED = re.compile(r"(?i)\b(if|unless|except|only|may|might|some|sometimes|should)\b")


def prose_verdict(asked: ParsedClause, matches: Sequence[Statement], reader: Reader) -> YesNo | None:
    """The best statement's yes or no; none where one place has in stock what another is out of."""
    best = matches[0]
    hedged = any(HEDGED.search(match.text) for match in matches)
    if asked.constraint and asked.constraint.compares:
        return None if hedged or asked.negated else decided_by_all(asked.constraint, [match.text for match in matches])
    if hedged:
        return None
    read = matches if best.evidence.source_type == "stock" else matches[:1]
    verdicts = {verdict_of(asked, as_read(one.evidence, one.text), reader) for one in read}
    return verdicts.pop() if len(verdicts) == 1 else None


LEAST = 0.34
"""Score that the nearest statement must have, else none is taken for an answer."""
FARTHEST = 0.25
"""Score below which a statement is not told beside one that answers either."""
MOST = 3
"""Statements that are told together, and sentences of one statement with its conditions."""
SHORT_FACT = 2
CUSTOMERS = frozenset({"review", "qa"})
"""Kinds in which customers speak: a yes of theirs stands in their words alone."""
DOCUMENTS = frozenset({"help_article", "manual"})
NAMED_LINES = frozenset({"spec", "variant"})
"""Kinds whose lines are found by their names, not by what they come near to."""
PRICE = stem("price")
BETWEEN_ITEMS = re.compile(r"[()]|,? and |, ")
LEAST_ITEMS = 3
"""Items of what is an enumeration."""
STEP = re.compile(r"\d{1,6}[.)]\s")
BULLET = re.compile(r"[-•*]\s+")
DEMAND = re.compile(r"(?i)\b(must|have to|has to|need to|needs to|required)\b")
CONDITION = re.compile(
    r"(?i)(but|however|unless|except|only|if|it|this|they|these|after|before|otherwise|in that case|exceptions?|not"
    r" covered)\b"
)


def find_prose(
    asked: ParsedClause, product: Product | None, read: Sequence[Statement], question: Question
) -> list[Candidate]:
    """The statements that may answer a clause, each quoted by itself; none where not one comes near.

    Args:
        asked: The clause.
        product: The product it is about.
        read: All statements, nearest first.
        question: The question that the clause is a part of.
    """
    priced = asked.money or PRICE in asked.terms
    named = _names(asked) | (_kind_asked(question) if priced and product is None else frozenset())
    near = [
        one
        for one in takewhile(lambda one: one.score >= FARTHEST, read)
        if one.evidence.source_type not in NAMED_LINES and stands_alone(one) and _speaks_of(named, one.evidence)
    ]
    if not near or near[0].score < LEAST:
        return []
    return [_candidate(asked, one, product) for one in near]


def _candidate(asked: ParsedClause, one: Statement, product: Product | None) -> Candidate:
    first, *others = {quote.text: quote for quote in _quoted(asked, one, product)}.values()
    return Candidate(
        blocks=(paragraph(in_unit(first, wanted_unit(asked.text)), *others),),
        score=one.score,
        source_type=one.evidence.source_type,
        evidence_ids=frozenset({one.evidence.evidence_id}),
        statement=one,
    )


def told_together(asked: ParsedClause, chosen: Sequence[Candidate], reader: Reader) -> Candidate:
    """Quoted statements as one answer, behind the yes or no that the first of them gives."""
    told = [one.statement for one in chosen if one.statement is not None]
    quotes = {one.text: one for candidate in chosen for block in candidate.blocks for one in block.sentences}
    decided = asked.yes_no and told[0].evidence.source_type not in CUSTOMERS
    verdict = prose_verdict(asked, told, reader) if decided else None
    return replace(
        chosen[0],
        blocks=(paragraph(*([remark(verdict)] if verdict else []), *quotes.values()),),
        evidence_ids=frozenset[str]().union(*(one.evidence_ids for one in chosen)),
        denied=verdict is YesNo.NO,
    )


def wordings_of(asked: ParsedClause, product: Product | None, question: Question) -> list[str]:
    """The clause, and the customer's own words where it is all of the question."""
    whole = asked.text == question.standalone_query
    # A bare name, as when an option was clicked, asks nothing by itself.
    own = [question.query] if whole and not (product and question.query == product.name) else []
    texts = [asked.text, *own]
    return wordings(texts, [product] if product else [])


def stands_alone(one: Statement) -> bool:
    """Whether a statement can be quoted: no question, lead-in, heads of a table, title of a review or mere rating."""
    text = one.text
    if one.evidence.source_type in POLICIES and (one.start, one.end) in _stated(one.evidence):
        return False
    if one.evidence.source_type == "review" and (RATING_LINE.match(text) or not is_statement(text)):
        return False
    answer = one.evidence.source_type == "qa"  # more than one sentence, of which some may ask
    asks = all(text[start:end].endswith("?") for start, end in sentence_spans(text)) if answer else text.endswith("?")
    step = not answer and STEP.match(text)
    unread = DIVIDER in text and _row_of(one) is None
    return not (step or unread or asks or text.endswith(":") or instructs(text))


def _speaks_of(named: frozenset[str], item: Evidence) -> bool:
    """Whether a source speaks of all that is named."""
    return named <= frozenset(terms(" ".join([item.title, item.section or "", *item.keywords, item.text])))


def _kind_asked(question: Question) -> frozenset[str]:
    """What a question calls a kind of products ("blender price")."""
    return frozenset(terms(question.catalog.category[-1])) if question.catalog.category else frozenset()


def hard_terms(asked: ParsedClause) -> frozenset[str]:
    """Proper names and figures: an answer that does not hold them answers something else."""
    figures = re.findall(r"\d[\d.,]*", asked.text)
    return _names(asked) | frozenset(term for figure in figures for term in terms(figure)) & asked.specific


def _names(asked: ParsedClause) -> frozenset[str]:
    """What a clause names by a capital inside it."""
    names = re.findall(r"(?<=[\w,] )[A-Z][\w-]*", asked.text)
    return frozenset(term for name in names for term in terms(name)) & asked.specific


def _quoted(asked: ParsedClause, one: Statement, product: Product | None) -> list[Sentence]:
    """A statement as it is shown: a row of a table under its heads, a sentence with its conditions."""
    if row := _row_of(one):
        return [row_sentence(asked, one.evidence, row)]
    first, *others = _with_conditions(one.evidence, (one.start, one.end), product)
    return [_item_asked(asked, one, product) or first, *others]


def _item_asked(asked: ParsedClause, one: Statement, product: Product | None) -> Sentence | None:
    """Of what a statement lists behind a lead-in, the one item that holds the figure asked about, such as a size."""
    lead, colon, listed = one.text.partition(": ")
    wanted = [written for written in quantities(asked.text) if written.quantity.unit] if colon else []
    begin = one.start + len(lead) + len(colon)
    items = [(begin + start, begin + end) for start, end in _items(listed.rstrip(" ."))]
    holding = [at for at in items if any(_holds(one.evidence.text[slice(*at)], figure) for figure in wanted)]
    if len(items) < LEAST_ITEMS or len(holding) != 1:
        return None
    spans = (span(one.evidence, one.start, one.start + len(lead)), span(one.evidence, *holding[0]))
    text = quoted(one.evidence.source_type, f"{lead}: {one.evidence.text[slice(*holding[0])]}")
    about = product.id if product and one.evidence.product_id == product.id else one.evidence.product_id
    return cited(text, *spans, product_id=about)


def _items(listed: str) -> list[tuple[int, int]]:
    """Where the items of an enumeration stand; what is in brackets belongs to its item."""
    found, start, depth = list[tuple[int, int]](), 0, 0
    for between in BETWEEN_ITEMS.finditer(listed):
        depth += {"(": 1, ")": -1}.get(between[0], 0)
        if depth == 0 and between[0] != ")":
            found.append((start, between.start()))
            start = between.end()
    return [*found, (start, len(listed))]


def _holds(item: str, wanted: Written) -> bool:
    """Whether an item states a figure, or a range that it lies in."""
    stated = quantities(item)
    within = any(
        joint_of(item, low, high) is Joint.RANGE
        and high.quantity.unit == wanted.quantity.unit
        and float(low.quantity.value) <= float(wanted.quantity.value) <= float(high.quantity.value)
        for low, high in pairwise(stated)
        if low.quantity.is_number and high.quantity.is_number and wanted.quantity.is_number
    )
    return within or any(one.quantity == wanted.quantity for one in stated)


def _row_of(one: Statement) -> TableRow | None:
    """The row of a document's table that a statement is."""
    return row_at(one.evidence, one.start) if one.evidence.source_type in DOCUMENTS else None


def _with_conditions(item: Evidence, own: tuple[int, int], product: Product | None) -> list[Sentence]:
    """A statement, and the sentences right after it that limit or continue it."""
    stated = _stated(item)
    spans = [at for at in sentence_spans(item.text) if at not in stated or at == own]
    chosen = [own]
    index = spans.index(own) if own in spans else len(spans)
    for start, end in spans[index + 1 : index + MOST]:
        following = item.text[start:end]
        if not CONDITION.match(following) and not DEMAND.search(following) and not _short_fact(item, spans):
            break
        chosen.append((start, end))
    return [sentence_of(item, start, end, product) for start, end in chosen]


def _stated(item: Evidence) -> set[tuple[int, int]]:
    """Where attributes stand below what a source says."""
    return {at[2:] for at in attribute_lines(item) if at[2]}


def _short_fact(evidence: Evidence, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a fact is two sentences that belong together."""
    return evidence.source_type in POLICIES and len(spans) <= SHORT_FACT


def sentence_of(evidence: Evidence, start: int, end: int, product: Product | None) -> Sentence:
    """A quoted sentence, or a fragment completed to one where a shop writes `Name: fragment`."""
    if BULLET.match(evidence.text[start:end]):
        return _list_item(evidence, start, end, product)
    text = re.sub(r"^\d+[.)]\s+|^(?:Answer|Question):\s*", "", evidence.text[start:end])
    text = completed(text, evidence, product) or quoted(evidence.source_type, text)
    about = product.id if product and evidence.product_id == product.id else evidence.product_id
    return cited(text, span(evidence, start, end), product_id=about)


def _list_item(evidence: Evidence, start: int, end: int, product: Product | None) -> Sentence:
    """An item of a list behind what introduces the list, without which it says nothing."""
    text = BULLET.sub("", evidence.text[start:end])
    before = [at for at in lines(evidence.text) if at[1] <= start and not BULLET.match(evidence.text[slice(*at)])]
    spans = [span(evidence, start, end)]
    lead = (evidence.section or evidence.title).rsplit(" > ", 1)[-1]
    if before and evidence.text[slice(*before[-1])].endswith(":"):
        lead = evidence.text[slice(*before[-1])].removesuffix(":")
        spans.insert(0, span(evidence, *before[-1]))
    about = product.id if product and evidence.product_id == product.id else evidence.product_id
    return cited(quoted("help_article", f"{lead}: {text}"), *spans, product_id=about)
