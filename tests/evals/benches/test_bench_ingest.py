"""The benchmark of ingestion: what it counts, and the shop that it makes."""

from collections.abc import Sequence
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from evals.benches.ingest import BAR, measure, print_benchmark, write_articles
from ingestion.encoder import DIMENSIONS, Vectors
from ingestion.ingest import ingest


class LengthEncoder:
    """Vectors of nothing but a text's length."""

    fingerprint = "length@1"
    max_tokens = 256

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def encode(self, texts: Sequence[str]) -> Vectors:
        vectors = np.ones((len(texts), DIMENSIONS), dtype=np.float32)
        vectors[:, 0] = [len(text) for text in texts]
        unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_both_rates_are_over_the_same_texts() -> None:
    result = measure(LengthEncoder(), repeat=2, articles=3)
    assert result.chunks >= 3
    assert result.texts <= result.chunks
    assert result.ingest_rate == pytest.approx(result.texts / result.ingest_seconds)
    assert result.encoder_rate == pytest.approx(result.texts / result.encoder_seconds)
    assert result.ratio == pytest.approx(result.ingest_rate / result.encoder_rate)
    assert result.reaches_bar == (result.ratio >= BAR)


def test_the_table_shows_rates_and_ratio() -> None:
    shown = StringIO()
    print_benchmark(Console(file=shown, width=100), measure(LengthEncoder(), repeat=1, articles=1))
    assert all(words in shown.getvalue() for words in ("whole ingest", "bare encoder", "Ratio"))


def test_generated_articles_are_the_same_every_time_and_as_many_as_asked_for(tmp_path: Path) -> None:
    write_articles(tmp_path / "one", 2)
    write_articles(tmp_path / "two", 2)
    write_articles(tmp_path / "other", 2, seed=1)
    assert files(tmp_path / "one") == files(tmp_path / "two") != files(tmp_path / "other")
    report = ingest([tmp_path / "one"], tmp_path / "index", encoder=LengthEncoder(), strict=True)
    assert report.evidence["help_article"] > 2
