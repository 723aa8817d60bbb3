"""Articles: what a word means, how a thing works, and what a product is in general."""

import re
from collections.abc import Sequence

from graph.answering.candidate import Candidate, cited, paragraph, span
from graph.answering.matching import attribute_lines
from graph.answering.prose import sentence_of
from graph.draft import Sentence
from graph.language.sentences import quoted, state
from graph.language.terms import terms
from graph.understanding.parsed_question import Form, ParsedClause
from ingestion.evidence import GLOSSARY, Evidence, Product
from ingestion.spans import sentence_spans
from ingestion.stems import stem

FRAME = frozenset({"mean", "explain", "defin"})
DEFINED = 0.95


def find_definition(asked: ParsedClause, evidence: Sequence[tuple[Evidence, float]]) -> Candidate | None:
    """The meaning of the word a clause asks about and nothing else."""
    if Form.MEANING not in asked.forms:
        return None
    wanted = asked.terms - FRAME
    for item, _ in evidence:
        if item.section == GLOSSARY and wanted and wanted == frozenset(terms(item.title)):
            said = [
                cited(quoted("help_article", item.text[start:end]), span(item, start, end))
                for start, end in sentence_spans(item.text)
            ]
            return Candidate(
                blocks=(paragraph(*said),),
                score=DEFINED,
                source_type="help_article",
                evidence_ids=frozenset({item.evidence_id}),
            )
    return None


WORKING = re.compile(
    r"(?i)\bhow (?:do|does) (?:the |your |this |a |an )?(?P<it>[^,;.?!]{1,200}?) works?\b"
    r"|\bhow (?:the|your) (?P<told>[^,;.?!]{1,200}?) works?\b"
    r"|\bexplain (?:the |your )?(?P<explained>[^,;.?!]+)"
)
SCORE = 0.8
OPENING = 3


def find_workings(asked: ParsedClause, evidence: Sequence[tuple[Evidence, float]]) -> Candidate | None:
    """What an article says first of its matter, where a clause asks how that works and nothing else."""
    found = WORKING.search(asked.text)
    wanted = frozenset(terms(found[found.lastgroup or 0])) if found else frozenset()
    if not wanted or not asked.specific <= wanted:
        return None
    about = [item for item, _ in evidence if item.source_type == "help_article" and _is_about(item, wanted)]
    first = min(about, key=_place, default=None)
    if first is None or not (spans := _sentences(first)):
        return None
    said = [cited(quoted("help_article", first.text[start:end]), span(first, start, end)) for start, end in spans]
    return Candidate(
        blocks=(paragraph(*said),),
        score=SCORE,
        source_type="help_article",
        evidence_ids=frozenset({first.evidence_id}),
    )


def _is_about(item: Evidence, wanted: frozenset[str]) -> bool:
    """Whether the title of an article names a matter, or one of its keywords is nothing else."""
    return wanted <= frozenset(terms(item.title)) or any(wanted == frozenset(terms(word)) for word in item.keywords)


def _place(item: Evidence) -> tuple[str, int]:
    return item.row_id, int(item.evidence_id.rpartition("#")[2]) if "#" in item.evidence_id else 0


def _sentences(item: Evidence) -> list[tuple[int, int]]:
    """The first sentences of a chunk, without headings and lists."""
    spans = sentence_spans(item.text)
    return [at for at in spans if item.text[slice(*at)].endswith((".", "!")) and item.text[at[0]].isalpha()][:OPENING]


SENTENCES = 2
GENERAL = frozenset(
    map(
        stem,
        "tell show give info information detail details overview summary describe description product item".split(),
    )
)


def find_overview(
    asked: ParsedClause, product: Product, evidence: Sequence[tuple[Evidence, float]]
) -> Candidate | None:
    """The start of the description, for a clause that asks for nothing in particular ("tell me about it")."""
    if asked.terms - GENERAL or asked.quantity or asked.yes_no:
        return None
    for item, _ in evidence:
        if item.source_type == "description" and item.product_id == product.id:
            spans = sentence_spans(item.text)[:SENTENCES]
            said = sentence_of(item, spans[0][0], spans[-1][1], product)
            return Candidate(
                blocks=(paragraph(said, *price_of(product, evidence)),),
                score=0.6,
                source_type="description",
                evidence_ids=frozenset({item.evidence_id}),
            )
    return None


def price_of(product: Product, evidence: Sequence[tuple[Evidence, float]]) -> list[Sentence]:
    """The price in a sentence, if the specification states one."""
    return [
        cited(state(product.name, name, value), span(item, start, end), product_id=product.id)
        for item, _ in evidence
        if item.source_type == "spec" and item.product_id == product.id
        for name, value, start, end in attribute_lines(item)
        if name == "Price"
    ]
