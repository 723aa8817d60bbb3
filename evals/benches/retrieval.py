"""How retrieval grows with the shop: indexes of ten thousand rows and more, built, asked and thrown away.

A row's vector is that of a real chunk of the demo shop plus noise. The noise has the covariance of the real vectors, so
that the rows fill the space that language fills and no more dimensions. It is so strong that a row is as near to its
chunk as real chunks are to their nearest others (the median cosine). A row's text is the chunk's own sentences and
those of two others, shuffled.
"""

import os
import random
import re
import resource
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel
from rich.console import Console

from app.cli.console import table_of
from app.demo import shop_path
from evals.report import Latency, latency, timed
from evals.shops import ShopData, read_folder
from graph.intents.entropy import SOURCES_BY_INTENT
from graph.retrieval.candidates import CANDIDATES, reciprocal_rank_fusion
from ingestion.dense_index import DenseIndex, write_dense_index
from ingestion.encoder import Vectors, shared_encoder
from ingestion.evidence import Evidence
from ingestion.lexical_index import LexicalIndex, write_lexical_index
from ingestion.spans import sentence_spans

SMALLEST, STEP = 10_000, 10
"""The fewest rows, and how many times more each size has than the one before."""
BLOCK = 10_000
TOP = 10
QUESTIONS, WARM_UP, TIMED_EXACTLY = 200, 50, 20
_SEED = 20_260_601
_OTHERS = 2
_CORES = 2
_VECTORS = "vectors.npy"

Progress = Callable[[str, int, int], None]
"""Called with the stage (`lexical` or `dense`), the rows done and the rows there are."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Real chunks, and as many rows as are wanted that differ from them as much as they do.

    Attributes:
        chunks: The real chunks.
        vectors: Their embeddings.
    """

    chunks: Sequence[Evidence]
    vectors: Vectors

    @property
    def cosine(self) -> float:
        """The median cosine of a chunk to its nearest other."""
        cosines = self.vectors @ self.vectors.T
        np.fill_diagonal(cosines, -1.0)
        return float(np.median(cosines.max(axis=1)))

    def noisy(self, bases: NDArray[np.int64], source: np.random.Generator) -> Iterator[Vectors]:
        """Unit vectors around those of the chunks `bases`, block by block."""
        _, scales, axes = np.linalg.svd(self.vectors - self.vectors.mean(axis=0), full_matrices=False)
        spread, strength = (scales[:, None] * axes).astype(np.float32), np.float32(np.sqrt(1 / self.cosine**2 - 1))
        for start in range(0, len(bases), BLOCK):
            block = self.vectors[bases[start : start + BLOCK]]
            noise = source.standard_normal((len(block), len(spread)), dtype=np.float32) @ spread
            rows = block + strength * noise / np.linalg.norm(noise, axis=1, keepdims=True)
            yield rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def rows(self, size: int) -> tuple[list[Evidence], Vectors]:
        """Rows with their vectors; the same in every run."""
        source, choice = np.random.default_rng(_SEED), random.Random(_SEED)  # noqa: S311 - nothing secret
        bases = source.integers(0, len(self.chunks), size)
        sentences = [_sentences(chunk) for chunk in self.chunks]
        evidence = []
        for number, base in enumerate(bases.tolist()):
            parts = [base, *(choice.randrange(len(sentences)) for _ in range(_OTHERS))]
            said = [sentence for part in parts for sentence in sentences[part]]
            choice.shuffle(said)
            kind, title = self.chunks[base].source_type, f"{self.chunks[base].title} {number}"
            row = f"row-{number}"
            evidence.append(Evidence(f"{kind}:{row}", kind, " ".join(said), title, row_id=row))
        return evidence, np.concatenate(list(self.noisy(bases, source)))

    def questions(self, count: int) -> "list[Asked]":
        """Questions made like rows, of which they are none."""
        source, choice = np.random.default_rng([_SEED, 1]), random.Random(_SEED)  # noqa: S311 - nothing secret
        bases = source.integers(0, len(self.chunks), count)
        vectors = np.concatenate(list(self.noisy(bases, source)))
        return [
            Asked(vector, choice.choice(_sentences(self.chunks[base])), _read(self.chunks[base].source_type, choice))
            for base, vector in zip(bases.tolist(), vectors, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: a vector, a sentence of the chunk it comes from, and what an intent reads that can answer it."""

    vector: Vectors
    text: str
    source_types: frozenset[str]


def _sentences(chunk: Evidence) -> list[str]:
    return [chunk.text[start:end] for start, end in sentence_spans(chunk.text)] or [chunk.text]


def _read(source_type: str, choice: random.Random) -> frozenset[str]:
    reading = [types for types in SOURCES_BY_INTENT.values() if source_type in types]
    return choice.choice(reading) if reading else frozenset({source_type})


class SizeResult(BaseModel):
    """An index of one size, and what asking it found.

    Attributes:
        chunks: Its rows.
        build_seconds: Writing the dense and the lexical index.
        disk_bytes: What both take.
        recall_at_10: Share of the ten nearest, by exact search, that are among the first ten found.
        open_seconds: From opening the folder to the first answer.
        peak_bytes: Most resident memory of the process that asked, before it searched exactly.
        dense: Milliseconds of a question by dense search.
        lexical: By lexical search.
        fused: By both, fused.
        exact: By exact dense search.
    """

    chunks: int
    build_seconds: float
    disk_bytes: int
    recall_at_10: float
    open_seconds: float
    peak_bytes: int
    dense: Latency
    lexical: Latency
    fused: Latency
    exact: Latency


class RetrievalBenchmark(BaseModel):
    """How retrieval grows.

    Attributes:
        real_chunks: Chunks that the rows are made from.
        cosine: The median cosine of a chunk to its nearest other, and of a row to its chunk.
        sizes: One entry a size, smallest first.
    """

    real_chunks: int
    cosine: float
    sizes: list[SizeResult]


def measure(chunks: int, progress: Progress, shop: ShopData | None = None) -> RetrievalBenchmark:
    """Build indexes of ten thousand rows, ten times as many, and so on, and ask each.

    Args:
        chunks: Rows of the largest index.
        progress: Told how far a build is.
        shop: Where the real chunks come from; the demo shop if None.
    """
    real = (shop or read_folder(shop_path())).evidence
    corpus = Corpus(real, shared_encoder().encode([f"{one.title}\n{one.text}" for one in real]))
    sizes = [_measured(corpus, size, progress) for size in sizes_up_to(chunks)]
    return RetrievalBenchmark(real_chunks=len(real), cosine=round(corpus.cosine, 4), sizes=sizes)


def sizes_up_to(largest: int) -> list[int]:
    """Sizes each ten times the one before, from ten thousand on, and the largest."""
    sizes, size = [], SMALLEST
    while size < largest:
        sizes.append(size)
        size *= STEP
    return [*sizes, largest]


def use_two_cores() -> None:
    """Keep this process and those that it starts on two cores, so that figures of larger machines compare."""
    if hasattr(os, "sched_setaffinity"):  # only Linux can
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:_CORES])


def _measured(corpus: Corpus, size: int, progress: Progress) -> SizeResult:
    with TemporaryDirectory(prefix="footnote-") as scratch:
        folder = Path(scratch)
        rows, vectors = corpus.rows(size)
        _, lexical_ms = timed(lambda: write_lexical_index(folder, rows))
        _, dense_ms = timed(lambda: write_dense_index(folder, rows, vectors, partial(progress, "dense")))
        disk = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        np.save(folder / _VECTORS, vectors)
        kinds = np.asarray([row.source_type for row in rows])
        # A process of its own holds nothing of the build, so that its memory is that of asking.
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            found = process.submit(ask, folder, kinds, corpus.questions(WARM_UP + QUESTIONS)).result()
    return SizeResult(chunks=size, build_seconds=(lexical_ms + dense_ms) / 1000, disk_bytes=disk, **found)


def ask(folder: Path, kinds: NDArray[np.str_], questions: Sequence[Asked]) -> dict[str, float | Latency]:
    """Ask the index in a folder; of the questions the first warm up.

    Args:
        folder: Where it lies, with the vectors of its rows.
        kinds: The source type of each row.
        questions: More than warm up.
    """
    warm_up, questions = questions[:WARM_UP], questions[WARM_UP:]

    def dense(one: Asked) -> list[str]:
        return [key for key, _ in dense_index.nearest(one.vector, one.source_types, CANDIDATES)]

    def lexical(one: Asked) -> list[str]:
        return [key for key, _ in lexical_index.search(one.text, one.source_types, CANDIDATES)]

    def fused(one: Asked) -> list[str]:
        return reciprocal_rank_fusion([dense(one), lexical(one)])

    def exact(one: Asked) -> set[str]:
        cosines = np.where(np.isin(kinds, list(one.source_types)), vectors @ one.vector, -np.inf)
        return {f"{kinds[row]}:row-{row}" for row in np.argsort(-cosines)[:TOP] if np.isfinite(cosines[row])}

    def times(search: Callable[[Asked], object], asked: Sequence[Asked] = questions) -> Latency:
        return latency([timed(partial(search, one))[1] for one in asked])

    def opened() -> tuple[DenseIndex, LexicalIndex]:
        indexes = DenseIndex(folder), LexicalIndex(folder)
        indexes[0].nearest(warm_up[0].vector, warm_up[0].source_types, 1)
        return indexes

    (dense_index, lexical_index), open_ms = timed(opened)
    with closing(dense_index), closing(lexical_index):
        times(fused, warm_up)
        figures = {search.__name__: times(search) for search in (dense, lexical, fused)}
        peak, found = peak_bytes(), [dense(one)[:TOP] for one in questions]
    vectors = np.load(folder / _VECTORS, mmap_mode="r")
    truth = [exact(one) for one in questions]
    hits = sum(len(rows.intersection(keys)) for rows, keys in zip(truth, found, strict=True))
    return {
        **figures,
        "exact": times(exact, questions[:TIMED_EXACTLY]),
        "recall_at_10": hits / sum(map(len, truth)),
        "open_seconds": open_ms / 1000,
        "peak_bytes": peak,
    }


def peak_bytes() -> int:
    """Most resident memory of this process so far; `getrusage` also counts what its parent held before it started."""
    status = Path("/proc/self/status")
    if status.exists() and (found := re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="ascii"))):
        return int(found[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def print_benchmark(console: Console, result: RetrievalBenchmark) -> None:
    """The figures as a table, one column a size."""
    columns = [_figures(one) for one in result.sizes]
    sizes = [f"{one.chunks:,}" for one in result.sizes]
    console.print(table_of(("chunks", *sizes), [(name, *(one[name] for one in columns)) for name in columns[0]]))
    console.print(
        f"rows around {result.real_chunks:,} real chunks at a cosine of {result.cosine:.2f}; {QUESTIONS} questions",
        style="dim",
        soft_wrap=True,
    )


def _figures(one: SizeResult) -> dict[str, str]:
    shown = {
        "build, s": f"{one.build_seconds:,.0f}",
        "build, chunks/s": f"{one.chunks / one.build_seconds:,.0f}",
        "disk, GiB": f"{one.disk_bytes / 2**30:.2f}",
        "memory asking, GiB": f"{one.peak_bytes / 2**30:.2f}",
        "opening, s": f"{one.open_seconds:.1f}",
        "recall@10": f"{one.recall_at_10:.4f}",
    }
    kinds = {"dense": one.dense, "lexical": one.lexical, "fused": one.fused, "exact": one.exact}
    return shown | {f"{name}, ms p50 / p95": f"{kind.p50:.1f} / {kind.p95:.1f}" for name, kind in kinds.items()}
