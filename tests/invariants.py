"""Invariants: what holds of every turn, whatever was asked."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from app.assistant import Assistant
from app.errors import UnknownSourceError
from app.presentation import is_rule
from evals.metrics.texts import without_markers
from graph.turn import Citation, Derived, Style, Turn
from ingestion.errors import KnowledgeError
from ingestion.evidence import Product

_MARKER = re.compile(r"\[(\d+)\]")
_LEAD = re.compile(r"\A(?:[-*•]|\d+[.)])\s+")


def unaccounted(turn: Turn, style: Style) -> list[str]:
    """Check that the answer is made of the turn's sentences.

    Args:
        turn: What was answered.
        style: How it was asked for; other styles than `text` have no markers to look past.

    Returns:
        Where they part, in words. Every cell of a table is a sentence, its column heads and row names are not; list
        bullets and step numbers belong to neither.
    """
    rest = _one_line(" ".join(_parts(_unmarked(turn.answer, style))))
    for sentence in turn.sentences:
        text = _one_line(_unmarked(sentence.text, style))
        bare = _LEAD.sub("", text)
        begin = next((known for known in (text, bare) if rest.startswith(known)), None)
        if begin is None:
            return [f"where the sentence {sentence.text!r} should stand, the answer has {rest[: len(text) + 20]!r}"]
        rest = rest[len(begin) :].lstrip()
    return [f"after the last sentence, the answer has {rest!r}"] if rest else []


def _unmarked(text: str, style: Style) -> str:
    return without_markers(text) if style == "text" else text


def _one_line(text: str) -> str:
    return " ".join(text.replace("**", "").split())


def _parts(answer: str) -> Iterator[str]:
    """The lines of an answer without bullets and numbers; of a table, its cells."""
    head = True
    for line in map(str.strip, answer.splitlines()):
        if not line.startswith("|"):
            head = True
            yield _LEAD.sub("", line)
        elif head:
            head = False
        elif not is_rule(line):
            yield from line.strip("|").split("|")[1:]


Lookup = Callable[[str], Mapping[str, Any] | None]
"""From an evidence id to the evidence's fields; None when there is none of that id."""

Catalog = Mapping[str, Sequence[str]]
"""Products by id: the full name, and then the other names customers use."""

NO_CATALOG: Catalog = MappingProxyType({})

_QUOTATION = re.compile("\u201c[^\u201c\u201d]*\u201d")
_ROUNDING = 0.051
"""A mean is shown with one decimal."""


def violations(turn: Turn, lookup: Lookup, style: Style = "text", catalog: Catalog = NO_CATALOG) -> list[str]:
    """Check everything that must hold of any turn.

    Args:
        turn: What was answered.
        lookup: Opens the evidence that it cites.
        style: How the answer was asked for; only `text` shows markers.
        catalog: The shop's products, by whose names a sentence about another product is known.

    Returns:
        What is broken, in words; empty when nothing is.
    """
    checks = (_markers(turn, style), _citations(turn, lookup), _sentences(turn), _outcome(turn), _scope(turn, catalog))
    found = [message for check in checks for message in check]
    return found + unaccounted(turn, style) + list(_figures(turn))


def _markers(turn: Turn, style: Style) -> Iterator[str]:
    """Every `[n]` is one citation's, numbered by first appearance."""
    shown = list(dict.fromkeys(map(int, _MARKER.findall(turn.answer))))
    numbers = [citation.marker for citation in turn.citations]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"the citations are numbered {numbers}, not from 1 on"
    if style != "text":
        if shown:
            yield f"markers {shown} stand in an answer of style {style}"
    elif shown != numbers:
        yield f"the answer shows the markers {shown} first in this order, the citations are {numbers}"
    spans = [(one.evidence_id, one.start, one.end) for one in turn.citations]
    if len(set(spans)) < len(spans):
        yield "one span has several markers"


def _citations(turn: Turn, lookup: Lookup) -> Iterator[str]:
    """Every citation is what its evidence says, and every figure recomputes."""
    for one in turn.citations:
        source = lookup(one.evidence_id)
        if source is None:
            yield f"[{one.marker}] cites {one.evidence_id}, which does not resolve"
            continue
        if not one.quote or source["text"][one.start : one.end] != one.quote:
            yield f"[{one.marker}] quotes {one.quote!r}, the source has {source['text'][one.start : one.end]!r}"
        for name in ("source_type", "product_id"):
            if getattr(one, name) != source[name]:
                yield f"[{one.marker}] has the {name} {getattr(one, name)!r}, its source {source[name]!r}"
        if one.derived is not None:
            yield from _derivation(one, one.derived, lookup)


def _derivation(one: Citation, derived: Derived, lookup: Lookup) -> Iterator[str]:
    sources = [lookup(evidence_id) for evidence_id in derived.of]
    if not sources or None in sources:
        yield f"[{one.marker}] is derived from {derived.of}, of which some do not resolve"
    elif derived.op == "count":
        if len(set(derived.of)) != derived.value:
            yield f"[{one.marker}] counts {len(set(derived.of))} sources as {derived.value}"
    elif derived.op == "mean":
        ratings = [source["rating"] for source in sources if source and source["rating"] is not None]
        mean = sum(ratings) / len(ratings) if ratings else math.nan
        if len(ratings) < len(sources) or not abs(mean - float(derived.value)) < _ROUNDING:
            yield f"[{one.marker}] gives {derived.value} for a mean of {mean:.3f} over {len(ratings)} ratings"


def _sentences(turn: Turn) -> Iterator[str]:
    """Every factual sentence is cited and supported; every sentence's markers are citations."""
    numbers = {citation.marker for citation in turn.citations}
    for sentence in turn.sentences:
        if not set(sentence.citations) <= numbers:
            yield f"{sentence.text!r} cites {sentence.citations}, of which some are no citations"
        if sentence.factual and not sentence.citations:
            yield f"the factual sentence {sentence.text!r} is not cited"
        if sentence.factual and not 0 < sentence.support <= 1:
            yield f"the factual sentence {sentence.text!r} has the support {sentence.support}"
        if not sentence.factual and sentence.citations:
            yield f"{sentence.text!r} is cited and not factual"
    used = {marker for sentence in turn.sentences for marker in sentence.citations}
    if numbers - used:
        yield f"the citations {sorted(numbers - used)} belong to no sentence"


def _outcome(turn: Turn) -> Iterator[str]:
    """An outcome comes with what it promises."""
    factual = [sentence.text for sentence in turn.sentences if sentence.factual]
    if not turn.answer.strip():
        yield "the answer is empty"
    if turn.outcome == "clear" and not factual:
        yield "a clear answer states nothing"
    if turn.outcome == "no_answer" and turn.sentences and turn.sentences[0].factual:
        yield f"an answer that knows nothing begins with the fact {factual[0]!r}"
    if turn.outcome == "ambiguous" and (turn.clarification is None or not turn.clarification.question.strip()):
        yield "an ambiguous question is not asked back"
    if turn.outcome == "handoff" and turn.escalation is None:
        yield "a hand-off has no escalation"
    if turn.outcome == "handoff" and factual:
        yield f"a hand-off states {factual[0]!r}"


def _scope(turn: Turn, catalog: Catalog) -> Iterator[str]:
    """A citation about one product supports no sentence about another."""
    spoken_of = {product.id: [product.name] for product in turn.products}
    spoken_of |= {suggestion.product_id: [suggestion.name] for suggestion in turn.suggestions}
    known = {**spoken_of, **catalog}
    citations = {one.marker: one for one in turn.citations}
    for sentence in turn.sentences:
        cited = [citations[marker] for marker in sentence.citations if marker in citations]
        named, _ = _named(_without_quotations(sentence.text, [one.quote for one in cited]), known)
        said, rest = _named(sentence.text, known)
        for one in cited:
            about = named or set(spoken_of)
            if one.product_id is None or one.product_id in about | said:
                continue
            if not any(_stands_in(name, rest) for name in known.get(one.product_id, ())):
                whose = sorted(about) or "no product"
                yield f"{sentence.text!r} is about {whose} and cites [{one.marker}], about {one.product_id}"


def _without_quotations(text: str, quotes: Sequence[str]) -> str:
    """A sentence's own words: what others said in it may name any product."""
    text = _QUOTATION.sub(" ", text)
    for quote in quotes:
        text = text.replace(quote, " ")
    return text


def _named(text: str, catalog: Catalog) -> tuple[set[str], str]:
    """The products whose full names stand in a text, and the rest of it; a longer name hides the shorter one in it."""
    found: set[str] = set()
    for product_id, (name, *_) in sorted(catalog.items(), key=lambda item: -len(item[1][0])):
        if _stands_in(name, text):
            found.add(product_id)
            text = text.replace(name, " ")
    return found, text


def _stands_in(name: str, text: str) -> bool:
    return name in text and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _figures(turn: Turn) -> Iterator[str]:
    """Probabilities are probabilities."""
    total = sum(turn.intent.distribution.values())
    if turn.intent.distribution and not math.isclose(total, 1, abs_tol=0.01):
        yield f"the intents' probabilities sum to {total:.3f}"
    if not 0 <= turn.intent.entropy <= 1 + 1e-6:
        yield f"the entropy is {turn.intent.entropy}"
    if not 0 <= turn.confidence.score <= 1:
        yield f"the confidence is {turn.confidence.score}"


def violations_of(assistant: Assistant, turn: Turn, style: Style) -> list[str]:
    """The same of a turn of an assistant, with its sources and its catalog."""

    def lookup(evidence_id: str) -> Mapping[str, Any] | None:
        try:
            return asdict(assistant.source(evidence_id, turn.generation))
        except (UnknownSourceError, KnowledgeError):
            return None

    catalog = {product.id: _names(product) for product in assistant.products.values()}
    return violations(turn, lookup, style, catalog)


def _names(product: Product) -> list[str]:
    without_brand = product.name.removeprefix(product.brand or "").strip()
    return [product.name, without_brand, *product.aliases]
