"""How dense and lexical search are fused, beside the ensemble of LangChain."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_text_splitters import RecursiveCharacterTextSplitter
from numpy.typing import NDArray

from evals.components.retrieval import Query
from evals.metrics.information_retrieval import average_precision, hit
from evals.report import Metric, mean_metric
from evals.reports.last_turns import last_two_turns
from evals.rows.row import read_rows
from graph.parts import Encoder
from graph.retrieval.candidates import (
    CHUNK_MEANING,
    DOCUMENT_MEANING,
    WORDS,
    Candidates,
    convex_combination,
    find_candidates,
)
from ingestion.encoder import shared_encoder
from ingestion.ingest import ingest
from ingestion.knowledge import IndexedKnowledge, open_knowledge
from ingestion.readers.documents import split_front_matter
from ingestion.source_types import SOURCE_TYPES

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


DEPTH = 5
PACKS = ("retrieval-techqa", "retrieval-doc2dial")
SPLITS = ("train", "test")
PEER = "peer: LangChain's splitter and vector search"

Ranking = Callable[[Candidates], NDArray[np.float32]]


def _chunks_and_words(found: Candidates) -> NDArray[np.float32]:
    combined = CHUNK_MEANING * found.chunk_cosines + WORDS * found.lexical_shares
    return np.asarray(combined, dtype=np.float32)


def _by_rank(found: Candidates) -> NDArray[np.float32]:
    return -np.arange(len(found.evidence_ids), dtype=np.float32)


def _fused(found: Candidates) -> NDArray[np.float32]:
    return convex_combination(found.chunk_cosines, found.lexical_shares, found.document_cosines)


RANKINGS: Mapping[str, Ranking] = {
    "words alone (BM25)": lambda found: found.lexical_shares,
    "meaning alone (bi-encoder)": lambda found: found.chunk_cosines,
    "reciprocal rank fusion": _by_rank,
    "convex combination of meaning and words": _chunks_and_words,
    "the same with the document's meaning (default)": _fused,
}
"""From the candidates of a question to their scores."""


@dataclass(frozen=True, slots=True)
class FusionMetrics:
    """What a ranking reaches on the rows of one split that have gold, over the first five documents."""

    pack: str
    split: str
    ranking: str
    hit_1: Metric
    hit_5: Metric
    mean_average_precision: Metric


def compare_rankings(packs: Sequence[Path], folder: Path) -> Iterator[FusionMetrics]:
    """Score every ranking on every pack and split.

    Args:
        packs: Folders with `docs/` and `queries.jsonl`.
        folder: Where their indexes are kept between runs.
    """
    for pack in packs:
        index = folder / pack.name
        ingest([pack / "docs"], index)
        knowledge = open_knowledge(index)
        peer = peer_search(pack / "docs", shared_encoder())
        try:
            for split in SPLITS:
                rows = [row for row in read_rows(pack / "queries.jsonl", Query, split) if row.gold]
                found = [_candidates(knowledge, row) for row in rows]
                for name, ranking in RANKINGS.items():
                    judged = [_judged(row, one.ranked(ranking)) for row, one in zip(rows, found, strict=True)]
                    yield _figures(pack.name, split, name, judged)
                judged = [_judged(row, peer(_standalone(row))) for row in rows]
                yield _figures(pack.name, split, PEER, judged)
        finally:
            knowledge.close()


@dataclass(frozen=True, slots=True)
class _Found:
    """Candidates of a question, and the document each belongs to."""

    candidates: Candidates
    documents: list[str]

    def ranked(self, ranking: Ranking) -> list[str]:
        """Documents of the candidates, best candidate first."""
        return [self.documents[position] for position in np.argsort(-ranking(self.candidates), kind="stable")]


def _candidates(knowledge: IndexedKnowledge, row: Query) -> _Found:
    candidates = find_candidates(knowledge, shared_encoder(), [_standalone(row)], SOURCE_TYPES)
    return _Found(candidates, [one.row_id for one in knowledge.evidence(candidates.evidence_ids)])


def _standalone(row: Query) -> str:
    return last_two_turns(row.query, [message.model_dump() for message in row.history])


Judged = tuple[list[bool], int]
"""Whether each document is gold, best first, and how many gold documents there are."""


def _judged(row: Query, documents: Sequence[str]) -> Judged:
    gold = set(row.gold)
    return [document in gold for document in dict.fromkeys(documents)], len(gold)


def _figures(pack: str, split: str, ranking: str, judged: Sequence[Judged]) -> FusionMetrics:
    return FusionMetrics(
        pack=pack,
        split=split,
        ranking=ranking,
        hit_1=mean_metric([hit(relevant, 1) for relevant, _ in judged]),
        hit_5=mean_metric([hit(relevant, DEPTH) for relevant, _ in judged]),
        mean_average_precision=mean_metric([average_precision(relevant, total, DEPTH) for relevant, total in judged]),
    )


def as_markdown(figures: Sequence[FusionMetrics]) -> str:
    """The report: a table for each pack and split."""
    parts = [_INTRODUCTION]
    for pack, split in dict.fromkeys((one.pack, one.split) for one in figures):
        rows = [one for one in figures if (one.pack, one.split) == (pack, split)]
        note = "chooses" if split == "train" else "only reports"
        parts += [f"## {pack}, {split} rows (n = {rows[0].hit_1.n}; this split {note})", _table(rows)]
    return "\n\n".join(parts) + "\n"


def _table(rows: Sequence[FusionMetrics]) -> str:
    head = "| ranking | Hit@1 | Hit@5 | mAP | 95 % interval of mAP |\n|---|---|---|---|---|"
    return "\n".join([head, *map(_line, rows)])


def _line(one: FusionMetrics) -> str:
    low, high = one.mean_average_precision.ci95 or (float("nan"), float("nan"))
    values = [one.hit_1.value, one.hit_5.value, one.mean_average_precision.value]
    cells = " | ".join("-" if value is None else f"{value:.3f}" for value in values)
    return f"| {one.ranking} | {cells} | {low:.3f} .. {high:.3f} |"


_INTRODUCTION = f"""# Rankings of shop-wide search

Written by `footnote report fusion`. Dense and lexical search each give their best 50 chunks; reciprocal rank fusion
joins them to one list of candidates, and a score ranks these. A document counts at its best chunk. The query is the
question after the user's turn before it, if there is one. The weights of the default ({CHUNK_MEANING} meaning of the
chunk, {WORDS} words, {DOCUMENT_MEANING} meaning of its whole document) were chosen on train rows."""
