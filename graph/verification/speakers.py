"""Speakers: what customers say is told as theirs, in their words where it is quoted, and nobody else vouches for it."""

import re

from graph.language.locale import phrases
from graph.language.terms import words
from graph.language.wording import read
from graph.parts import Verdict
from graph.verification.case import Case, Check

_OPINIONS = frozenset({"review", "qa"})
_SOME = re.compile(r"(?i)\b(?:one|an?) (?:of (?:the|our|its|several|many) )?(?:\w+ )?$|\b(?:customer|in the|by|from) $")
_QUOTED = re.compile(
    r"[“„]([^“”„]+)[”“]|(?<!\S)\"(?=\w)([^\"]+(?:\"\w[^\"]*){0,5})\"(?!\w)|(?<!\S)[‘'](?=\w)([^‘’']+)[’'](?!\w)"
)
_REACH = 80
"""So far before a word of many its article is looked for."""
_SEVERAL = 2


def unattributed_opinions(case: Case) -> tuple[str, ...]:
    """The words of a sentence that tells as a fact what only customers say."""
    resting = (claim.spans for claim in case.sentence.claims if claim.spans)
    opinion = any(all(case.evidence[one.evidence_id].source_type in _OPINIONS for one in spans) for spans in resting)
    if case.derived or not opinion or phrases("voices").search(case.said.text):
        return ()
    return tuple(words(case.said.text))


def multiplied_voices(case: Case) -> tuple[str, ...]:
    """The words that make many customers of the one who is cited."""
    voices = [item for item in case.items if item.source_type in _OPINIONS]
    if case.derived or not voices or len(voices) >= _SEVERAL or len(voices) < len(case.items):
        return ()
    said = _QUOTED.sub(" ", case.said.text)
    there = set(words(case.cited))
    return tuple(
        found[0]
        for found in phrases("many").finditer(said)
        if found[0].casefold() not in there and not _SOME.search(said[max(found.start() - _REACH, 0) : found.start()])
    )


def misquoted(case: Case) -> tuple[str, ...]:
    """What stands in quotation marks without standing so in a cited span."""
    quotes = [f" {' '.join(words(quote))} " for quote in case.quotes]
    inside = ["".join(filter(None, found.groups())) for found in _QUOTED.finditer(case.said.text)]
    runs = [(text, f" {' '.join(words(text))} ") for text in inside]
    return tuple(text for text, run in runs if not any(run in quote for quote in quotes))


def promises(case: Case) -> tuple[str, ...]:
    """Words by which a writer vouches for something, or speaks of itself, where its source does not."""
    there, said = set(words(case.cited)), read(_QUOTED.sub(" ", case.said.text))
    itself = any(token.capital and token.text.replace("’", "'").split("'")[0] == "i" for token in said.tokens)
    vouched = [found[0] for found in phrases("promises").finditer(said.text)]
    return tuple(word for word in (*(["I"] if itself else []), *vouched) if word.casefold() not in there)


CHECKS = (
    Check(Verdict.SPEAKER, unattributed_opinions, paraphrases=True),
    Check(Verdict.SPEAKER, multiplied_voices, paraphrases=True),
    Check(Verdict.SPEAKER, misquoted, paraphrases=True),
    Check(Verdict.SPEAKER, promises, paraphrases=True),
)
