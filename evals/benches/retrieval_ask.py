"""Asking a built index: recall against exact search, and how long a question takes."""

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from evals.benches.process_memory import peak_bytes
from evals.benches.retrieval_build import generation_folder
from evals.benches.retrieval_corpus import Corpus, CorpusQuestion, held_out, open_vectors, real_chunks
from evals.report import Latency, latency
from graph.retrieval.candidates import CANDIDATES, reciprocal_rank_fusion
from ingestion.dense_index import DenseIndex
from ingestion.encoder import Vectors
from ingestion.lexical_index import LexicalIndex

TOP = 10
_QUESTIONS = 200
_WARM_UP = 50
_TIMED_EXACTLY = 20
_BLOCK = 50_000


class SearchFigures(BaseModel):
    """What asking an index found.

    Attributes:
        questions: How many held-out questions were asked.
        recall_at_10: Share of the ten nearest, by exact search, that are among the first ten found.
        open_seconds: From opening the folder to the first answer of each kind of search.
        peak_bytes: Most resident memory of the process that asked, before it searched exactly.
        dense: Milliseconds of a question by dense search.
        lexical: By lexical search.
        fused: By both, fused.
        exact: By exact dense search.
    """

    questions: int
    recall_at_10: float
    open_seconds: float
    peak_bytes: int
    dense: Latency
    lexical: Latency
    fused: Latency
    exact: Latency


def ask(folder: Path, size: int) -> SearchFigures:
    """Ask the index of the first rows of the corpus held-out questions."""
    chunks = real_chunks(folder)
    questions = held_out(chunks, _WARM_UP + _QUESTIONS)
    warm_up, questions = questions[:_WARM_UP], questions[_WARM_UP:]
    with closing(_Search(generation_folder(folder, size))) as search:
        opened = _timed(search.fused, warm_up)[0] / 1000
        times = {kind: _timed(kind, questions) for kind in (search.fused, search.dense, search.lexical)}
        peak = peak_bytes()
        found = [search.dense(question)[:TOP] for question in questions]
    exact = _Exact(Corpus(chunks, size).source_types(), open_vectors(folder, chunks, size))
    truth = exact.nearest(questions)
    hits = sum(len(rows & {_row(key) for key in keys}) for rows, keys in zip(truth, found, strict=True))
    return SearchFigures(
        questions=len(questions),
        recall_at_10=hits / sum(map(len, truth)),
        open_seconds=opened,
        peak_bytes=peak,
        dense=latency(times[search.dense]),
        lexical=latency(times[search.lexical]),
        fused=latency(times[search.fused]),
        exact=latency(_timed(lambda question: exact.nearest([question]), questions[:_TIMED_EXACTLY])),
    )


class _Search:
    """The product's searches of an index."""

    def __init__(self, place: Path) -> None:
        self._dense = DenseIndex(place)
        self._lexical = LexicalIndex(place)

    def dense(self, question: CorpusQuestion) -> list[str]:
        return [key for key, _ in self._dense.nearest(question.vector, question.source_types, CANDIDATES)]

    def lexical(self, question: CorpusQuestion) -> list[str]:
        return [key for key, _ in self._lexical.search(question.text, question.source_types, CANDIDATES)]

    def fused(self, question: CorpusQuestion) -> list[str]:
        return reciprocal_rank_fusion([self.dense(question), self.lexical(question)])

    def close(self) -> None:
        self._dense.close()
        self._lexical.close()


class _Exact:
    """Exact search: every vector of the source types asked for is compared."""

    def __init__(self, source_types: NDArray[np.str_], vectors: Vectors) -> None:
        self._vectors = vectors
        self._names, self._kinds = np.unique(source_types, return_inverse=True)

    def nearest(self, questions: Sequence[CorpusQuestion]) -> list[set[int]]:
        """The rows of the nearest vectors for each question."""
        asked = np.stack([question.vector for question in questions])
        wanted = np.array([[name in question.source_types for name in self._names] for question in questions])
        best = np.full((len(questions), TOP), -np.inf, dtype=np.float32)
        rows = np.full((len(questions), TOP), -1)
        for start in range(0, len(self._vectors), _BLOCK):
            block = self._vectors[start : start + _BLOCK]
            cosines = asked @ block.T
            cosines[~wanted[:, self._kinds[start : start + _BLOCK]]] = -np.inf
            best = np.hstack([best, cosines])
            numbers = np.broadcast_to(np.arange(start, start + len(block)), cosines.shape)
            rows = np.hstack([rows, numbers])
            top = np.argpartition(-best, TOP - 1, axis=1)[:, :TOP]
            best, rows = np.take_along_axis(best, top, 1), np.take_along_axis(rows, top, 1)
        return [
            {int(row) for row, cosine in zip(*pair, strict=True) if np.isfinite(cosine)}
            for pair in zip(rows, best, strict=True)
        ]


def _timed(search: Callable[[CorpusQuestion], object], questions: Sequence[CorpusQuestion]) -> list[float]:
    """Milliseconds of each question."""
    times = []
    for question in questions:
        started = time.perf_counter()
        search(question)
        times.append((time.perf_counter() - started) * 1000)
    return times


def _row(evidence_id: str) -> int:
    return int(evidence_id.rpartition("-")[2])
