"""Prose: the sentences of running text that answer a clause, as the models read them."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from graph.answering.candidate import Candidate, cited, paragraph, remark, span
from graph.answering.facts import in_unit, price_of, verdict_of
from graph.answering.matching import DIVIDER, TableRow, row_at, row_sentence, statements
from graph.answering.reviews import RATING_LINE, is_statement
from graph.draft import Sentence, YesNo
from graph.language.injection import instructs
from graph.language.locale import phrases, word_class
from graph.language.places import countries_named
from graph.language.quantities import Joint, Written, joint_of, quantities
from graph.language.sentences import capitalised, ended, plural, quoted, the, with_article
from graph.language.terms import fold, terms, words
from graph.language.units import wanted_unit
from graph.parts import Question, Reader, Statement
from graph.retrieval.candidates import abroad, regions_elsewhere
from graph.retrieval.search import searchable_text, wordings
from graph.understanding.parsed_question import ParsedClause, decided_by_all
from ingestion.evidence import Evidence, Product, lines
from ingestion.source_types import POLICIES
from ingestion.spans import sentence_spans
from ingestion.statements import as_read
from ingestion.stems import stem


def prose_verdict(asked: ParsedClause, matches: Sequence[Statement], reader: Reader) -> YesNo | None:
    """The best statement's yes or no; none where one place has in stock what another is out of."""
    best = matches[0]
    hedged = any(phrases("hedged").search(match.text) for match in matches)
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
BETWEEN_ITEMS = re.compile(r"[()]|,? and |, ")
LEAST_ITEMS = 3
"""Items of what is an enumeration."""
STEP = re.compile(r"\d{1,6}[.)]\s")
BULLET = re.compile(r"[-•*]\s+")
ENDS = (".", "!", "?", ":")
"""Of a whole sentence, or of what introduces others."""
CONDITIONS = word_class("condition_openers") - {"when"}
"""Begin a heading under which something holds only then; "When refunds are paid" tells what stands below it."""
JOINED = (",", ";", " and", " or")
"""Ends of an item that go on in the next."""


def find_prose(
    asked: ParsedClause,
    read: Sequence[Statement],
    question: Question,
    kind: frozenset[str] = frozenset(),
) -> list[Candidate]:
    """The statements that may answer a clause, each quoted by itself; none where not one comes near.

    Args:
        asked: The clause.
        read: All statements, nearest first.
        question: The question that the clause is a part of.
        kind: What else a source must speak of.
    """
    named = proper_names(asked, question) | kind
    near = [
        one
        for one in takewhile(lambda one: one.score >= FARTHEST, read)
        if one.evidence.source_type not in NAMED_LINES
        and stands_alone(one)
        and named <= frozenset(terms(searchable_text(one.evidence)))
    ]
    if not near or near[0].score < LEAST:
        return []
    return [_candidate(asked, one) for one in near]


def _candidate(asked: ParsedClause, one: Statement) -> Candidate:
    """A statement as it is shown: a row of a table under its heads, a sentence with its conditions."""
    row = _row_of(one)
    told = [row_sentence(asked, one.evidence, row)] if row else _with_conditions(one.evidence, (one.start, one.end))
    first, *others = {quote.text: quote for quote in told}.values()
    first = _item_asked(asked, one) or first
    if one.evidence.source_type not in CUSTOMERS:  # a figure of theirs is often their own height or weight
        first = in_unit(first, first.text, wanted_unit(asked.text))
    return Candidate(
        blocks=(paragraph(first, *others),),
        score=one.score,
        source_type=one.evidence.source_type,
        statement=one,
    )


def told_together(asked: ParsedClause, chosen: Sequence[Candidate], question: Question, reader: Reader) -> Candidate:
    """Quoted statements as one answer, behind the yes or no that the first of them gives."""
    told = [one.statement for one in chosen if one.statement is not None]
    quotes = {one.text: one for candidate in chosen for block in candidate.blocks for one in block.sentences}
    best = told[0].evidence
    decided = asked.yes_no and best.source_type not in CUSTOMERS and not _of_part(best, asked, question)
    verdict = prose_verdict(asked, told, reader) if decided else None
    return replace(
        chosen[0],
        blocks=(paragraph(*([remark(verdict)] if verdict else []), *quotes.values()),),
        denied=verdict is YesNo.NO,
    )


def _of_part(item: Evidence, asked: ParsedClause, question: Question) -> bool:
    """Whether a rule is for a group of products, of which nobody spoke: sunscreens alone stay out of a country."""
    part = frozenset(terms(f"{item.category or ''} {item.brand or ''}"))
    return bool(part) and not (question.products or question.context) and part.isdisjoint(asked.terms)


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
    if one.evidence.source_type in POLICIES and (one.start, one.end) not in statements(one.evidence):
        return False
    if one.evidence.source_type == "review" and (RATING_LINE.match(text) or not is_statement(text)):
        return False
    answer = one.evidence.source_type == "qa"  # more than one sentence, of which some may ask
    asks = all(text[start:end].endswith("?") for start, end in sentence_spans(text)) if answer else text.endswith("?")
    step = not answer and STEP.match(text)
    unread = DIVIDER in text and _row_of(one) is None
    return not (step or unread or asks or _leads_in(one) or instructs(text))


def _leads_in(one: Statement) -> bool:
    """Whether a statement only introduces what follows."""
    following = one.evidence.text[one.end :].lstrip()
    return one.text.endswith(":") or (_is_open(one.text) and BULLET.match(following) is not None)


def proper_names(asked: ParsedClause, question: Question) -> frozenset[str]:
    """What a clause names by a capital inside it: what does not hold it answers something else.

    A value of a variant ("could I get Medium instead?") is no such name, as a rule for all variants does not hold it,
    nor is a city of a country in one of the shop's regions.
    """
    names = re.findall(r"(?<=[\w,] )[A-Z][\w-]*", asked.text)
    values = (value for product in question.products for value in product.variant_values)
    near = set(question.places).difference(abroad(question.places, question.regions))
    cities = (place for place, countries in countries_named(asked.text) if near.intersection(countries))
    others = map(terms, (*values, *cities))
    return frozenset(term for name in names for term in terms(name)).difference(*others) & asked.specific


def _item_asked(asked: ParsedClause, one: Statement) -> Sentence | None:
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
    return cited(text, *spans, product_id=one.evidence.product_id)


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


def without_rows_elsewhere(found: Sequence[Statement], question: Question) -> Sequence[Statement]:
    """Statements but for tables' rows of other regions than a question names; one that names none may ask for all."""
    elsewhere = regions_elsewhere(question.places, question.regions)
    if not elsewhere:
        return found
    rows = ((one, _row_of(one)) for one in found)
    return [one for one, row in rows if row is None or fold(row.cells[0]) not in elsewhere]


def _with_conditions(item: Evidence, own: tuple[int, int]) -> list[Sentence]:
    """A statement, and the sentences right after it that limit or continue it."""
    spans = statements(item)
    # A fact of two sentences belongs together.
    short = item.source_type in POLICIES and len(spans) <= SHORT_FACT
    index = spans.index(own) if own in spans else len(spans)
    following = takewhile(
        lambda at: short or phrases("limiting").match(item.text, *at) or phrases("demanding").search(item.text, *at),
        spans[index + 1 : index + MOST],
    )
    return [sentence_of(item, *at) for at in (own, *following)]


STATES = {"stock": "is are", "offer": "has have", "return_policy": "has have", "warranty": "has have"}
"""The verb that joins a product, one or many, and a noun phrase of a kind of evidence."""


def completed(text: str, item: Evidence) -> str | None:
    """The sentence that `PRODUCT: fragment` stands for; None where a text is none. Only a verb is added to it."""
    name, colon, fragment = text.partition(": ")
    if not (colon and fragment and item.product_id and item.title.casefold().startswith(name.casefold())):
        return None
    name = item.title[: len(name)]
    subject = capitalised(the(name))
    phrase = fragment.lower() if item.source_type == "stock" else f"{fragment[:1].lower()}{fragment[1:]}"
    if phrases("predicate").match(fragment):
        return ended(f"{subject} {phrase}")
    if item.source_type not in STATES:
        return None
    verb = STATES[item.source_type].split()[plural(name)]
    return ended(f"{subject} {verb} {phrase if verb in 'is are' or phrase.startswith('no ') else with_article(phrase)}")


def sentence_of(evidence: Evidence, start: int, end: int) -> Sentence:
    """A quoted sentence behind a condition that heads it; a fragment is completed where a shop writes `NAME: ...`."""
    if BULLET.match(evidence.text[start:end]):
        return _list_item(evidence, start, end)
    text = re.sub(r"^\d+[.)]\s+|^(?:Answer|Question):\s*", "", evidence.text[start:end])
    heading = _heading(evidence)
    if evidence.source_type in DOCUMENTS and CONDITIONS.intersection(words(heading)[:1]):
        text = f"{heading}: {text}"
    text = completed(text, evidence) or quoted(evidence.source_type, text)
    return cited(text, span(evidence, start, end), product_id=evidence.product_id)


def _list_item(evidence: Evidence, start: int, end: int) -> Sentence:
    """An item of a list behind what introduces the list, without which it says nothing.

    Items that only together end a sentence ("We refund it if") are told together.
    """
    text = evidence.text
    rows = list(lines(text))
    first = next((at for at in reversed(rows) if at[1] <= start and not BULLET.match(text, at[0])), None)
    line = text[slice(*first)] if first else ""
    listed = list(takewhile(lambda at: BULLET.match(text, at[0]), rows[rows.index(first) + 1 :])) if first else []
    whole = _is_open(line) and len(listed) > 1 and all(text.endswith(JOINED, *at) for at in listed[:-1])
    introduced = line.endswith(":") or whole
    items = listed if whole else [(start, end)]
    opening = line if introduced else f"{_heading(evidence)}:"
    told = " ".join([opening, *(BULLET.sub("", text[slice(*at)]) for at in items)])
    spans = [span(evidence, *at) for at in ([first] if first and introduced else []) + items]
    return cited(quoted("help_article", told), *spans, product_id=evidence.product_id)


def _heading(evidence: Evidence) -> str:
    return (evidence.section or evidence.title).rsplit(" > ", 1)[-1]


def _is_open(line: str) -> bool:
    """Whether a line is no whole sentence: what follows belongs to it."""
    return bool(line) and not line.endswith(ENDS)


GENERAL = frozenset(map(stem, word_class("asking_nothing")))


def find_overview(
    asked: ParsedClause, product: Product, evidence: Sequence[tuple[Evidence, float]]
) -> Candidate | None:
    """The start of the description and the price, for a clause that asks for nothing in particular."""
    if asked.terms - GENERAL or asked.quantity or asked.yes_no:
        return None
    for item, _ in evidence:
        if item.source_type == "description" and item.product_id == product.id:
            *_, (_, end) = sentence_spans(item.text)[:2]
            return Candidate(
                blocks=(paragraph(sentence_of(item, 0, end), *price_of(product, evidence)),),
                score=0.6,
                source_type="description",
            )
    return None
