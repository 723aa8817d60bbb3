"""`footnote bench retrieval`: the corpus it makes, and what it measures on a small one."""

from io import StringIO

import numpy as np
import pytest
from rich.console import Console

from evals.benches.retrieval import Corpus, measure, print_benchmark, sizes_up_to
from evals.shops import ShopData
from ingestion.encoder import DIMENSIONS
from ingestion.evidence import Evidence

CHUNKS = 40
TEXTS = ["A tent weighs {0} kg. It packs into a bag of {0} litres!", "Is the phone {0} worth it? Yes, {0} times."]
KINDS = ("help_article", "manual", "payment")
REAL = tuple(
    Evidence(f"{KINDS[one % 3]}:{one}", KINDS[one % 3], TEXTS[one % 2].format(one), f"Title {one}", row_id=str(one))
    for one in range(CHUNKS)
)


@pytest.fixture
def corpus() -> Corpus:
    vectors = np.random.default_rng(0).standard_normal((CHUNKS, DIMENSIONS), dtype=np.float32) + 1
    return Corpus(REAL, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def test_rows_are_the_same_every_time_and_differ(corpus: Corpus) -> None:
    rows, vectors = corpus.rows(200)
    again, same = corpus.rows(200)
    assert rows == again
    assert np.array_equal(vectors, same)
    assert len({row.evidence_id for row in rows}) == len({row.text for row in rows}) == 200


def test_a_row_is_as_near_to_its_chunk_as_chunks_are_to_their_nearest_others(corpus: Corpus) -> None:
    _, vectors = corpus.rows(2_000)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.median((vectors @ corpus.vectors.T).max(axis=1)) == pytest.approx(corpus.cosine, abs=0.03)


def test_questions_are_no_rows_and_ask_for_the_types_of_an_intent_that_reads_their_chunk(corpus: Corpus) -> None:
    _, vectors = corpus.rows(2_000)
    for question in corpus.questions(20):
        assert float((vectors @ question.vector).max()) < 0.999
        assert question.source_types & set(KINDS)
        assert any(question.text in chunk.text for chunk in REAL)


def test_each_size_is_ten_times_the_one_before() -> None:
    assert sizes_up_to(300) == [300]
    assert sizes_up_to(1_000_000) == [10_000, 100_000, 1_000_000]


def test_an_index_is_built_asked_and_compared_with_exact_search() -> None:
    result = measure(300, lambda *_: None, ShopData({}, REAL))
    [one] = result.sizes
    assert one.chunks == 300
    assert one.recall_at_10 > 0.99
    assert one.peak_bytes > 0 < one.disk_bytes
    written = StringIO()
    print_benchmark(Console(file=written, width=120), result)
    assert "recall@10" in written.getvalue()
