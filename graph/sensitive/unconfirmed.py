"""Unconfirmed: what a sensitive question without primary evidence gets: neither yes nor no, but what is known."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from graph.answering.absence import ASK_TEAM, NEXT_STEP, nearest_known, unsettled
from graph.answering.candidate import paragraph, remark
from graph.draft import Draft, Sentence
from graph.intents.clauses import split_clauses
from graph.options.sensitive import SensitiveClass
from graph.parts import Question, Verifier
from graph.sensitive.claims import AskedClaim, asked_in
from graph.sensitive.facts import known_facts, supported
from graph.sensitive.sources import at_hand
from graph.turn import Suggestion

CONFIDENCE, DIRECT = 0.3, 0.7
"""How sure a refusal is to be what was wanted, and a fact in the question's own words."""


def unconfirmed(
    draft: Draft,
    asked: Sequence[AskedClaim],
    question: Question,
    classes: Mapping[str, SensitiveClass],
    verifier: Verifier,
) -> Draft:
    """A refusal with the nearest thing a primary source does say, and a next step.

    Where a source's own words are about exactly what was asked, they are the answer, without a yes or no.
    """
    facts = known_facts(asked, question)
    if direct := supported(facts.direct, question, verifier):
        return _stating(direct, draft)
    near = supported(facts.near, question, verifier)
    near = near or supported(nearest_known(replace(question, intents=())), question, verifier)
    texts = [_as_asked(one.text, question, classes) for one in asked] or [""]
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
    shown = supported(known_facts(asked, question).direct, question, verifier)
    return _stating(shown, draft) if shown else draft


def _stating(shown: Sequence[Sentence], draft: Draft) -> Draft:
    return Draft(outcome="clear", blocks=[paragraph(*shown)], confidence=DIRECT, issues=draft.issues)


def _as_asked(clause: str, question: Question, classes: Mapping[str, SensitiveClass]) -> str:
    """The user's own words, where they ask the same without their context."""
    alone = len(split_clauses(question.query)) == 1 and asked_in(question.query, classes) is not None
    return question.query if alone else clause
