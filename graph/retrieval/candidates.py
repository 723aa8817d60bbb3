"""Candidates: what dense and lexical search find of the whole shop, with all that is known for ranking it."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.parts import Encoder, KnowledgeBase, Vectors
from graph.retrieval.fusion import reciprocal_rank_fusion
from graph.retrieval.history import WeightedText

CANDIDATES = 50
"""Read from each ranking."""
CANDIDATES_WITH_HISTORY = 200
"""Read from the lexical ranking of each text, where those of several are added: what comes late in all may lead."""

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
    knowledge: KnowledgeBase,
    encoder: Encoder,
    queries: Sequence[str],
    source_types: AbstractSet[str],
    recalled: Sequence[WeightedText] = (),
) -> Candidates:
    """Search the whole shop.

    Args:
        knowledge: What is searched.
        encoder: Embeds the question.
        queries: Wordings of one question, at least one; each is searched.
        source_types: Kinds of evidence that are wanted.
        recalled: What was said before; each wording is searched together with it.
    """
    vectors = _with_history(encoder, queries, recalled)
    dense = [[key for key, _ in knowledge.dense(vector, source_types, CANDIDATES)] for vector in vectors]
    lexical = _lexical(knowledge, queries, source_types, recalled)
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


def _with_history(encoder: Encoder, queries: Sequence[str], recalled: Sequence[WeightedText]) -> Vectors:
    """A vector for each wording: the direction of its own and, as far as it counts, of what was said before."""
    vectors = encoder.encode([*queries, *(one.text for one in recalled)])
    own, before = vectors[: len(queries)], vectors[len(queries) :]
    weights = np.array([one.weight for one in recalled], dtype=np.float32)
    joined = own + weights @ before
    return np.asarray(joined / np.linalg.norm(joined, axis=1, keepdims=True), dtype=np.float32)


def _lexical(
    knowledge: KnowledgeBase, queries: Sequence[str], source_types: AbstractSet[str], recalled: Sequence[WeightedText]
) -> list[dict[str, float]]:
    """For each wording the best chunks by BM25, that of what was said before added by its weight."""
    limit = CANDIDATES_WITH_HISTORY if recalled else CANDIDATES
    before: dict[str, float] = {}
    for one in recalled:
        for key, score in knowledge.lexical(one.text, source_types, limit):
            before[key] = before.get(key, 0.0) + one.weight * score
    rankings = []
    for query in queries:
        own = dict(knowledge.lexical(query, source_types, limit))
        summed = {key: own.get(key, 0.0) + before.get(key, 0.0) for key in own | before}
        rankings.append(dict(sorted(summed.items(), key=lambda pair: (-pair[1], pair[0]))[:CANDIDATES]))
    return rankings


def _shares(found: Sequence[str], scores: Mapping[str, float]) -> Scores:
    best = max(scores.values(), default=1.0)
    return np.array([scores.get(key, 0.0) / best for key in found], dtype=np.float32)
