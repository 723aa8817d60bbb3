"""How well a piece of evidence fits a question: the probability that it answers it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graph.language.names import name_pattern
from graph.language.terms import terms, words
from graph.parts import Vectors
from graph.retrieval.reranking.candidate import Candidate
from graph.retrieval.reranking.features import WHOLE_SHARE, features
from graph.retrieval.reranking.weights import shipped
from ingestion.evidence import Evidence

_OF_THE = r"(?:(?<!\s)\s+)?\b(?:(?:for|about|of|on|in)\s{1,3})?(?:the\s{1,3})?"
"""What goes with a name that is left out."""


def relevance(
    query_vectors: Vectors, asked: frozenset[str], evidence: Sequence[Evidence], evidence_vectors: Vectors
) -> NDArray[np.float32]:
    """Score each evidence against the best of several wordings of one question, 0 to 1.

    Args:
        query_vectors: One row a wording.
        asked: Terms of the question without the product's name.
        evidence: What is scored.
        evidence_vectors: One row an evidence.
    """
    candidates = [Candidate(_said(item), item.source_type) for item in evidence]
    cosines = np.clip((evidence_vectors @ query_vectors.T).max(axis=1), 0.0, 1.0)
    # Of a Q&A only the vector of the whole is at hand, which its question makes near to many.
    shares = np.array([WHOLE_SHARE if item.source_type == "qa" else 1.0 for item in evidence], dtype=np.float32)
    return shipped().probabilities(features(asked, candidates, shares * cosines))


def _said(evidence: Evidence) -> str:
    return evidence.text if evidence.source_type == "qa" else searchable_text(evidence)


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
