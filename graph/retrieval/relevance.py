"""How well a piece of evidence fits a question: how near its nearest statement comes to answering it."""

from collections.abc import Sequence

from graph.language.names import name_pattern
from graph.language.terms import terms, words
from graph.parts import StatementFinder
from ingestion.evidence import Evidence

LEAST = 1e-3
"""Relevance of what comes near in nothing, yet is of the kind that is wanted."""

_OF_THE = r"(?:(?<!\s)\s+)?\b(?:(?:for|about|of|on|in)\s{1,3})?(?:the\s{1,3})?"
"""What goes with a name that is left out."""


def relevance(
    queries: Sequence[str], evidence: Sequence[Evidence], finder: StatementFinder, before: str = ""
) -> list[float]:
    """Score each evidence by its statement that is nearest to any of several wordings of one question, 0 to 1."""
    best: dict[str, float] = {}
    for one in finder.nearest(queries, evidence, before):
        best.setdefault(one.evidence.evidence_id, one.score)
    return [round(max(LEAST, best.get(item.evidence_id, LEAST)), 4) for item in evidence]


def searchable_text(evidence: Evidence) -> str:
    """What an evidence is found by: its own text and what names it."""
    return " ".join([evidence.title, evidence.section or "", *evidence.keywords, evidence.text])


def asked_terms(query: str, names: Sequence[str]) -> frozenset[str]:
    """Terms of a question without those of the products it names."""
    of_names = {term for name in names for term in terms(name)}
    return frozenset(terms(query)) - of_names


def without_name(query: str, name: str) -> str:
    """A question without the name of the product it is about ("the weight of the Kestrel 2" asks for "the weight")."""
    rest = name_pattern(name, _OF_THE).sub("", query).strip()
    return rest if len(words(rest)) > 1 else query


def wordings(queries: Sequence[str], names: Sequence[str]) -> list[str]:
    """Questions without the names of the products they are about: all that is read is about these."""
    for name in names:
        queries = [without_name(query, name) for query in queries]
    return list(dict.fromkeys(queries))
