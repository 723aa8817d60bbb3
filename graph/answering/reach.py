"""Reach: what says where the shop delivers, for a place in none of its regions, for which no rule on delivery holds."""

from graph.answering.candidate import Candidate, paragraph, remark
from graph.answering.prose import sentence_of
from graph.language.locale import reply
from graph.language.negation import denies
from graph.language.sentences import joined
from graph.language.terms import terms
from graph.parts import Question, StatementFinder
from graph.retrieval.candidates import abroad, belongs, places_named
from graph.understanding.parsed_question import ParsedClause
from ingestion.source_types import POLICIES

SCORE = 0.9
_FEWEST = 2
"""Regions that a statement on where the shop delivers names."""


def find_reach(asked: ParsedClause, question: Question, finder: StatementFinder) -> Candidate | None:
    """The statement that names most of the shop's regions, and of several the one nearest to telling where it delivers.

    None where a clause asks for something else, where no place in question is abroad, or where the shop speaks of one.
    """
    goes_on = (asked.money or not asked.specific) and not question.products  # "and how long?"
    delivered = question.intents[:1] == ("delivery_sla",) and (
        goes_on or places_named(asked.question, question.regions)
    )
    places = abroad(question.places, question.regions) if delivered else []
    kinds = {*POLICIES, "help_article"}
    rules = [item for item, _ in question.evidence if item.product_id is None and item.source_type in kinds]
    said = [frozenset(terms(f"{item.title} {item.text} {item.region or ''}")) for item in rules]
    if not places or any(said_of.issuperset(terms(place)) for said_of in said for place in places):
        return None
    near = finder.nearest([reply("delivers_to")], rules)
    told = [(_regions_named(one.text, question), one) for one in near if not denies(one.text)]
    most, best = max(told, key=lambda one: one[0], default=(0, None))
    if best is None or most < _FEWEST:
        return None
    lacking = remark(reply("none_delivered", places=joined(places)))
    stated = sentence_of(best.evidence, best.start, best.end)
    return Candidate((paragraph(stated, lacking),), SCORE, best.evidence.source_type, finder="reach")


def _regions_named(text: str, question: Question) -> int:
    named = places_named(text, question.regions)
    return sum(any(belongs(one, region, question.regions) for one in named) for region in question.regions)
