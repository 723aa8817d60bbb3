"""The benchmark of ingestion: what it counts."""

from collections.abc import Sequence
from io import StringIO

import numpy as np
import pytest
from rich.console import Console

from evals.benches.ingest import BAR, measure, print_benchmark
from ingestion.encoder import DIMENSIONS, Vectors


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


def test_both_rates_are_over_the_same_texts() -> None:
    result = measure(LengthEncoder(), repeat=2)
    assert result.chunks >= 3
    assert result.texts <= result.chunks
    assert result.ingest_rate == pytest.approx(result.texts / result.ingest_seconds)
    assert result.encoder_rate == pytest.approx(result.texts / result.encoder_seconds)
    assert result.ratio == pytest.approx(result.ingest_rate / result.encoder_rate)
    assert result.reaches_bar == (result.ratio >= BAR)


def test_the_table_shows_rates_and_ratio() -> None:
    shown = StringIO()
    print_benchmark(Console(file=shown, width=100), measure(LengthEncoder(), repeat=1))
    assert all(words in shown.getvalue() for words in ("whole ingest", "bare encoder", "Ratio"))
