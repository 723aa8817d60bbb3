"""The chunking ablations of the how-to paper: chunkers, metadata and chunk sizes, each as an index that is searched.

They follow tables 4, 5 and 6 of Fuchs et al., *Optimizing Retrieval-Augmented Generation for E-Commerce How-To
Assistance*: a document is found at its best chunk, and everything but what is compared stays the same.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from evals.components.retrieval import Query
from evals.reports.last_turns import last_two_turns
from evals.rows.row import read_rows
from graph.parts import Encoder
from graph.retrieval.caching import CachingEncoder
from graph.retrieval.candidates import Candidates, convex_combination, find_candidates
from ingestion.chunking.cutter import ChunkerName, ChunkOptions
from ingestion.encoder import MAX_TOKENS, SentenceEncoder, shared_encoder
from ingestion.index import index_info
from ingestion.ingest import ingest
from ingestion.knowledge import IndexedKnowledge, open_knowledge
from ingestion.report import OVERALL
from ingestion.source_types import SOURCE_TYPES

PACKS = ("retrieval-techqa", "retrieval-doc2dial")
Split = Literal["train", "test"]
SPLITS: tuple[Split, ...] = ("train", "test")

WIDE_WINDOW = 512
"""Tokens that the embedding model has positions for; it was trained on half of them."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """A way to cut and embed, and the length of the model's window."""

    options: ChunkOptions
    window: int = MAX_TOKENS

    @property
    def folder(self) -> str:
        """A name for its index."""
        size = self.options.chunk_tokens or "full"
        metadata = "with" if self.options.metadata else "without"
        return f"{self.options.chunker}-{size}-{metadata}-metadata-{self.window}"


DEFAULT = Configuration(ChunkOptions())


CHUNKERS = {name: Configuration(replace(DEFAULT.options, chunker=name)) for name in get_args(ChunkerName)}
METADATA = {
    name: Configuration(replace(DEFAULT.options, metadata=given))
    for name, given in (("without", False), ("with", True))
}
SIZES = {
    str(size or "all there is room for"): Configuration(replace(DEFAULT.options, chunk_tokens=size))
    for size in (128, 192, None)
}
WIDE_SIZES = {
    str(size): Configuration(replace(DEFAULT.options, chunk_tokens=size), WIDE_WINDOW) for size in (128, 256, 384, 512)
}


@dataclass(frozen=True, slots=True)
class RankedDocuments:
    """A question's ranking: whether each document, best first, answers it, and how many documents do."""

    relevant: list[bool]
    total: int


@dataclass(frozen=True, slots=True)
class Measured:
    """What a configuration reaches on the rows of one split of one pack.

    Attributes:
        pack: Name of the pack.
        split: Which rows.
        configuration: What was measured.
        chunks: How many chunks the documents were cut into.
        tokens: Mean tokens of a chunk's text.
        dense: Rankings by the embedding alone, as in the paper.
        fused: Rankings by the search that ships.
    """

    pack: str
    split: Split
    configuration: Configuration
    chunks: int
    tokens: float
    dense: list[RankedDocuments]
    fused: list[RankedDocuments]


Progress = Callable[[str, int, int], None]
"""Called with what is measured next, what is done, and what there is in all."""


CONFIGURATIONS = tuple(
    dict.fromkeys(one for table in (CHUNKERS, METADATA, SIZES, WIDE_SIZES) for one in table.values())
)
"""Everything that is compared, once each."""


def measure(
    packs: Sequence[Path], configurations: Sequence[Configuration], folder: Path, progress: Progress
) -> Iterator[Measured]:
    """Index and search every pack in every configuration.

    Args:
        packs: Folders with `docs/` and `queries.jsonl`.
        configurations: What is compared.
        folder: Where the indexes are kept, so that a second run embeds nothing again.
        progress: Told how far it is.
    """
    tasks = [(pack, configuration) for pack in packs for configuration in configurations]
    for done, (pack, configuration) in enumerate(tasks):
        progress(f"{pack.name}: {configuration.folder}", done, len(tasks))
        yield from _measure(pack, configuration, folder / pack.name / configuration.folder)
    progress("", len(tasks), len(tasks))


def _measure(pack: Path, configuration: Configuration, index: Path) -> Iterator[Measured]:
    ingest([pack / "docs"], index, encoder=_encoder(configuration.window), chunking=configuration.options)
    knowledge = open_knowledge(index)
    try:
        texts = index_info(index)["texts"][OVERALL]
        for split in SPLITS:
            rows = [row for row in read_rows(pack / "queries.jsonl", Query, split) if row.gold]
            dense, fused = _rankings(knowledge, rows, _questions_encoder(configuration.window))
            yield Measured(pack.name, split, configuration, texts["evidence"], texts["tokens"]["mean"], dense, fused)
    finally:
        knowledge.close()


def _rankings(
    knowledge: IndexedKnowledge, rows: Sequence[Query], encoder: Encoder
) -> tuple[list[RankedDocuments], list[RankedDocuments]]:
    """The documents that meaning alone finds for each question, and those that the search that ships finds."""
    queries = [last_two_turns(row.query, [message.model_dump() for message in row.history]) for row in rows]
    encoder.encode(queries)  # all at once is faster; one by one they are remembered
    dense, fused = [], []
    for row, query in zip(rows, queries, strict=True):
        found = find_candidates(knowledge, encoder, [query], SOURCE_TYPES)
        documents = [one.row_id for one in knowledge.evidence(found.evidence_ids)]
        dense.append(_judged(documents, found.chunk_cosines, set(row.gold)))
        fused.append(_judged(documents, _fused(found), set(row.gold)))
    return dense, fused


def _fused(found: Candidates) -> NDArray[np.float32]:
    return convex_combination(found.chunk_cosines, found.lexical_shares, found.document_cosines)


def _judged(documents: Sequence[str], scores: NDArray[np.float32], gold: set[str]) -> RankedDocuments:
    ranked = dict.fromkeys(documents[position] for position in np.argsort(-scores, kind="stable"))
    return RankedDocuments([document in gold for document in ranked], len(gold))


@cache
def _encoder(window: int) -> SentenceEncoder:
    return shared_encoder() if window == MAX_TOKENS else SentenceEncoder(window)


@cache
def _questions_encoder(window: int) -> CachingEncoder:
    """Remembers questions, which are the same for every configuration."""
    return CachingEncoder(_encoder(window))
