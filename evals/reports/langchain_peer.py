"""A peer: what LangChain's stock pieces find over the same documents with the same embedding model."""

from collections.abc import Callable, Sequence
from pathlib import Path

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_text_splitters import RecursiveCharacterTextSplitter

from graph.parts import Encoder
from ingestion.readers.documents import split_front_matter

CHUNK_CHARACTERS, OVERLAP_CHARACTERS = 1000, 200
"""Sizes of LangChain's own retrieval tutorial."""
CHUNKS = 50
"""As many as our own candidates; the tutorial takes 4, which could only find fewer documents."""


class PeerEmbeddings(Embeddings):
    """Our encoder as LangChain calls it."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed texts."""
        vectors: list[list[float]] = self._encoder.encode(texts).tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """Embed a question."""
        return self.embed_documents([text])[0]


def peer_search(folder: Path, encoder: Encoder) -> Callable[[str], Sequence[str]]:
    """Index Markdown documents as LangChain does, and search them.

    Args:
        folder: Markdown files whose front matter names their `id`.
        encoder: Embeds chunks and questions.

    Returns:
        From a question to the ids of the documents of its nearest chunks, best first, with repetitions.
    """
    splitter = RecursiveCharacterTextSplitter(chunk_size=CHUNK_CHARACTERS, chunk_overlap=OVERLAP_CHARACTERS)
    parted = [split_front_matter(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.md"))]
    loaded = [Document(text, metadata={"id": str(front["id"])}) for front, text in parted]
    store = InMemoryVectorStore.from_documents(splitter.split_documents(loaded), PeerEmbeddings(encoder))
    return lambda query: [found.metadata["id"] for found in store.similarity_search(query, k=CHUNKS)]
