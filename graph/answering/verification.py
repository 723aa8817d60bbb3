"""The lexical verifier: a sentence may say only what the words and figures of its own citations say."""

import re
from collections.abc import Mapping

from graph.answering.reviews import aspect_words
from graph.answering.tables import rows_of
from graph.draft import Sentence
from graph.language.families import covered_terms
from graph.language.sources import source_kinds
from graph.language.terms import stem, terms, words
from graph.parts import Verdict
from ingestion.evidence import Evidence, Product

LEAST_SUPPORT = 0.7
SCALE = 5
"""Stars a review can give."""
FRAME = frozenset(
    map(
        stem,
        """seller describes lists writes manual says customer customers review reviews judge judges mention
        mentions report reports positive critical neutral average share both comes come costs cost weighs weigh
        stock price made makes run runs q all separately sells shop pros cons for against yes no these variants
        specification covers""".split(),
    )
)
"""Stems of the words with which answers are framed; they state nothing of the product."""
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
NEGATION = re.compile(r"(?i)\b(not|no|never|cannot|without|none|neither|nor)\b|n['’]t\b")


class LexicalVerifier:
    """Accepts a sentence when its content words and all its figures occur in what it cites."""

    def verify(self, sentence: Sentence, evidence: Mapping[str, Evidence], product: Product | None) -> Verdict:
        """Judge one sentence; one without factual content passes, one without citations does not."""
        if not sentence.factual:
            return Verdict(support=1.0, accepted=True)
        if not sentence.spans or not _about(sentence, evidence):
            return Verdict(support=0.0, accepted=False, failing=tuple(words(sentence.text)))
        cited = _cited_text(sentence, evidence)
        allowed = _allowed(cited, sentence, evidence, product)
        said = [term for term in terms(sentence.text) if term not in FRAME and not term[0].isdigit()]
        failing = tuple(dict.fromkeys(term for term in said if term not in allowed))
        figures = _figures(sentence.text) - _figures(_figure_sources(cited, sentence, product))
        negation = bool(NEGATION.search(sentence.text)) and not _negated(f"{cited} {_named(sentence, evidence)}")
        support = 1.0 - len(failing) / len(set(said)) if said else 1.0
        accepted = support >= LEAST_SUPPORT and not figures and not negation
        return Verdict(support=round(support, 4), accepted=accepted, failing=(*failing, *sorted(figures)))


def _about(sentence: Sentence, evidence: Mapping[str, Evidence]) -> bool:
    """No citation about one product supports a sentence about another."""
    about = {evidence[span.evidence_id].product_id for span in sentence.spans} - {None}
    return sentence.product_id is None or about <= {sentence.product_id}


def _cited_text(sentence: Sentence, evidence: Mapping[str, Evidence]) -> str:
    return "\n".join(evidence[span.evidence_id].text[span.start : span.end] for span in sentence.spans)


def _named(sentence: Sentence, evidence: Mapping[str, Evidence]) -> str:
    """What the cited sources are called: a list's heading stands outside the item that is cited."""
    shown = [evidence[span.evidence_id] for span in sentence.spans]
    return " ".join(f"{item.title} {item.section or ''}" for item in shown)


def _allowed(cited: str, sentence: Sentence, evidence: Mapping[str, Evidence], product: Product | None) -> set[str]:
    allowed = set(terms(cited)) | set(terms(_named(sentence, evidence)))
    allowed |= {stem(word) for span in sentence.spans for word in span.evidence_id.split(":")[:1]}
    if product is not None:
        allowed |= {stem(word) for word in words(product.name)}
    allowed |= {term for span in sentence.spans for term in terms(_heads(evidence[span.evidence_id], span.start))}
    for line in cited.splitlines():
        name, colon, value = line.partition(":")
        if colon:
            allowed |= covered_terms(name, value)
    for kind in {span.evidence_id.split(":", 1)[0] for span in sentence.spans}:
        allowed |= source_kinds()[kind].cues
    derived = [span.derived for span in sentence.spans if span.derived]
    if any(item.op == "count" for item in derived):
        allowed |= aspect_words()
    return allowed | {term for item in derived for term in terms(str(item.value))}


def _heads(item: Evidence, start: int) -> str:
    """The heads of the table that a cited row belongs to."""
    return next((" ".join(row.heads) for row in rows_of(item) if row.start == start), "")


def _figures(text: str) -> set[str]:
    return {number.replace(",", "").rstrip(".") for number in NUMBER.findall(text)}


def _figure_sources(cited: str, sentence: Sentence, product: Product | None) -> str:
    """Where a figure may come from: the cited words, the product's name, and what was computed."""
    derived = [span.derived for span in sentence.spans if span.derived]
    counts = [len(item.of) for item in derived if item.op == "count"]
    computed = " ".join(f"{_plain(item.value)} {len(item.of)}" for item in derived) + f" {sum(counts)} {SCALE}"
    return f"{cited} {product.name if product else ''} {computed}"


def _plain(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _negated(cited: str) -> bool:
    return bool(NEGATION.search(cited)) or bool(re.search(r"(?i):\s*(no|none|false|n)\b", cited))
