"""Choice: the best answer to each clause, among all that the evidence offers."""

from collections.abc import Sequence
from dataclasses import replace

from scipy.special import expit

from graph.answering.absence import missing_phrase
from graph.answering.candidate import Candidate, paragraph
from graph.answering.facts import NAMED, find_facts
from graph.answering.offers import beside_price, find_offers
from graph.answering.opinions import contradiction, find_opinions
from graph.answering.prose import MOST, find_overview, find_prose, told_together, wordings_of
from graph.answering.ranker import Ranker, Weighing
from graph.answering.steps import find_steps
from graph.answering.variants import find_variants
from graph.draft import Block, YesNo
from graph.language.families import covered_terms
from graph.language.terms import terms
from graph.parts import Models, Question
from graph.trained import EVEN
from graph.understanding.parsed_question import Form, ParsedClause
from ingestion.evidence import Evidence, Product
from ingestion.source_types import POLICIES

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


EXACT = frozenset({NAMED, "offers"})
"""Finders of what a clause asks for by its name, of one product."""
LEAST = -1.5
"""Log odds from which on a statement is told, against that nothing answers: where people type as they like, what is
right has less than in questions made from data."""
BESIDE, RULE_BESIDE = 1.4, 2.0
"""By how much less likely, in log odds, a statement may answer that is told beside the best; a rule beside a rule."""


def best_candidate(
    asked: ParsedClause, product: Product | None, question: Question, *, models: Models, ranker: Ranker
) -> Candidate | None:
    """The best answer to one clause; None when nothing in the evidence answers it."""
    evidence = for_buyers(question.evidence, question.user.role)
    found = _candidates(asked, product, evidence, models, question, ranker)
    if not found and evidence != question.evidence:
        evidence = question.evidence
        found = _candidates(asked, product, evidence, models, question, ranker)
    best = _best(asked, found, models)
    if best is None or (best.statement and not best.denied and _has_unnamed(asked, best, question)):
        return None
    if product is not None and best.finder != "offers" and "Price" in best.attributes:
        return replace(best, blocks=(*best.blocks, *map(paragraph, beside_price(product, evidence))))
    return _with_customers(asked, best, product, evidence, question.intents)


def _has_unnamed(asked: ParsedClause, best: Candidate, question: Question) -> bool:
    """Whether a clause asks for what no evidence names.

    That a thing comes with a product none says then, however near it comes; that a product does something may be said
    in other words, where they likelier answer than not.
    """
    unsure = Form.OFFERED in asked.forms or best.score < EVEN
    return asked.yes_no and Form.EXISTENCE in asked.forms and unsure and bool(missing_phrase(asked, question))


def _candidates(
    asked: ParsedClause,
    product: Product | None,
    evidence: Sequence[tuple[Evidence, float]],
    models: Models,
    question: Question,
    ranker: Ranker,
) -> list[tuple[Candidate, float]]:
    """What may answer a clause, each with how likely it does, likeliest first."""
    at_hand = product or next(iter(question.context), None)
    about = [item for item, _ in evidence if product is None or item.product_id in (None, product.id)]
    read = models.finder.nearest(wordings_of(asked, at_hand, question), about, question.before)
    found = [
        *_structured(asked, product, [pair for pair in evidence if pair[1] > 0], models, question),
        *find_prose(asked, read),
    ]
    if not found:
        return []
    odds = ranker.log_odds(Weighing(asked, question, read), found)
    return sorted(zip(found, odds, strict=True), key=lambda pair: -pair[1])


def _structured(
    asked: ParsedClause,
    product: Product | None,
    evidence: Sequence[tuple[Evidence, float]],
    models: Models,
    question: Question,
) -> list[Candidate]:
    """What is more than a quoted statement: facts in sentences, steps in order, counted reviews."""
    found: dict[str, Candidate | None] = {"steps": find_steps(asked, [item for item, _ in evidence], models, question)}
    if product is not None:
        # "How do I wash it" asks what to do, not what it is; a price may be that of variants alone.
        by_variant = asked.money and product.price is None and bool(product.variants)
        factual = Form.PROCEDURE not in asked.forms and not by_variant
        fact = find_facts(asked, product, evidence, models) if factual else None
        told = "opinion" in question.intents[:1] and not (asked.yes_no and fact)
        found |= {
            fact.finder if fact else NAMED: fact,
            "offers": find_offers(asked, product, evidence),
            "overview": find_overview(asked, product, evidence),
            "variants": find_variants(asked, product, question),
            "opinions": find_opinions(asked, product, evidence) if told else None,
        }
    return [replace(one, finder=name) for name, one in found.items() if one is not None]


def _best(asked: ParsedClause, ranked: Sequence[tuple[Candidate, float]], models: Models) -> Candidate | None:
    """The likeliest; a statement with others that answer nearly as likely, and only if it likely answers at all."""
    ranked = [(one, its) for one, its in ranked if one.statement is None or its >= LEAST]
    if not ranked:
        return None
    if overview := next((one for one, _ in ranked if one.finder == "overview"), None):
        return overview  # found only where nothing in particular is asked for
    first, odds = ranked[0]
    exact = next((one for one, _ in ranked if one.finder in EXACT), None)
    if exact and first.statement and first.statement.evidence.product_id is None:
        # What is asked for by its name is told before what is said of more than this product.
        return exact
    if first.statement is None:
        return first
    first = replace(first, score=float(expit(odds)))
    told = [first]
    for other, its in ranked[1:]:
        # What an article says otherwise is not said in the same breath as a rule.
        rule = first.source_type in POLICIES
        fits = its >= odds - (RULE_BESIDE if rule else BESIDE) and (other.source_type in POLICIES or not rule)
        if other.statement and fits and _sentences([*told, other]) <= MOST and not _repeats(other, told):
            told.append(other)
    return told_together(asked, told, models.reader)


def _sentences(candidates: Sequence[Candidate]) -> int:
    return sum(len(block.sentences) for one in candidates for block in one.blocks)


def _repeats(other: Candidate, told: Sequence[Candidate]) -> bool:
    """Whether a quoted statement says nothing that the others do not say."""
    said = {term for one in told if one.statement for term in terms(one.statement.text)}
    return other.statement is not None and said.issuperset(terms(other.statement.text))


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
    if "opinion" in intents[:1]:
        voices = find_opinions(asked, product, evidence)
        return replace(chosen, blocks=(*chosen.blocks, *voices.blocks)) if voices else chosen
    if not asked.yes_no and chosen.source_type != "size_chart":
        return chosen
    other = contradiction(asked, reviews, product)
    if other is None:
        return chosen
    blocks = chosen.blocks if chosen.settled else tuple(_without_verdict(block) for block in chosen.blocks)
    return replace(chosen, blocks=(*blocks, other))


def _without_verdict(block: Block) -> Block:
    """Where customers contradict the seller, neither yes nor no is said."""
    kept = [sentence for sentence in block.sentences if sentence.text not in tuple(YesNo)]
    return block.model_copy(update={"sentences": kept})
