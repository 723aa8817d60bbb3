"""Facts: what primary sources say about a sensitive question, or near it, in their own words."""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import islice

from graph.answering.candidate import cited, span
from graph.answering.matching import attribute_lines, spoken_of_product
from graph.answering.prose import sentence_of
from graph.draft import Sentence
from graph.language.sentences import capitalised, the
from graph.parts import Question, Verifier
from graph.sensitive.claims import AskedClaim, claims_in
from graph.sensitive.sources import at_hand
from graph.sensitive.statements import STRUCTURED
from graph.sensitive.wording import tokens
from ingestion.evidence import Evidence, Product
from ingestion.source_types import SOURCE_TABLE
from ingestion.spans import sentence_spans

TIMES = frozenset(token.lstrip("1") for token in tokens("1 day, 1 week, 1 month, 1 year"))
"""Units that tell an age."""
UNTELLING = frozenset({"Brand", "Category", "Price"})
FACTS = 2
"""How many are told."""


@dataclass(frozen=True, slots=True)
class KnownFacts:
    """What is known, as sentences not yet verified.

    Attributes:
        direct: Statements about exactly what was asked.
        near: Attributes of the same topic, and sentences that name what it is about, the closest first; where there is
            none, those that make a claim of the same class.
    """

    direct: tuple[Sentence, ...]
    near: tuple[Sentence, ...]


def known_facts(asked: Sequence[AskedClaim], question: Question) -> KnownFacts:
    """What the product's own primary sources say."""
    direct: list[Sentence] = []
    near: list[tuple[int, Sentence]] = []
    alike: list[Sentence] = []
    product = at_hand(question)
    if product is None:
        return KnownFacts((), ())
    sources = (item for item, _ in question.evidence if item.primary and item.product_id == product.id)
    classes = {claim.kind: claim.rules for one in asked for claim in one.claims}
    for item in sources:
        for sentence, text in _said(item, product):
            said = set(tokens(text))
            structured = item.source_type in STRUCTURED
            if any(_answers(one, said) or (structured and _measures(one, said)) for one in asked):
                direct.append(sentence)
            elif any(one.is_about(said) and (structured or one.specific & said) for one in asked):
                near.append((max(len(one.topic & said) for one in asked), sentence))
            elif structured and claims_in(text, classes):
                alike.append(sentence)
    closest = [sentence for _, sentence in sorted(near, key=lambda pair: -pair[0])]
    return KnownFacts(tuple(direct), tuple(closest or alike))


def supported(sentences: Sequence[Sentence], question: Question, verifier: Verifier) -> list[Sentence]:
    """The first few sentences that the verifier accepts, with their support."""
    evidence = {item.evidence_id: item for item, _ in question.evidence}
    product = at_hand(question)
    known = (one for one in sentences if all(where.evidence_id in evidence for where in one.spans))
    judged = ((one, verifier.verify(one, evidence, product)) for one in known)
    accepted = (one.model_copy(update={"support": verdict.support}) for one, verdict in judged if verdict.accepted)
    return list(islice(accepted, FACTS))


def _answers(asked: AskedClaim, said: set[str]) -> bool:
    """Whether a statement holds all that was asked for; of a limit, its figure and what it limits."""
    if not asked.is_about(said):
        return False
    limits = all(claim.rules.holds for claim in asked.claims)
    return (asked.named and asked.specific <= said) or (limits and any(token[0].isdigit() for token in said))


def _measures(asked: AskedClaim, said: set[str]) -> bool:
    """Whether a statement gives a figure of the kind that was asked with: an age for an age."""
    return asked.is_about(said) and bool(_kinds(asked.specific) & _kinds(said))


def _kinds(found: AbstractSet[str]) -> set[str]:
    units = {re.sub(r"[\d.,]+", "", token) for token in found if token[0].isdigit()} - {""}
    return {"time" if unit in TIMES else unit for unit in units}


def _said(item: Evidence, product: Product) -> Iterator[tuple[Sentence, str]]:
    """Each attribute or sentence of a source as it is shown, and its own words."""
    rows = attribute_lines(item) if item.source_type in STRUCTURED else []
    label = SOURCE_TABLE[item.source_type].label
    for name, value, start, end in rows:
        if name not in UNTELLING:
            line = f"{name}: {value}"
            shown = f"{capitalised(label)} of {the(product.name)} says “{line}”."
            yield cited(shown, span(item, start, end), product_id=product.id), line
    lines = {row[2:] for row in rows}
    for start, end in sentence_spans(item.text):
        if (start, end) not in lines:
            yield sentence_of(item, start, end, product), spoken_of_product(item, item.text[start:end])
