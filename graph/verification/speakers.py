"""Speakers: what customers say is told as theirs."""

from graph.language.locale import phrases
from graph.parts import Verdict
from graph.verification.claim import Case, Check

_OPINIONS = frozenset({"review", "qa"})


def unattributed_opinions(case: Case) -> tuple[str, ...]:
    """The words of a sentence that tells as a fact what only customers say."""
    resting = (segment.spans for segment in case.sentence.segments if segment.spans)
    opinion = any(all(case.evidence[one.evidence_id].source_type in _OPINIONS for one in spans) for spans in resting)
    if case.derived or not opinion or phrases("voices").search(case.said.text):
        return ()
    return case.said.words


CHECKS = (Check(Verdict.SPEAKER, unattributed_opinions, paraphrases=True),)
