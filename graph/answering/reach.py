"""Reach: a place in none of the regions, for which no rule on delivery holds, and where the shop does deliver."""

from collections.abc import Sequence

from graph.answering.absence import NEXT_STEP
from graph.answering.candidate import paragraph, remark
from graph.answering.prose import sentence_of
from graph.draft import Draft
from graph.language.locale import reply
from graph.language.negation import denies
from graph.language.sentences import joined
from graph.language.terms import terms
from graph.parts import Question, StatementFinder
from graph.retrieval.candidates import abroad, belongs, places_named
from graph.understanding.parsed_question import ParsedClause
from ingestion.evidence import Evidence
from ingestion.source_types import POLICIES

_CONFIDENCE = 0.3
_FEWEST = 2
"""Regions that a statement on where the shop delivers names."""


def is_beyond_reach(asked: ParsedClause, question: Question) -> bool:
    """Whether a clause asks for delivery to a place abroad of which the shop says nothing."""
    if question.intents[:1] != ("delivery_sla",) or not (places := abroad(question.places, question.regions)):
        return False
    goes_on = (asked.money or not asked.specific) and not question.products  # "and how long?"
    said = [frozenset(terms(f"{item.title} {item.text} {item.region or ''}")) for item in _rules(question)]
    told = any(known.issuperset(terms(place)) for known in said for place in places)
    return not told and (goes_on or bool(places_named(asked.question, question.regions)))


def delivered_elsewhere(question: Question, finder: StatementFinder) -> Draft:
    """That the shop names no delivery there, and the statement that names most of its regions.

    Of several, the one nearest to telling where the shop delivers.
    """
    near = finder.nearest([reply("delivers_to")], _rules(question))
    told = [(_regions_named(one.text, question), one) for one in near if not denies(one.text)]
    most, best = max(told, key=lambda one: one[0], default=(0, None))
    known = [sentence_of(best.evidence, best.start, best.end)] if best and most >= _FEWEST else []
    places = joined(abroad(question.places, question.regions))
    said = paragraph(remark(reply("none_delivered", places=places)), *known, remark(NEXT_STEP))
    return Draft(outcome="no_answer", blocks=[said], confidence=_CONFIDENCE, missing=[places])


def _rules(question: Question) -> Sequence[Evidence]:
    kinds = {*POLICIES, "help_article"}
    return [item for item, _ in question.evidence if item.product_id is None and item.source_type in kinds]


def _regions_named(text: str, question: Question) -> int:
    named = places_named(text, question.regions)
    return sum(any(belongs(one, region, question.regions) for one in named) for region in question.regions)
