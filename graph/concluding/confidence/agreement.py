"""Agreement: how many other sources speak of what was asked as the cited ones do, and how many the other way."""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from graph.language.terms import coverage
from ingestion.evidence import Evidence

RELEVANT = 0.3
"""Relevance from which on a source counts."""
TELLING = 0.5
"""Share of the asked words that a source must hold to speak of what was asked."""

_NEGATION = re.compile(r"(?i)\b(?:not|no|never|cannot|without|none)\b|n['’]t\b")


def agreement(
    asked: frozenset[str], cited: AbstractSet[str], relevances: Mapping[str, float], evidence: Mapping[str, Evidence]
) -> tuple[int, int]:
    """Count the sources beside the cited ones that say the same, and those of which only one of both sides negates.

    Args:
        asked: Terms of the question without names of products.
        cited: Ids of what is cited.
        relevances: Relevance of all that was found, by id.
        evidence: The same, and what is cited, by id.
    """
    if not cited:
        return 0, 0
    denied = _negate([evidence[key] for key in cited])
    others = [
        evidence[key]
        for key, relevance in relevances.items()
        if key not in cited and relevance >= RELEVANT and coverage(asked, evidence[key].text) >= TELLING
    ]
    alike = [_negate([item]) == denied for item in others]
    return sum(alike), len(alike) - sum(alike)


def _negate(items: Sequence[Evidence]) -> bool:
    return any(_NEGATION.search(item.text) for item in items)
