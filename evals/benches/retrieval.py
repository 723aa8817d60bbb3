"""How retrieval grows with the shop: indexes of ten thousand rows and more, built and asked."""

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import BaseModel
from rich.console import Console
from rich.table import Table

from evals.benches.retrieval_ask import SearchFigures, ask
from evals.benches.retrieval_build import Built, Progress, build, built
from evals.benches.retrieval_corpus import real_chunks
from evals.benches.sizes import sizes_up_to
from evals.errors import BusyFolderError
from evals.report import Latency

KINDS = ("dense", "lexical", "fused")
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


def use_two_cores() -> None:
    """Keep this process and those that it starts on two cores, so that figures of larger machines compare."""
    if hasattr(os, "sched_setaffinity"):  # only Linux can
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:_CORES])


def print_benchmark(console: Console, result: RetrievalBenchmark) -> None:
    """The figures as a table, one column a size."""
    columns = [_figures(one) for one in result.sizes]
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("chunks")
    for one in result.sizes:
        table.add_column(f"{one.chunks:,}", justify="right")
    for name in columns[0]:
        table.add_row(name, *(column[name] for column in columns))
    console.print(table)
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
