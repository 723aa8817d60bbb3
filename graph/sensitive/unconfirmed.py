"""Unconfirmed: what a sensitive question without primary evidence gets: neither yes nor no, but what is known."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import islice

from graph.answering.absence import ASK_TEAM, NEXT_STEP, nearest_known, unsettled
from graph.answering.candidate import cited, paragraph, remark, span
from graph.answering.matching import attribute_lines, spoken_of_product
from graph.answering.prose import sentence_of
from graph.draft import Draft, Sentence
from graph.language.sentences import capitalised, the
from graph.parts import Question, Verifier
from graph.sensitive.claims import AskedClaim, claims_in, tokens
from graph.sensitive.statements import STRUCTURED, at_hand, stated
from graph.turn import Suggestion
from graph.understanding.clauses import split_clauses
from ingestion.evidence import Evidence, Product
from ingestion.source_types import SOURCE_TABLE
from ingestion.spans import sentence_spans

UNTELLING = frozenset({"Brand", "Category", "Price"})
FACTS = 2
"""How many are told."""


def known_facts(asked: Sequence[AskedClaim], question: Question) -> tuple[list[Sentence], list[Sentence]]:
    """What the product's own primary sources say, as sentences not yet verified.

    Returns:
        Statements about exactly what was asked; and attributes of the same topic and sentences that name what it is
        about, the closest first; where there is none, those that make a claim of the same class.
    """
    product = at_hand(question)
    classes = {claim.kind: claim.rules for one in asked for claim in one.claims}
    direct: list[Sentence] = []
    near: list[tuple[int, Sentence]] = []
    for item, _ in question.evidence if product else ():
        if product is None or not item.primary or item.product_id != product.id:
            continue
        structured = item.source_type in STRUCTURED
        for sentence, text in _said(item, product):
            said = set(tokens(text))
            about = [one for one in asked if one.is_about(said)]
            if any(_is_answer(one, said, structured=structured) for one in about):
                direct.append(sentence)
            elif any(structured or one.specific & said for one in about):
                near.append((max(len(one.topic & said) for one in about), sentence))
            elif structured and claims_in(text, classes):
                near.append((0, sentence))
    closest = [pair for pair in near if pair[0]] or near
    return direct, [sentence for _, sentence in sorted(closest, key=lambda pair: -pair[0])]


def supported(sentences: Sequence[Sentence], question: Question, verifier: Verifier) -> list[Sentence]:
    """The first few sentences that the verifier accepts, with their support."""
    evidence = {item.evidence_id: item for item, _ in question.evidence}
    product = at_hand(question)
    known = (one for one in sentences if all(where.evidence_id in evidence for where in one.spans))
    judged = ((one, verifier.verify(one, evidence, product)) for one in known)
    accepted = (one.model_copy(update={"support": verdict.support}) for one, verdict in judged if verdict.accepted)
    return list(islice(accepted, FACTS))


def _is_answer(asked: AskedClaim, said: AbstractSet[str], *, structured: bool) -> bool:
    """Whether a statement on it holds all that was asked for; a limit or an age is answered by a figure."""
    if asked.named and asked.specific <= said:
        return True
    measured = structured and any(token[0].isdigit() and token[-1].isalpha() for token in asked.specific)
    limits = measured or all(claim.rules.holds for claim in asked.claims)
    return limits and any(token[0].isdigit() for token in said)


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
            yield sentence_of(item, start, end), spoken_of_product(item, item.text[start:end])


def confirmed(asked: AskedClaim, sources: Sequence[Evidence], *, yes: bool) -> bool:
    """Whether the sources give this answer to each claim that is asked for.

    A question that denies ("is it not safe?") is never confirmed: its yes and its no can be read both ways.
    """
    return all(not claim.denied and stated(claim, sources, denied=not yes) for claim in asked.claims)


CONFIDENCE, DIRECT = 0.3, 0.7
"""How sure a refusal is to be what was wanted, and a fact in the question's own words."""


def unconfirmed(draft: Draft, asked: Sequence[AskedClaim], question: Question, verifier: Verifier) -> Draft:
    """A refusal with the nearest thing a primary source does say, and a next step.

    Where a source's own words are about exactly what was asked, they are the answer, without a yes or no.
    """
    direct, near = (supported(facts, question, verifier) for facts in known_facts(asked, question))
    if direct:
        return _stating(direct, draft)
    near = near or supported(nearest_known(replace(question, intents=())), question, verifier)
    # The user's own words, where they ask nothing else.
    alone = len(split_clauses(question.query)) == 1
    texts = list(dict.fromkeys(question.query if alone else one.text for one in asked)) or [""]
    gaps = [remark(unsettled(text, at_hand(question), question)) for text in texts]
    return Draft(
        outcome="no_answer",
        blocks=[paragraph(*gaps, *near, remark(NEXT_STEP))],
        confidence=CONFIDENCE,
        missing=[text or question.standalone_query for text in texts],
        followups=[ASK_TEAM],
        suggestions=[Suggestion(product_id=one.id, name=one.name) for one in question.related],
        issues=draft.issues,
    )


def limit_stated(draft: Draft, asked: Sequence[AskedClaim], question: Question, verifier: Verifier) -> Draft:
    """The limit as a primary source states it, where one does; else the draft as it is."""
    shown = supported(known_facts(asked, question)[0], question, verifier)
    return _stating(shown, draft) if shown else draft


def _stating(shown: Sequence[Sentence], draft: Draft) -> Draft:
    return Draft(outcome="clear", blocks=[paragraph(*shown)], confidence=DIRECT, issues=draft.issues)
