"""The yes or no before prose: by the figure a question claims, by what one clause holds, or by the trained model."""

import re
from collections.abc import Sequence

from graph.answering.asked import Asked
from graph.answering.bounds import decided_by_all
from graph.answering.yes_no import verdict_of
from graph.language.sources import source_kinds
from graph.language.terms import stem, terms, words
from graph.parts import Encoder, Statement
from graph.polarity.features import KINDS
from graph.support.wording import NEGATIONS
from ingestion.evidence import Product

NUMBER_WORDS = frozenset("one two three four five six seven eight nine ten both".split())
AT_HAND = frozenset(map(stem, "come include have get make use available possible able work offer".split()))
"""Stems of verbs that only ask whether something is there."""
DENIED = re.compile(
    rf"(?i)\b(?:{'|'.join(sorted(NEGATIONS))}|too \w+|excluded|unavailable|sold out|out of stock)\b|n['’]t\b"
)
NONE_LEFT = re.compile(r"(?i)(?<![\d.,:+-])0(?![\d.,]|\s*%)|\b(zero|none)\b")
HEDGED = re.compile(r"(?i)\b(if|unless|except|only|may|might|some|sometimes|should)\b")
LIMITED = re.compile(r"(?i)\bor more\b|\bat least\b|\bminimum\b|\b(from|over|above) [$€£]")
"""A yes that holds from some amount on is none."""


def prose_verdict(asked: Asked, product: Product | None, matches: Sequence[Statement], encoder: Encoder) -> str | None:
    """The best sentence's yes or no; none where one place has in stock what another is out of."""
    best = matches[0]
    if asked.claim and asked.claim.relation != "holds":
        hedged = asked.negated or any(HEDGED.search(match.text) for match in matches)
        return None if hedged else decided_by_all(asked.claim, [match.text for match in matches])
    if best.evidence.source_type in KINDS:
        return verdict_of(asked, best.text, best.evidence.source_type, product, encoder)
    others = matches[1:] if best.evidence.source_type == "stock" else []
    verdicts = {_verdict(asked, match) for match in (best, *others)}
    return verdicts.pop() if len(verdicts) == 1 else None


def _verdict(asked: Asked, match: Statement) -> str | None:
    """Yes or no, where one clause of the sentence holds all that was asked, with or without a negation."""
    if (
        re.match(r"(?i)(yes|no)\b", match.text)
        or HEDGED.search(match.text)
        or asked.conditional
        or asked.negated
        or not asked.specific
    ):
        return None
    counted = frozenset(words(asked.text)) & NUMBER_WORDS
    stated = asked.terms - AT_HAND
    matter = asked.specific - source_kinds()[match.evidence.source_type].cues or asked.specific
    for clause in re.split(r"[;,:]\s", match.text):
        said = frozenset(terms(clause))
        none_left = match.evidence.source_type == "stock" and NONE_LEFT.search(clause)
        if (none_left or DENIED.search(clause)) and matter <= said:
            return "No."
        if stated <= said and counted <= set(words(clause)) and not LIMITED.search(clause):
            return "Yes."
    return None
