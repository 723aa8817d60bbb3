"""Speakers: what customers say is told as theirs, in their words where it is quoted, and nobody else vouches for it."""

import re

from graph.language.locale import phrases
from graph.parts import Verdict
from graph.verification.case import Case, Check
from graph.verification.claim import read

_OPINIONS = frozenset({"review", "qa"})
_SOME = re.compile(r"(?i)\b(?:one|an?) (?:of (?:the|our|its|several|many) )?(?:\w+ )?$|\b(?:customer|in the|by|from) $")
_SEVERAL = 2


def unattributed_opinions(case: Case) -> tuple[str, ...]:
    """The words of a sentence that tells as a fact what only customers say."""
    resting = (segment.spans for segment in case.sentence.segments if segment.spans)
    opinion = any(all(case.evidence[one.evidence_id].source_type in _OPINIONS for one in spans) for spans in resting)
    if case.derived or not opinion or phrases("voices").search(case.said.text):
        return ()
    return case.said.words


def multiplied_voices(case: Case) -> tuple[str, ...]:
    """The words that make many customers of the one who is cited."""
    voices = [item for item in case.items if item.source_type in _OPINIONS]
    if case.derived or not voices or len(voices) >= _SEVERAL or len(voices) < len(case.items):
        return ()
    said, there = case.said.unquoted.text, case.cited.vocabulary
    return tuple(
        found[0]
        for found in phrases("many").finditer(said)
        if found[0].casefold() not in there and not _SOME.search(said, 0, found.start())
    )


def misquoted(case: Case) -> tuple[str, ...]:
    """What stands in quotation marks without standing so in a cited span."""
    runs = [read(quote).run for quote in case.quotes]
    return tuple(text for text in case.said.quotations if not any(read(text).run in run for run in runs))


CHECKS = (
    Check(Verdict.SPEAKER, unattributed_opinions, paraphrases=True),
    Check(Verdict.SPEAKER, multiplied_voices, paraphrases=True),
    Check(Verdict.SPEAKER, misquoted, paraphrases=True),
)
