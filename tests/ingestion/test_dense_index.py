"""The dense index: what it finds."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from ingestion.dense_index import FEW_ROWS, DenseIndex, write_dense_index
from ingestion.encoder import Vectors
from ingestion.evidence import Evidence

SOURCE_TYPES = ("help_article", "manual", "payment")
SIZE = 300


def rows(count: int, source_types: Sequence[str] = SOURCE_TYPES) -> list[Evidence]:
    return [
        Evidence(f"{kind}:{number}", kind, "text", "title", str(number))
        for number in range(count)
        for kind in [source_types[number % len(source_types)]]
    ]


def directions(count: int, seed: int = 0) -> Vectors:
    vectors = np.random.default_rng(seed).standard_normal((count, 16), dtype=np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def answers(folder: Path, vectors: Vectors, source_types: Sequence[str] = SOURCE_TYPES) -> list[list[str]]:
    """What is found by walking graphs, and by reading what is few; that it is the same is part of every test."""
    ways = []
    for few_rows in (0, FEW_ROWS):
        with closing(DenseIndex(folder, few_rows)) as index:
            ways.append([[key for key, _ in index.nearest(one, frozenset(source_types), 10)] for one in vectors])
    walked, read = ways
    assert walked == read
    return walked


def found(folder: Path, vector: Vectors, source_types: Sequence[str] = SOURCE_TYPES) -> list[str]:
    return answers(folder, vector.reshape(1, -1), source_types)[0]


def exactly(
    evidence: Sequence[Evidence], vectors: Vectors, vector: Vectors, source_types: Sequence[str] = SOURCE_TYPES
) -> list[str]:
    order = np.argsort(-(vectors @ vector))
    return [evidence[row].evidence_id for row in order if evidence[row].source_type in source_types][:10]


@pytest.mark.parametrize("asked", [SOURCE_TYPES, ("manual",), ("payment", "manual"), ("payment", "warranty")])
def test_the_nearest_of_the_types_asked_for_are_those_of_exact_search(tmp_path: Path, asked: tuple[str, ...]) -> None:
    evidence, vectors = rows(SIZE), directions(SIZE)
    write_dense_index(tmp_path, evidence, vectors)
    questions = directions(20, seed=1)
    assert answers(tmp_path, questions, asked) == [exactly(evidence, vectors, one, asked) for one in questions]


def test_scores_are_cosines_whatever_the_length_of_the_question(tmp_path: Path) -> None:
    vectors = directions(3)
    write_dense_index(tmp_path, rows(3), vectors)
    for few_rows in (0, FEW_ROWS):
        with closing(DenseIndex(tmp_path, few_rows)) as index:
            [(key, score)] = index.nearest(vectors[1] * 7, frozenset(SOURCE_TYPES), 1)
            assert (key, round(score, 4)) == ("manual:1", 1.0)
            assert index.nearest(vectors[1], frozenset({"warranty"}), 5) == []


def test_evidence_that_is_equally_near_comes_in_the_order_of_its_id(tmp_path: Path) -> None:
    write_dense_index(tmp_path, rows(9), np.repeat(directions(1), 9, axis=0))
    assert found(tmp_path, directions(1)[0]) == sorted(one.evidence_id for one in rows(9))


def test_nothing_is_left_to_index_when_it_is_opened(tmp_path: Path) -> None:
    write_dense_index(tmp_path, rows(5_003, ["manual"]), directions(5_003))
    with closing(sqlite3.connect(tmp_path / "chroma" / "chroma.sqlite3")) as database:
        [(waiting,)] = database.execute("SELECT count(*) FROM embeddings_queue")
    assert waiting <= 1  # Chroma always keeps the last


def test_an_index_of_nothing_finds_nothing(tmp_path: Path) -> None:
    write_dense_index(tmp_path, [], directions(0))
    assert found(tmp_path, directions(1)[0]) == []
