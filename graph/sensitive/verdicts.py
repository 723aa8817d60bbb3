"""Verdicts: whether primary sources say yes or no to a sensitive question in its own words."""

from collections.abc import Sequence
from dataclasses import replace

from graph.sensitive.claims import AskedClaim, SensitiveClaim
from graph.sensitive.statements import stated
from graph.sensitive.wording import tokens
from ingestion.evidence import Evidence

CONTAIN, FREE = tokens("contain"), tokens("free")


def confirmed(asked: AskedClaim, sources: Sequence[Evidence], *, yes: bool) -> bool:
    """Whether the sources give this answer to each claim that is asked for.

    A question that denies ("is it not safe?") is never confirmed: its yes and its no can be read both ways.
    """
    return all(not claim.denied and _answers(claim, sources, yes=yes) for claim in asked.claims)


def _answers(claim: SensitiveClaim, sources: Sequence[Evidence], *, yes: bool) -> bool:
    if stated(claim, sources, denied=not yes):
        return True
    other = _opposite(claim)
    return other is not None and stated(other, sources, denied=yes)


def _opposite(claim: SensitiveClaim) -> SensitiveClaim | None:
    """The claim that holds where this one does not: what is free of something does not contain it."""
    for own, other in ((CONTAIN, FREE), (FREE, CONTAIN)):
        if set(own) <= set(claim.tokens):
            return replace(claim, tokens=(*(token for token in claim.tokens if token not in own), *other))
    return None
