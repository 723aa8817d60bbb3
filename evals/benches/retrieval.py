"""How retrieval grows with the shop: indexes of ten thousand rows and more, built and asked."""

import os
import re
import resource
import shutil
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray
from pydantic import BaseModel
from rich.console import Console

from app.cli.console import table_of
from app.errors import InputError
from evals.benches.retrieval_corpus import Corpus, CorpusQuestion, held_out, open_vectors, real_chunks
from evals.report import Latency, latency, timed
from graph.retrieval.candidates import CANDIDATES, reciprocal_rank_fusion
from ingestion.dense_index import CHROMA_FOLDER, DenseIndex, write_dense_index
from ingestion.encoder import Vectors
from ingestion.lexical_index import LEXICAL_FOLDER, LexicalIndex, write_lexical_index

_BUILT = "built.json"

Progress = Callable[[str, int, int], None]
"""Called with the stage (`lexical` or `dense`), the rows done and the rows there are."""


class BusyFolderError(InputError):
    """Another benchmark is at work in the folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"Another benchmark is at work in {folder}. Wait until it has finished, or name another --folder."
        )


class Built(BaseModel):
    """How an index was built.

    Attributes:
        dense_seconds: Building the dense index.
        lexical_seconds: Building the lexical index, likewise.
        dense_bytes: What it takes on disk.
        lexical_bytes: Likewise.
        peak_bytes: Most resident memory of the process that finished it.
    """

    dense_seconds: float
    lexical_seconds: float
    dense_bytes: int
    lexical_bytes: int
    peak_bytes: int


def generation_folder(folder: Path, size: int) -> Path:
    """Where the index of so many rows lies."""
    return folder / f"rows-{size}"


def built(folder: Path, size: int) -> Built | None:
    """What was noted when the index of so many rows was finished."""
    path = generation_folder(folder, size) / _BUILT
    return Built.model_validate_json(path.read_text(encoding="utf-8")) if path.exists() else None


def build(folder: Path, size: int, progress: Progress) -> Built:
    """Build the index of the first rows of the corpus."""
    place = generation_folder(folder, size)
    shutil.rmtree(place, ignore_errors=True)  # a build that was killed begins anew
    place.mkdir(parents=True)
    chunks = real_chunks(folder)
    vectors = open_vectors(folder, chunks, size)
    corpus = Corpus(chunks, size)
    _, lexical_ms = timed(lambda: write_lexical_index(place, corpus, partial(progress, "lexical")))
    _, dense_ms = timed(lambda: write_dense_index(place, corpus, vectors, partial(progress, "dense")))
    noted = Built(
        dense_seconds=dense_ms / 1000,
        lexical_seconds=lexical_ms / 1000,
        dense_bytes=_bytes(place / CHROMA_FOLDER),
        lexical_bytes=_bytes(place / LEXICAL_FOLDER),
        peak_bytes=peak_bytes(),
    )
    (place / _BUILT).write_text(noted.model_dump_json(), encoding="utf-8")
    return noted


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def peak_bytes() -> int:
    """Most resident memory of this process so far; `getrusage` also counts what its parent held before it started."""
    status = Path("/proc/self/status")
    if status.exists() and (found := re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="ascii"))):
        return int(found[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


TOP = 10
_QUESTIONS = 200
_WARM_UP = 50
_TIMED_EXACTLY = 20


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
    truth = [exact.nearest(question) for question in questions]
    hits = sum(len(rows & {_row(key) for key in keys}) for rows, keys in zip(truth, found, strict=True))
    return SearchFigures(
        questions=len(questions),
        recall_at_10=hits / sum(map(len, truth)),
        open_seconds=opened,
        peak_bytes=peak,
        dense=latency(times[search.dense]),
        lexical=latency(times[search.lexical]),
        fused=latency(times[search.fused]),
        exact=latency(_timed(exact.nearest, questions[:_TIMED_EXACTLY])),
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

    def nearest(self, question: CorpusQuestion) -> set[int]:
        """The rows of the nearest vectors."""
        wanted = np.isin(self._names, list(question.source_types))[self._kinds]
        cosines = np.where(wanted, self._vectors @ question.vector, -np.inf)
        return {int(row) for row in np.argsort(-cosines)[:TOP] if wanted[row]}


def _timed(search: Callable[[CorpusQuestion], object], questions: Sequence[CorpusQuestion]) -> list[float]:
    """Milliseconds of each question."""
    return [timed(partial(search, question))[1] for question in questions]


def _row(evidence_id: str) -> int:
    return int(evidence_id.rpartition("-")[2])


KINDS = ("dense", "lexical", "fused")
SMALLEST, STEP = 10_000, 10
"""The fewest rows, and how many times more each size has than the one before."""
_CORES = 2


class SizeResult(BaseModel):
    """An index of one size, and what asking it found."""

    chunks: int
    built: Built
    asked: SearchFigures


class RetrievalBenchmark(BaseModel):
    """How retrieval grows.

    Attributes:
        cores: Cores that it ran on.
        real_chunks: Chunks of the demo shop that the corpus is made from.
        cosine: The median cosine of a chunk to its nearest other, and of a row to its chunk.
        sizes: One entry a size, smallest first.
        growth: Median milliseconds at the largest size over those at the smallest, by kind of search.
    """

    cores: int
    real_chunks: int
    cosine: float
    sizes: list[SizeResult]
    growth: dict[str, float]


def measure(folder: Path, chunks: int, progress: Progress) -> RetrievalBenchmark:
    """Build what is not built yet, and ask every index.

    Args:
        folder: Where the indexes are kept.
        chunks: Rows of the largest index.
        progress: Told how far a build is.

    Raises:
        BusyFolderError: Another run is at work in the folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(folder / "bench.lock", timeout=0):
            real = real_chunks(folder)
            sizes = [_measured(folder, size, progress) for size in sizes_up_to(chunks)]
    except Timeout as error:
        raise BusyFolderError(folder) from error
    return RetrievalBenchmark(
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        real_chunks=len(real.vectors),
        cosine=round(real.cosine, 4),
        sizes=sizes,
        growth={kind: round(_p50(sizes[-1], kind) / _p50(sizes[0], kind), 2) for kind in KINDS},
    )


def sizes_up_to(largest: int) -> list[int]:
    """Sizes each ten times the one before, from ten thousand on, and the largest."""
    sizes = []
    size = SMALLEST
    while size < largest:
        sizes.append(size)
        size *= STEP
    return [*sizes, largest]


def use_two_cores() -> None:
    """Keep this process and those that it starts on two cores, so that figures of larger machines compare."""
    if hasattr(os, "sched_setaffinity"):  # only Linux can
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:_CORES])


def print_benchmark(console: Console, result: RetrievalBenchmark) -> None:
    """The figures as a table, one column a size."""
    columns = [_figures(one) for one in result.sizes]
    sizes = [f"{one.chunks:,}" for one in result.sizes]
    console.print(table_of(("chunks", *sizes), [(name, *(one[name] for one in columns)) for name in columns[0]]))
    growth = ", ".join(f"{kind} {factor:.2f}" for kind, factor in result.growth.items())
    console.print(f"growth of p50 from the smallest to the largest: {growth}", soft_wrap=True)
    console.print(
        f"{result.cores} cores; rows around {result.real_chunks:,} real chunks at a cosine of {result.cosine:.2f}; "
        f"{result.sizes[-1].asked.questions} held-out questions",
        style="dim",
        soft_wrap=True,
    )


def _measured(folder: Path, size: int, progress: Progress) -> SizeResult:
    note = built(folder, size) or build(folder, size, progress)
    # A process of its own holds nothing of the build, so that its memory is that of asking.
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        return SizeResult(chunks=size, built=note, asked=process.submit(ask, folder, size).result())


def _figures(one: SizeResult) -> dict[str, str]:
    note, asked = one.built, one.asked
    seconds = note.dense_seconds + note.lexical_seconds
    return {
        "build, s": f"{seconds:,.0f}",
        "build, chunks/s": f"{one.chunks / seconds:,.0f}",
        "disk, GiB": _gigabytes(note.dense_bytes + note.lexical_bytes),
        "memory building, GiB": _gigabytes(note.peak_bytes),
        "memory asking, GiB": _gigabytes(asked.peak_bytes),
        "opening, s": f"{asked.open_seconds:.1f}",
        "recall@10": f"{asked.recall_at_10:.4f}",
        "dense, ms p50 / p95": _times(asked.dense),
        "lexical, ms p50 / p95": _times(asked.lexical),
        "fused, ms p50 / p95": _times(asked.fused),
        "exact, ms p50 / p95": _times(asked.exact),
    }


def _gigabytes(size: int) -> str:
    return f"{size / 2**30:.2f}"


def _times(latency: Latency) -> str:
    return f"{latency.p50:.1f} / {latency.p95:.1f}"


def _p50(one: SizeResult, kind: str) -> float:
    return float(getattr(one.asked, kind).p50)
