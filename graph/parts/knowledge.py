"""What the shop knows, as a turn reads it: meanings as vectors, evidence as text."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ingestion.evidence import Evidence, GlossaryTerm, Product

Vectors = NDArray[np.float32]
"""Unit vectors, one a row."""


class Encoder(Protocol):
    """A sentence embedding model."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts as unit vectors, shape `(len(texts), dimensions)`."""
        ...


class KnowledgeBase(Protocol):
    """One generation of an index, opened for reading."""

    @property
    def generation(self) -> str:
        """Name of the generation."""
        ...

    @property
    def products(self) -> Mapping[str, Product]:
        """The catalog by id, in the shop's order."""
        ...

    @property
    def glossary(self) -> Sequence[GlossaryTerm]:
        """The shop's own words."""
        ...

    @property
    def regions(self) -> Mapping[str, Sequence[str]]:
        """Region name to the names and postal prefixes that belong to it."""
        ...

    def evidence(self, evidence_ids: Sequence[str]) -> list[Evidence]:
        """The evidence of these ids, in their order.

        Raises:
            UnknownEvidenceError: One of the ids is not in this generation.
        """
        ...

    def vectors(self, evidence_ids: Sequence[str]) -> Vectors:
        """The embeddings of these ids, in their order."""
        ...

    def document_vectors(self, evidence_ids: Sequence[str]) -> Vectors:
        """For each of these ids the embedding of the whole row or document it is a chunk of."""
        ...

    def statement_vectors(self, evidence: Sequence[Evidence]) -> Mapping[str, Vectors]:
        """By evidence id the embeddings of its statements, in their order; what was not embedded is left out."""
        ...

    def product_evidence(self, product_id: str, source_types: AbstractSet[str]) -> list[Evidence]:
        """Everything of these types about a product, what is said of its category or brand included."""
        ...

    def dense(self, vector: Vectors, source_types: AbstractSet[str], limit: int) -> list[tuple[str, float]]:
        """The nearest shop-wide evidence (not about one product) and manuals: `(evidence_id, cosine)`, best first."""
        ...

    def lexical(self, text: str, source_types: AbstractSet[str], limit: int) -> list[tuple[str, float]]:
        """The best of the same evidence by BM25: `(evidence_id, score)`, higher is better, best first."""
        ...
