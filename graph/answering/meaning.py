"""Attributes found by what they mean, where a shop names them in other words than the question."""

import re
from collections.abc import Sequence
from dataclasses import replace

from graph.answering.asked import Asked
from graph.answering.matching import AttributeMatch
from graph.language.families import covered_terms
from graph.language.terms import stem, terms
from graph.parts import Encoder
from ingestion.evidence import Product

LEAST = 0.44
"""Least score of an attribute that is what was asked for."""
LEAST_OF_KIND, PLAIN_LEAD = 0.38, 0.15
"""Least score of one that has the measure asked for and stands so far before all others."""
LEAST_TO_DECIDE = 0.6
"""The same where yes or no is asked: most such questions are about what no attribute tells."""
LEAD = 0.04
"""By how much the best must stand before an attribute of another name."""
LINE, BEST_WORDING, KIND, WORDS = 0.45, 0.45, 0.1, 0.12
"""What counts: the cosine of the question to the line, to the nearer of line and name, the measure, shared words."""
FARTHEST = 0.35
"""So much nearer than its name a line is expected to come at most: in 1 of 1,000 pairs it is 0.24."""
MOST_UNSAID = 3
"""Words of the question that the attribute may leave out: a long question is seldom about one attribute."""
SIDES = frozenset(map(stem, "item product width height depth length thickness".split()))
"""Words of attributes that measure the product as a whole."""

_MONEY = re.compile(r"(?i)[$€£₹¥]|\b(?:free|usd|eur|gbp|dollars?|euros?|pounds?)\b")
_FIGURE = re.compile(r"\A\W*\d")
_NUMBER = re.compile(r"(?i)\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve)\b")


def find_meant(
    asked: Asked, product: Product, matches: Sequence[AttributeMatch], encoder: Encoder
) -> AttributeMatch | None:
    """The one attribute that a clause most probably means; None where none is near enough or two are as near.

    Args:
        asked: The clause.
        product: The product it is about.
        matches: The attributes, with what their words and measures say to the clause.
        encoder: Compares meanings.
    """
    fitting = _within_reach(asked, [match for match in matches if _could_answer(asked, product, match)], encoder)
    if not fitting:
        return None
    vectors = encoder.encode([asked.sought, *(_line(match) for match, _ in fitting)])
    lines = (vectors[1:] @ vectors[0]).tolist()
    scored = (_scored(match, (name, line)) for (match, name), line in zip(fitting, lines, strict=True))
    ranked = sorted(scored, key=lambda match: -match.score)
    best = ranked[0]
    second = max((match.score for match in ranked if match.name != best.name), default=0.0)
    return best if best.score - second >= LEAD and best.score >= _least(asked, best, best.score - second) else None


def _within_reach(
    asked: Asked, matches: Sequence[AttributeMatch], encoder: Encoder
) -> list[tuple[AttributeMatch, float]]:
    """Those whose line could come near the bar, with the cosine of the question to their names.

    Names recur from product to product and are known already, while each line is a text of its own to be encoded.
    """
    if not matches:
        return []
    vectors = encoder.encode([asked.sought, *(match.name for match in matches)])
    names = (vectors[1:] @ vectors[0]).tolist()
    bar = (LEAST_TO_DECIDE if asked.yes_no else LEAST_OF_KIND) - LEAD
    hopes = (_scored(match, (name, min(1.0, name + FARTHEST))) for match, name in zip(matches, names, strict=True))
    pairs = zip(matches, names, hopes, strict=True)
    return [(match, name) for match, name, hope in pairs if hope.score >= bar]


def _least(asked: Asked, best: AttributeMatch, lead: float) -> float:
    if asked.yes_no:
        return LEAST_TO_DECIDE
    return LEAST_OF_KIND if best.agreement == 1 and lead >= PLAIN_LEAD else LEAST


def _scored(match: AttributeMatch, nearness: Sequence[float]) -> AttributeMatch:
    name, line = nearness
    meant = LINE * line + BEST_WORDING * max(name, line) + KIND * match.agreement + WORDS * match.coverage
    return replace(match, score=meant)


def _could_answer(asked: Asked, product: Product, match: AttributeMatch) -> bool:
    """Whether a value can answer at all.

    No amount does without money, no yes or no by a figure nobody asked about, no part by a side of the whole, and
    nothing by what the product's name says anyway.
    """
    told, unsaid = frozenset(terms(match.value)), asked.uncovered(covered_terms(match.name, match.value))
    if match.agreement < 0 or len(unsaid) > MOST_UNSAID or (told and told <= frozenset(terms(product.name))):
        return False
    if asked.money:
        return bool(_MONEY.search(match.value))
    if asked.yes_no:
        return bool(_NUMBER.search(asked.text)) or not _FIGURE.match(match.value)
    if unsaid and frozenset(terms(match.name)) <= SIDES:
        return False
    return bool(asked.specific) or match.agreement > 0


def _line(match: AttributeMatch) -> str:
    return f"{match.name}: {match.value}"
