"""Choice: the best answer to each clause, among all that the evidence offers."""

import re
from collections.abc import Sequence
from dataclasses import replace

from graph.answering.articles import find_definition, find_overview, find_workings
from graph.answering.candidate import Candidate, paragraph, remark
from graph.answering.facts import find_facts
from graph.answering.offers import added_by_offer, find_offers
from graph.answering.opinions import contradiction, find_opinions, find_reports
from graph.answering.parsed_clause import PROCEDURE, ParsedClause, analyse
from graph.answering.prose import PRICE, find_prose
from graph.answering.steps import find_steps
from graph.answering.variants import find_variants
from graph.draft import Block, Draft
from graph.intents.clauses import coordinates
from graph.language.families import covered_terms
from graph.language.terms import LONGEST, terms
from graph.options.intents import OF_PRODUCT, first_kinds
from graph.parts import Models, Question
from graph.turn import Clarification
from ingestion.evidence import Evidence, Product

ROLE_QUESTION = "Are you asking as a seller?"
ROLE_OPTIONS = {"I'm the buyer": "buyer", "I'm the seller": "seller"}
MARGIN = 0.15
"""The other audience's article is about the same topic when it is found this close to the first."""
SAME_TOPIC = 0.5


def role_tie(question: Question, chosen: Candidate) -> Evidence | None:
    """The article for the other audience, when the role is unknown and both answer; None otherwise."""
    if question.user.role is not None:
        return None
    ranked = [(item, score) for item, score in question.evidence if item.source_type == "help_article"]
    mine = [(item, score) for item, score in ranked if item.evidence_id in chosen.evidence_ids]
    if not mine or mine[0][0].audience != "buyer":
        return None
    first, best = mine[0]
    for item, score in ranked:
        if item.audience not in ("both", first.audience) and score >= best - MARGIN and _same_topic(first, item):
            return item
    return None


def _same_topic(one: Evidence, other: Evidence) -> bool:
    mine, theirs = set(terms(one.title)), set(terms(other.title))
    return len(mine & theirs) >= SAME_TOPIC * min(len(mine), len(theirs))


def for_buyers(evidence: tuple[tuple[Evidence, float], ...], role: str | None) -> tuple[tuple[Evidence, float], ...]:
    """What may be told to someone of unknown role first: everything but what is for sellers alone."""
    if role is not None:
        return evidence
    return tuple(pair for pair in evidence if pair[0].audience != "seller")


def with_role_question(draft: Draft, other: Evidence) -> Draft:  # noqa: ARG001 - the tie is the reason to ask
    """The buyer's answer, then one short question."""
    return draft.model_copy(
        update={
            "outcome": "ambiguous",
            "blocks": [*draft.blocks, paragraph(remark(ROLE_QUESTION))],
            "clarification": Clarification(question=ROLE_QUESTION, options=list(ROLE_OPTIONS)),
            "options": ROLE_OPTIONS,
            "pending_kind": "role",
        }
    )


_ELLIPTIC = re.compile(
    r"(?i)\A\W*(?:(?:for|since|until|from|to|at|in|by|about|and|or)\s*)?"
    r"(?:how (?:long|much|many|often|far|soon|fast)|when|where|why|which|who|what)\W*"
)
"""Asks more of what was asked before it ("and for how long?"), which alone it does not name."""
MOST_BESIDE = 8
"""Names between the first and the last of a row."""


def parts_of(asked: ParsedClause, text: str, names: tuple[str, ...]) -> list[ParsedClause]:
    """The parts that a clause asks for together; none where it is no coordination, or one leans on another.

    Args:
        asked: The clause.
        text: It as it is split: no name in it holds an "and" of its own.
        names: Names of the products it is about.
    """
    parts = coordinates(text)
    return [] if any(map(_ELLIPTIC.fullmatch, parts)) else [analyse(part, names, asked.text) for part in parts]


def together(text: str, names: Sequence[str]) -> str:
    """A question with a pronoun for names that stand side by side ("the Nova and the Nova Mini")."""
    known = {name.casefold(): re.escape(name[:LONGEST]) for name in names if name}
    longest_first = "|".join(sorted(known.values(), key=len, reverse=True))
    name = rf"(?:the )?(?:{longest_first})(?!\w)"
    row = rf"(?i)(?<!\w){name}(?:\s*,\s*{name}){{0,{MOST_BESIDE}}},?\s+and\s+{name}"
    return re.sub(row, "they", text) if longest_first else text


def parts_left_open(
    asked: ParsedClause, parts: Sequence[ParsedClause], whole: Candidate | None, question: Question
) -> Sequence[ParsedClause]:
    """The parts of a coordination that the answer to the whole says nothing of.

    Only a yes or no and a stated attribute answer just what they name; a procedure or a rule is about its whole matter.

    Args:
        asked: The clause.
        parts: The parts it asks for together; none where it is no coordination.
        whole: What answers the clause as a whole.
        question: The question, with its evidence.

    Returns:
        All parts where nothing answers the whole; none where it leaves none open.
    """
    if whole is None:
        return parts
    if not (asked.yes_no or whole.attributes):
        return ()
    said = _said(whole, question)
    return [part for part in parts if part.specific and not part.specific <= said]


def _said(whole: Candidate, question: Question) -> frozenset[str]:
    """Terms of what an answer tells, of the text it cites, and by which its attributes are asked for."""
    texts = {item.evidence_id: item.text for item, _ in question.evidence}
    sentences = [sentence for block in whole.blocks for sentence in block.sentences if sentence.factual]
    cited = (texts.get(span.evidence_id, "")[span.start : span.end] for one in sentences for span in one.spans)
    told = frozenset(terms(" ".join([*(one.text for one in sentences), *cited])))
    return told.union(*(covered_terms(name, "") for name in whole.attributes))


BONUS = (0.25, 0.12, 0.1, 0.08, 0.06)
"""Added to a candidate's score for standing first, second, ... among the kinds of the likeliest intent."""
LATER_INTENT = 0.05
STATED_FACT = 0.25
"""Added to an attribute where yes or no is asked, and to the price where that is."""
OWN_PRODUCT, OWN_GROUP, OWN_PLACE = 0.1, 0.06, 0.1
"""Added to what is about the product itself, or its group, rather than the whole shop."""


def best_candidate(
    asked: ParsedClause, product: Product | None, question: Question, models: Models
) -> Candidate | None:
    """The best answer to one clause; None when nothing in the evidence answers it."""
    evidence = for_buyers(question.evidence, question.user.role)
    found = _candidates(asked, product, evidence, models, question)
    if not found and evidence != question.evidence:
        evidence = question.evidence
        found = _candidates(asked, product, evidence, models, question)
    if not found:
        return None
    place = question.user.region is not None
    ranked = sorted(
        found, key=lambda candidate: -_worth(asked, candidate, question.intents, evidence, product, known_place=place)
    )
    return _with_customers(asked, ranked[0], product, evidence, question.intents)


def _candidates(
    asked: ParsedClause,
    product: Product | None,
    evidence: Sequence[tuple[Evidence, float]],
    models: Models,
    question: Question,
) -> list[Candidate]:
    intents = question.intents
    everything, evidence = evidence, [pair for pair in evidence if pair[1] > 0]
    workings = find_workings(asked, evidence) if product is None else None
    found: list[Candidate | None] = [workings or find_steps(asked, [item for item, _ in evidence], models, question)]
    if product is not None:
        found.append(find_offers(asked, product, evidence))
        found.append(find_overview(asked, product, evidence))
        # "How do I wash it" asks what to do, not what it is.
        fact = None if PROCEDURE.search(asked.text) else find_facts(asked, product, evidence, models)
        found.append(fact)
        found.append(find_variants(asked, product, evidence, intents, question.query, question.user.preferences))
        if "opinion" in intents[:1] and not (asked.yes_no and fact):
            found.append(find_opinions(asked, product, evidence))
        found.append(find_reports(asked, product, evidence))
    found.append(find_definition(asked, evidence))
    at_hand = product or next(iter(question.context), None)
    about = [item for item, _ in everything if product is None or item.product_id in (None, product.id)]
    found += find_prose(asked, at_hand, about, models, question)
    return [candidate for candidate in found if candidate is not None]


def _worth(
    asked: ParsedClause,
    candidate: Candidate,
    intents: Sequence[str],
    evidence: Sequence[tuple[Evidence, float]],
    product: Product | None,
    *,
    known_place: bool,
) -> float:
    """A candidate's score with what speaks for its kind and for how narrowly it is about the product at hand."""
    bonus = 0.0
    for place, intent in enumerate(intents):
        kinds = first_kinds(intent)
        if candidate.source_type in kinds:
            bonus = max(bonus, BONUS[kinds.index(candidate.source_type)] - LATER_INTENT * min(place, 2))
    decided = asked.yes_no and candidate.source_type == "spec" and OF_PRODUCT.intersection(intents[:1])
    if decided or (PRICE in asked.terms and candidate.source_type == "spec" and "Price" in candidate.attributes):
        bonus += STATED_FACT
    used = [item for item, _ in evidence if item.evidence_id in candidate.evidence_ids]
    own = max((_narrowness(item, product, known_place=known_place) for item in used), default=0.0)
    return candidate.score + bonus + own


def _narrowness(item: Evidence, product: Product | None, *, known_place: bool) -> float:
    place = OWN_PLACE if known_place and item.region else 0.0
    if item.product_id is not None:
        return place + (OWN_PRODUCT if product is None or item.product_id == product.id else 0.0)
    return place + (OWN_GROUP if item.category or item.brand else 0.0)


def _with_customers(
    asked: ParsedClause,
    chosen: Candidate,
    product: Product | None,
    evidence: Sequence[tuple[Evidence, float]],
    intents: Sequence[str],
) -> Candidate:
    """Let customers speak where they contradict what the seller says."""
    if product is None or chosen.source_type not in ("spec", "feature", "description", "size_chart", "datasheet"):
        return chosen
    reviews = [item for item, _ in evidence if item.source_type == "review" and item.product_id == product.id]
    if chosen.denied and (added := added_by_offer(asked, product, evidence)):
        return replace(chosen, blocks=(*chosen.blocks, paragraph(*added)))
    if "opinion" in intents[:1]:
        voices = find_opinions(asked, product, evidence)
        return replace(chosen, blocks=(*chosen.blocks, *voices.blocks)) if voices else chosen
    if not asked.yes_no and chosen.source_type != "size_chart":
        return chosen
    other = contradiction(asked, reviews, product, denied=chosen.denied)
    if other is None:
        return chosen
    blocks = chosen.blocks if chosen.settled else tuple(_without_verdict(block) for block in chosen.blocks)
    return replace(chosen, blocks=(*blocks, paragraph(other)))


def _without_verdict(block: Block) -> Block:
    """Where customers contradict the seller, neither yes nor no is said."""
    kept = [sentence for sentence in block.sentences if sentence.text not in ("Yes.", "No.")]
    return block.model_copy(update={"sentences": kept})
