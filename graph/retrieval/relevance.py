"""How well a piece of evidence fits a question: what it means, and the words it shares."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graph.language.terms import terms
from graph.parts import Vectors
from ingestion.evidence import Evidence

MEANING_SHARE = 0.6
"""Weight of the cosine; the rest is the share of the question's terms that occur."""


def relevance(
    query_vectors: Vectors, evidence_vectors: Vectors, asked: frozenset[str], evidence: Sequence[Evidence]
) -> NDArray[np.float32]:
    """Score each evidence against the best of several wordings of one question, 0 to 1.

    Args:
        query_vectors: One row a wording.
        evidence_vectors: One row an evidence.
        asked: Terms of the question without the product's name.
        evidence: What is scored.
    """
    cosine = np.clip((evidence_vectors @ query_vectors.T).max(axis=1), 0.0, 1.0)
    shared = np.array([coverage(asked, searchable_text(item)) for item in evidence], dtype=np.float32)
    return np.asarray(MEANING_SHARE * cosine + (1 - MEANING_SHARE) * shared, dtype=np.float32)


def searchable_text(evidence: Evidence) -> str:
    """What an evidence is found by: its own text and what names it."""
    return " ".join([evidence.title, evidence.section or "", *evidence.keywords, evidence.text])


def coverage(asked: frozenset[str], text: str) -> float:
    """Share of the asked terms that occur in a text; 0 when nothing was asked."""
    return len(asked.intersection(terms(text))) / len(asked) if asked else 0.0


def asked_terms(query: str, names: Sequence[str]) -> frozenset[str]:
    """Terms of a question without those of the products it names."""
    of_names = {term for name in names for term in terms(name)}
    return frozenset(terms(query)) - of_names
