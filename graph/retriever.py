"""The index as a LangChain retriever, so that a notebook or another chain finds what a turn would find."""

from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import Field, PositiveInt, PrivateAttr

from graph.caching import CachingEncoder
from graph.catalog import LocalCatalog
from graph.parts import KnowledgeBase
from graph.retrieval.candidates import admissible
from graph.retrieval.search import NearestStatements, SearchParts, document_hits
from graph.turn import User
from ingestion.encoder import shared_encoder
from ingestion.evidence import Evidence
from ingestion.knowledge import open_knowledge
from ingestion.source_types import SOURCE_TYPES
from ingestion.statement_encoder import shared_statement_encoder

DEFAULT_K = 8


class EvidenceRetriever(BaseRetriever):
    """Evidence by dense and lexical search together, and that of the products a question names.

    A document is one evidence: `page_content` is its text, `id` its evidence id. Its metadata are `evidence_id`,
    `source_type`, `title`, `section`, `page`, `url`, `updated_at`, `product_id`, `generation`, the `score` by which it
    is ordered, and `start` and `end`: the code points of the statement in it that comes nearest to answering.

    Attributes:
        k: Most documents of a question.
        source_types: Kinds of evidence that are wanted.
        user: For whom evidence must hold: role, region and membership.
    """

    k: PositiveInt = DEFAULT_K
    source_types: frozenset[str] = SOURCE_TYPES
    user: User = Field(default_factory=User)
    _parts: SearchParts = PrivateAttr()

    def __init__(self, parts: SearchParts, **options: Any) -> None:  # noqa: ANN401 - the attributes
        """Search with these parts."""
        super().__init__(**options)
        self._parts = parts

    @property
    def knowledge(self) -> KnowledgeBase:
        """What is searched."""
        return self._parts.knowledge

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:  # noqa: ARG002 - the parent's signature
        wanted = admissible(self.user, datetime.now(UTC), self.knowledge.regions, query)
        found = [
            (evidence, score)
            for evidence, score in document_hits(self._parts, query)
            if evidence.source_type in self.source_types and wanted(evidence)
        ]
        return [self._document(query, *hit) for hit in found[: self.k]]

    def _document(self, query: str, evidence: Evidence, score: float) -> Document:
        nearest = next(iter(self._parts.finder.nearest([query], [evidence])), None)
        shown = ("evidence_id", "source_type", "title", "section", "page", "url", "updated_at", "product_id")
        metadata = {name: getattr(evidence, name) for name in shown} | {
            "generation": self.knowledge.generation,
            "score": score,
            "start": nearest.start if nearest else 0,
            "end": nearest.end if nearest else len(evidence.text),
        }
        return Document(evidence.text, id=evidence.evidence_id, metadata=metadata)


def open_retriever(
    index: Path | str,
    k: int = DEFAULT_K,
    source_types: AbstractSet[str] = SOURCE_TYPES,
    user: User | None = None,
) -> EvidenceRetriever:
    """Open an index folder as a retriever over the generation that answers now, with these attributes.

    Raises:
        KnowledgeError: The index was made with another statement encoder than the one that ships.
        MissingIndexError: There is no index.
        CorruptIndexError: The index is damaged.
    """
    statements = shared_statement_encoder()
    knowledge = open_knowledge(index)
    knowledge.check_statements(statements.fingerprint)
    finder = NearestStatements(CachingEncoder(statements), knowledge)
    parts = SearchParts(knowledge, CachingEncoder(shared_encoder()), finder, LocalCatalog(knowledge.products))
    return EvidenceRetriever(parts, k=k, source_types=frozenset(source_types), user=user or User())
