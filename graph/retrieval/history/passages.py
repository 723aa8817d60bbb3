"""The shop-wide evidence, as the continuity of a question is read from it."""

from collections.abc import Sequence
from dataclasses import dataclass

from graph.parts import KnowledgeBase, Vectors
from ingestion.evidence import SOURCE_TYPES


@dataclass(frozen=True, slots=True)
class ShopPassages:
    """Passages of a knowledge base, of every kind."""

    knowledge: KnowledgeBase

    def nearest(self, vector: Vectors, limit: int) -> list[tuple[str, float]]:
        """The nearest chunks: `(evidence_id, cosine)`, best first."""
        return self.knowledge.dense(vector, SOURCE_TYPES, limit)

    def vectors(self, evidence_ids: Sequence[str]) -> Vectors:
        """Vectors of chunks, one a row."""
        return self.knowledge.vectors(evidence_ids)
