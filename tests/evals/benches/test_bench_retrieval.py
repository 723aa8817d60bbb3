"""`footnote bench retrieval`: the corpus it makes, and what it measures on a small one."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import typer
from filelock import FileLock
from typer.testing import CliRunner

from evals.benches.retrieval import BusyFolderError, build, built, generation_folder, measure
from evals.benches.retrieval_corpus import BLOCK, Corpus, RealChunks, held_out, open_vectors, real_chunks
from evals.commands import register
from ingestion.encoder import DIMENSIONS

CHUNKS = 40
TEXTS = ["A tent weighs {0} kg. It packs into a bag of {0} litres!", "Is the phone {0} worth it? Yes, {0} times."]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with its real chunks in it, so that nothing has to be embedded."""
    source = np.random.default_rng(0)
    vectors = source.standard_normal((CHUNKS, DIMENSIONS), dtype=np.float32) + 1
    np.save(tmp_path / "chunks.npy", vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    kinds = ("help_article", "manual", "payment")
    rows = [(kinds[one % 3], f"Title {one}", TEXTS[one % 2].format(one)) for one in range(CHUNKS)]
    (tmp_path / "chunks.json").write_text(json.dumps(rows))
    return tmp_path


@pytest.fixture
def chunks(folder: Path) -> RealChunks:
    return real_chunks(folder)


@pytest.fixture
def cores() -> Iterator[None]:
    before = os.sched_getaffinity(0)
    yield
    os.sched_setaffinity(0, before)


def test_a_corpus_is_the_beginning_of_every_larger_one(folder: Path, chunks: RealChunks) -> None:
    few, many = Corpus(chunks, 30), Corpus(chunks, BLOCK + 30)
    assert list(few) == many[:30]
    assert len({one.evidence_id for one in many}) == len(many)
    larger = np.array(open_vectors(folder, chunks, BLOCK + 30))
    assert np.array_equal(open_vectors(folder, chunks, 30), larger[:30])


def test_vectors_that_a_killed_run_left_unfinished_are_finished(folder: Path, chunks: RealChunks) -> None:
    whole = np.array(open_vectors(folder, chunks, 2 * BLOCK))
    with (folder / "vectors.f32").open("ab") as file:
        file.truncate(int(1.5 * BLOCK) * DIMENSIONS * 4)
    assert np.array_equal(open_vectors(folder, chunks, 2 * BLOCK), whole)


def test_a_row_is_as_near_to_its_chunk_as_chunks_are_to_their_nearest_others(folder: Path, chunks: RealChunks) -> None:
    vectors = open_vectors(folder, chunks, 2_000)
    nearest = np.asarray(vectors @ chunks.vectors.T).max(axis=1)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.median(nearest) == pytest.approx(chunks.cosine, abs=0.03)


def test_a_rows_text_is_made_of_whole_sentences_of_its_own_chunk_and_others(chunks: RealChunks) -> None:
    known = {sentence for sentences in chunks.sentences for sentence in sentences}
    for row in Corpus(chunks, 20):
        own = chunks.sentences[int(row.title.split()[1])]
        assert all(sentence in row.text for sentence in own)
        rest = row.text
        for sentence in sorted(known, key=len, reverse=True):
            rest = rest.replace(sentence, "")
        assert not rest.strip()


def test_questions_are_no_rows_and_ask_for_the_types_of_an_intent_that_reads_their_chunk(
    folder: Path, chunks: RealChunks
) -> None:
    vectors = open_vectors(folder, chunks, BLOCK)
    for question in held_out(chunks, 20):
        assert float((vectors @ question.vector).max()) < 0.999
        assert question.source_types & {"help_article", "manual", "payment"}
        assert any(question.text in sentences for sentences in chunks.sentences)


def test_a_build_that_was_killed_goes_on_and_one_that_is_whole_is_not_done_again(folder: Path) -> None:
    def kill(stage: str, _done: int, _total: int) -> None:
        if stage == "dense":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(folder, 300, kill)
    assert built(folder, 300) is None
    noted = build(folder, 300, lambda *_: None)
    assert built(folder, 300) == noted
    assert (generation_folder(folder, 300) / "chroma").is_dir()


@pytest.mark.usefixtures("cores")
def test_the_command_builds_asks_and_compares_with_exact_search(folder: Path) -> None:
    app = typer.Typer()
    register(app)
    arguments = ["bench", "retrieval", "--chunks", "300", "--folder", str(folder)]
    result = CliRunner().invoke(app, [*arguments, "--json"])
    assert (result.exit_code, result.exception) == (0, None)
    told = json.loads(result.stdout)
    [one] = told["sizes"]
    assert one["chunks"] == 300
    assert one["asked"]["recall_at_10"] > 0.99
    assert one["asked"]["questions"] == 200
    assert told["growth"] == {"dense": 1.0, "lexical": 1.0, "fused": 1.0}
    assert one["built"]["peak_bytes"] > 0 < one["asked"]["peak_bytes"]

    shown = CliRunner().invoke(app, arguments)
    assert shown.exit_code == 0
    assert built(folder, 300) == type(built(folder, 300)).model_validate(one["built"])
    assert "recall@10" in shown.stdout


@pytest.mark.usefixtures("cores")
def test_two_runs_in_one_folder_do_not_meet(folder: Path) -> None:
    with FileLock(folder / "bench.lock"), pytest.raises(BusyFolderError, match="name another --folder"):
        measure(folder, 300, lambda *_: None)
