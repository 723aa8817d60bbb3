"""Candidates: what dense and lexical search find of the whole shop, with all that is known for ranking it."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.parts import Encoder, KnowledgeBase
from graph.retrieval.fusion import reciprocal_rank_fusion

CANDIDATES = 50
"""Read from each ranking."""

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Chunks that may answer a question; several wordings of it count by the best of them.

    Attributes:
        evidence_ids: The chunks, best by reciprocal rank fusion first.
        chunk_cosines: Cosine of each to the question.
        lexical_shares: Share each has of the best BM25 score, 0 where lexical search did not find it.
        document_cosines: Cosine of the whole document of each to the question.
    """

    evidence_ids: list[str]
    chunk_cosines: Scores
    lexical_shares: Scores
    document_cosines: Scores


def find_candidates(
    knowledge: KnowledgeBase, encoder: Encoder, queries: Sequence[str], source_types: AbstractSet[str]
) -> Candidates:
    """Search the whole shop.

    Args:
        knowledge: What is searched.
        encoder: Embeds the question.
        queries: Wordings of one question, at least one; each is searched.
        source_types: Kinds of evidence that are wanted.
    """
    vectors = encoder.encode(queries)
    dense = [[key for key, _ in knowledge.dense(vector, source_types, CANDIDATES)] for vector in vectors]
    lexical = [dict(knowledge.lexical(query, source_types, CANDIDATES)) for query in queries]
    found = reciprocal_rank_fusion([*dense, *map(list, lexical)])
    if not found:
        nothing = np.zeros(0, dtype=np.float32)
        return Candidates([], nothing, nothing, nothing)
    return Candidates(
        evidence_ids=found,
        chunk_cosines=(knowledge.vectors(found) @ vectors.T).max(axis=1),
        lexical_shares=np.max([_shares(found, scores) for scores in lexical], axis=0),
        document_cosines=(knowledge.document_vectors(found) @ vectors.T).max(axis=1),
    )


def _shares(found: Sequence[str], scores: Mapping[str, float]) -> Scores:
    best = max(scores.values(), default=1.0)
    return np.array([scores.get(key, 0.0) / best for key in found], dtype=np.float32)
