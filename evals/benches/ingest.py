"""How fast a whole ingest is beside the bare embedding model."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import BaseModel
from rich.console import Console

from app.cli.console import table_of
from app.demo import shop_path
from evals.report import timed
from ingestion.embedding_cache import TextEncoder
from ingestion.encoder import Vectors
from ingestion.ingest import ingest

BAR = 0.85
"""Share of the bare model's rate that a whole ingest is to reach."""


class IngestBenchmark(BaseModel):
    """The best of several runs, each into a fresh index and each followed by the bare model.

    Attributes:
        chunks: Pieces of evidence.
        texts: Different texts that were embedded for them.
        tokens: Tokens of these texts, cut to the model's window.
        repeat: How often both were measured.
        ingest_seconds: A whole ingest, models loaded.
        encoder_seconds: The embedding model alone, given all the texts at once.
        ingest_rate: Texts a second of the ingest.
        encoder_rate: Texts a second of the model alone.
        ratio: The first rate over the second.
        reaches_bar: Whether that is 0.85 at least.
    """

    chunks: int
    texts: int
    tokens: int
    repeat: int
    ingest_seconds: float
    encoder_seconds: float
    ingest_rate: float
    encoder_rate: float
    ratio: float
    reaches_bar: bool


@dataclass(slots=True)
class _Watched:
    """An embedding model that notes what it is asked."""

    model: TextEncoder
    texts: list[str] = field(default_factory=list)

    @property
    def fingerprint(self) -> str:
        return self.model.fingerprint

    @property
    def max_tokens(self) -> int:
        return self.model.max_tokens

    def count_tokens(self, text: str) -> int:
        return self.model.count_tokens(text)

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return self.model.encode(texts)


@dataclass(frozen=True, slots=True)
class _Run:
    """An ingest, and the bare model over the texts that it embedded."""

    chunks: int
    texts: list[str]
    ingest_seconds: float
    encoder_seconds: float


def measure(model: TextEncoder, repeat: int) -> IngestBenchmark:
    """Ingest the demo shop into fresh indexes, and embed its texts with the model alone.

    Args:
        model: The embedding model.
        repeat: How often; the best of each is taken, for other work on the machine only ever slows.
    """
    model.encode(["loads the model"])
    with TemporaryDirectory() as scratch:
        runs = [_run([shop_path()], Path(scratch, str(number)), model) for number in range(repeat)]
    best = min(runs, key=lambda run: run.ingest_seconds)
    encoder_seconds = min(run.encoder_seconds for run in runs)
    ratio = encoder_seconds / best.ingest_seconds
    return IngestBenchmark(
        chunks=best.chunks,
        texts=len(best.texts),
        tokens=sum(min(model.count_tokens(text), model.max_tokens) for text in best.texts),
        repeat=repeat,
        ingest_seconds=best.ingest_seconds,
        encoder_seconds=encoder_seconds,
        ingest_rate=len(best.texts) / best.ingest_seconds,
        encoder_rate=len(best.texts) / encoder_seconds,
        ratio=ratio,
        reaches_bar=ratio >= BAR,
    )


def _run(shop: Sequence[Path], index: Path, model: TextEncoder) -> _Run:
    watched = _Watched(model)
    report, whole_ms = timed(lambda: ingest(shop, index, encoder=watched))
    _, alone_ms = timed(lambda: model.encode(watched.texts))
    return _Run(sum(report.evidence.values()), watched.texts, whole_ms / 1000, alone_ms / 1000)


def print_benchmark(console: Console, result: IngestBenchmark) -> None:
    """The rates as a table, and their ratio."""
    console.print(
        f"{result.chunks:,} chunks: {result.texts:,} different texts, "
        f"{result.tokens / result.texts:.0f} tokens each; best of {result.repeat}",
        soft_wrap=True,
    )
    rates = (
        ("whole ingest", f"{result.ingest_seconds:.2f}", f"{result.ingest_rate:.1f}"),
        ("bare encoder", f"{result.encoder_seconds:.2f}", f"{result.encoder_rate:.1f}"),
    )
    console.print(table_of(("", "seconds", "texts a second"), rates))
    verdict = "reached" if result.reaches_bar else "not reached"
    console.print(f"\nRatio {result.ratio:.3f} (bar {BAR}: {verdict})")
