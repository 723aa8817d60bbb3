"""How fast a whole ingest is beside the bare embedding model."""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import BaseModel
from rich.console import Console

from app.cli.console import table_of
from app.demo import shop_path
from ingestion.embedding_cache import TextEncoder
from ingestion.encoder import Vectors
from ingestion.ingest import ingest
from ingestion.spans import sentence_spans

_SECTIONS = 6
_SECTION_SENTENCES = (6, 16)


def write_articles(folder: Path, count: int, seed: int = 0) -> None:
    """Write help articles of the demo shop's sentences, each of about six chunks.

    Args:
        folder: Where to; made where it is missing.
        count: How many.
        seed: Another seed gives other texts.
    """
    folder.mkdir(parents=True, exist_ok=True)
    source = random.Random(seed)  # noqa: S311 - nothing secret
    sentences = _sentences()
    for number in range(count):
        (folder / f"article-{number:06}.md").write_text(_article(source, sentences, number), encoding="utf-8")


def _sentences() -> list[str]:
    texts = [path.read_text(encoding="utf-8") for path in sorted(shop_path().rglob("*.md"))]
    prose = [line for text in texts for line in text.splitlines() if line[:1].isupper()]
    return list(dict.fromkeys(line[start:end] for line in prose for start, end in sentence_spans(line)))


def _heading(source: random.Random, sentences: list[str]) -> str:
    return " ".join(source.choice(sentences).rstrip(".!?").split()[:5])


def _article(source: random.Random, sentences: list[str], number: int) -> str:
    title = f"{_heading(source, sentences)} ({number})"
    parts = [f"# {title}"]
    for _ in range(_SECTIONS):
        parts += [
            f"## {_heading(source, sentences)}",
            " ".join(source.sample(sentences, source.randint(*_SECTION_SENTENCES))),
        ]
    return "\n\n".join(parts) + "\n"


BAR = 0.85
"""Share of the bare model's rate that a whole ingest is to reach."""
_GENERATED_DOCUMENTS = 150
_WARM_UP_DOCUMENTS = 2


class IngestBenchmark(BaseModel):
    """The best of several runs, each into a fresh index and each followed by the bare model.

    Attributes:
        shop: What was ingested.
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
        stages: Seconds of the ingest by stage; what is embedded while files are read counts as reading.
    """

    shop: list[str]
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
    stages: dict[str, float]


@dataclass(slots=True)
class _Watched:
    """An embedding model that notes what it is asked and when, and when reading was heard of last."""

    model: TextEncoder
    began: float
    read: float = 0.0
    texts: list[str] = field(default_factory=list)
    spans: list[tuple[float, float]] = field(default_factory=list)

    @property
    def fingerprint(self) -> str:
        return self.model.fingerprint

    @property
    def max_tokens(self) -> int:
        return self.model.max_tokens

    def count_tokens(self, text: str) -> int:
        return self.model.count_tokens(text)

    def encode(self, texts: Sequence[str]) -> Vectors:
        started = time.perf_counter()
        vectors = self.model.encode(texts)
        self.spans.append((started, time.perf_counter()))
        self.texts += texts
        return vectors

    def progress(self, stage: str, _done: int, _total: int) -> None:
        if stage == "read":
            self.read = time.perf_counter()

    def stages(self, ended: float) -> dict[str, float]:
        """Seconds of each stage, in their order."""
        embedded = max(self.read, *(end for _, end in self.spans))
        embedding = sum(max(0.0, end - max(start, self.read)) for start, end in self.spans)
        return {
            "read and cut": self.read - self.began,
            "embed": embedding,
            "look up and keep": embedded - self.read - embedding,
            "write": ended - embedded,
        }


@dataclass(frozen=True, slots=True)
class _Run:
    """An ingest, and the bare model over the texts that it embedded."""

    chunks: int
    texts: list[str]
    ingest_seconds: float
    encoder_seconds: float
    stages: dict[str, float]


def measure(shop: Sequence[Path], model: TextEncoder, repeat: int) -> IngestBenchmark:
    """Ingest a shop into fresh indexes, and embed its texts with the model alone.

    Args:
        shop: Its files; none for the demo shop with generated articles, about 2,000 chunks.
        model: The embedding model.
        repeat: How often; the best of each is taken, for other work on the machine only ever slows.
    """
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        write_articles(folder / "warm-up", _WARM_UP_DOCUMENTS)
        ingest([folder / "warm-up"], folder / "warm-up-index", encoder=model)
        if not shop:
            write_articles(folder / "generated", _GENERATED_DOCUMENTS)
        paths = list(shop) or [shop_path(), folder / "generated"]
        runs = [_run(paths, folder / f"index-{number}", model) for number in range(repeat)]
    best = min(runs, key=lambda run: run.ingest_seconds)
    encoder_seconds = min(run.encoder_seconds for run in runs)
    ratio = encoder_seconds / best.ingest_seconds
    return IngestBenchmark(
        shop=[str(path) for path in shop] or ["demo shop", f"{_GENERATED_DOCUMENTS} generated articles"],
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
        stages=best.stages,
    )


def _run(shop: Sequence[Path], index: Path, model: TextEncoder) -> _Run:
    watched = _Watched(model, time.perf_counter())
    report = ingest(shop, index, encoder=watched, progress=watched.progress)
    ended = time.perf_counter()
    model.encode(watched.texts)
    alone = time.perf_counter() - ended
    chunks = sum(report.evidence.values())
    return _Run(chunks, watched.texts, ended - watched.began, alone, watched.stages(ended))


def print_benchmark(console: Console, result: IngestBenchmark) -> None:
    """The rates, their ratio, and where the time goes, as tables."""
    console.print(
        f"{result.chunks:,} chunks of {', '.join(result.shop)}: {result.texts:,} different texts, "
        f"{result.tokens / result.texts:.0f} tokens each; best of {result.repeat}",
        soft_wrap=True,
    )
    rates = (
        ("whole ingest", f"{result.ingest_seconds:.2f}", f"{result.ingest_rate:.1f}"),
        ("bare encoder", f"{result.encoder_seconds:.2f}", f"{result.encoder_rate:.1f}"),
    )
    console.print(table_of(("", "seconds", "texts a second"), rates))
    verdict = "reached" if result.reaches_bar else "not reached"
    console.print(f"\nRatio {result.ratio:.3f} (bar {BAR}: {verdict})\n")
    stages = [(name, f"{spent:.2f}", f"{spent / result.ingest_seconds:.1%}") for name, spent in result.stages.items()]
    console.print(table_of(("stage", "seconds", "share"), stages))
