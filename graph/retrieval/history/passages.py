"""The shop-wide evidence, as the continuity of a question is read from it."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from graph.parts import KnowledgeBase, Vectors
from ingestion.source_types import SOURCE_TYPES


@dataclass(frozen=True, slots=True)
class ShopPassages:
    """Passages of a knowledge base.

    Attributes:
        knowledge: The knowledge base.
        source_types: Kinds of evidence that are read.
    """

    knowledge: KnowledgeBase
    source_types: AbstractSet[str] = SOURCE_TYPES

    def nearest(self, vector: Vectors, limit: int) -> list[tuple[str, float]]:
        """The nearest chunks: `(evidence_id, cosine)`, best first."""
        return self.knowledge.dense(vector, self.source_types, limit)

    def vectors(self, evidence_ids: Sequence[str]) -> Vectors:
        """Vectors of chunks, one a row."""
        return self.knowledge.vectors(evidence_ids)
