"""The dense index: what it finds, and how one is made from the one before."""

import hashlib
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from ingestion.dense_index import FEW_ROWS, DenseIndex, read_record, write_dense_index
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


def files(folder: Path) -> dict[str, str]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def folders(path: Path) -> tuple[Path, Path]:
    before, after = path / "before", path / "after"
    before.mkdir()
    after.mkdir()
    return before, after


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


def test_a_build_that_was_killed_goes_on_with_what_is_missing(tmp_path: Path) -> None:
    evidence, vectors = rows(5_003, ["manual"]), directions(5_003)

    def kill(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_dense_index(tmp_path, evidence, vectors, progress=kill)
    with pytest.raises(OSError, match=r"dense\.json"):
        read_record(tmp_path)
    told = []
    write_dense_index(tmp_path, evidence, vectors, progress=lambda *done: told.append(done))
    assert told[-1] == (5_003, 5_003)
    some = [0, 2_501, 5_002]
    assert [one[0] for one in answers(tmp_path, vectors[some])] == [evidence[row].evidence_id for row in some]


def test_a_build_that_was_killed_while_a_graph_was_saved_begins_again(tmp_path: Path) -> None:
    evidence, vectors = rows(SIZE), directions(SIZE)
    write_dense_index(tmp_path, evidence, vectors)
    for part in tmp_path.rglob("*.bin"):
        part.write_bytes(b"")
    (tmp_path / "chroma" / "saving").touch()
    write_dense_index(tmp_path, evidence, vectors)
    assert found(tmp_path, vectors[0]) == exactly(evidence, vectors, vectors[0])
    assert not (tmp_path / "chroma" / "saving").exists()


def test_an_index_made_from_the_one_before_answers_like_one_built_afresh(tmp_path: Path) -> None:
    before, after = folders(tmp_path)
    evidence, vectors = rows(SIZE), directions(SIZE)
    write_dense_index(before, evidence, vectors)
    untouched = files(before)

    evidence, vectors = evidence[10:], vectors[10:].copy()
    vectors[:5] = directions(5, seed=2)
    evidence += [Evidence("manual:new", "manual", "text", "title", "new"), *rows(4, ["warranty"])]
    vectors = np.vstack([vectors, directions(5, seed=3)])
    write_dense_index(after, evidence, vectors, before)

    assert read_record(after).changed == 10 + 5 + 1 + 4
    assert files(before) == untouched
    asked = (*SOURCE_TYPES, "warranty")
    questions = np.vstack([directions(20, seed=1), vectors[:5], vectors[-5:]])
    assert answers(after, questions, asked) == [exactly(evidence, vectors, one, asked) for one in questions]


def test_a_source_type_that_is_gone_is_found_no_more(tmp_path: Path) -> None:
    before, after = folders(tmp_path)
    evidence, vectors = [*rows(SIZE), *rows(3, ["warranty"])], directions(SIZE + 3)
    write_dense_index(before, evidence, vectors)
    write_dense_index(after, evidence[:SIZE], vectors[:SIZE], before)
    assert read_record(after).changed == 3
    assert found(after, vectors[-1], ("warranty",)) == []


def test_changes_add_up_until_the_graph_is_built_again(tmp_path: Path) -> None:
    evidence, vectors = rows(SIZE), directions(SIZE)
    changed = []
    previous = None
    for generation in range(4):
        folder = tmp_path / str(generation)
        folder.mkdir()
        vectors = vectors.copy()
        vectors[:25] = directions(25, seed=generation + 10)
        write_dense_index(folder, evidence, vectors, previous)
        assert found(folder, vectors[0])[0] == evidence[0].evidence_id  # a reader changes nothing that counts
        changed.append(read_record(folder).changed)
        previous = folder
    assert changed == [0, 25, 50, 0]


@pytest.mark.parametrize(
    "damage",
    ["no record", "record", "other parameters", "no chroma", "database", "graph", "half a graph", "rows missing"],
)
def test_whatever_ails_the_one_before_a_fresh_index_is_built(tmp_path: Path, damage: str) -> None:
    before, after = folders(tmp_path)
    evidence, vectors = rows(SIZE), directions(SIZE)
    write_dense_index(before, evidence, vectors)
    record = before / "dense.json"
    if damage == "no record":
        record.unlink()
    elif damage == "record":
        record.write_text('{"parameters": {}, "digests": [1]}')
    elif damage == "other parameters":
        record.write_text(json.dumps(json.loads(record.read_text()) | {"parameters": {"space": "l2"}}))
    elif damage == "no chroma":
        (before / "chroma").rename(before / "elsewhere")
    elif damage == "database":
        (before / "chroma" / "chroma.sqlite3").write_bytes(b"garbage" * 1000)
    elif damage == "graph":
        for header in before.rglob("header.bin"):
            header.write_bytes(b"")
    elif damage == "half a graph":
        for part in before.rglob("*.bin"):
            part.write_bytes(part.read_bytes()[: part.stat().st_size // 2])
    else:
        write_dense_index(tmp_path, evidence[:-1], vectors[:-1])
        (tmp_path / "chroma").rename(before / "chroma.fewer")
        (before / "chroma").rename(before / "chroma.whole")
        (before / "chroma.fewer").rename(before / "chroma")
    changed = vectors.copy()
    changed[0] = directions(1, seed=2)
    write_dense_index(after, evidence, changed, before)
    assert read_record(after).changed == 0
    assert found(after, changed[0]) == exactly(evidence, changed, changed[0])


def test_an_index_of_nothing_finds_nothing(tmp_path: Path) -> None:
    before, after = folders(tmp_path)
    write_dense_index(before, [], directions(0))
    write_dense_index(after, rows(3), directions(3), before)
    assert found(before, directions(1)[0]) == []
    assert len(found(after, directions(1)[0])) == 3
