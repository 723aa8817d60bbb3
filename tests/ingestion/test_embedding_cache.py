"""The cache: nothing that has not changed is read or embedded again, and nothing unused is kept."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from ingestion.embedding_cache import CACHE_NAME, TextEncoder
from ingestion.encoder import Vectors
from ingestion.ingest import ingest
from ingestion.knowledge import open_knowledge
from ingestion.report import IngestReport

WriteShop = Callable[[Mapping[str, object]], Path]
Ingest = Callable[[Mapping[str, object]], IngestReport]

ARTICLE = "# Boots\n\nGrease them.\n\n## Laces\n\n" + "Tie them well. " * 200


class Watched:
    """An encoder that remembers what it was asked, and can be told to fail."""

    def __init__(self, encoder: TextEncoder) -> None:
        self._encoder = encoder
        self.fingerprint, self.max_tokens = encoder.fingerprint, encoder.max_tokens
        self.embedded: list[str] = []
        self.fails_after = 1_000_000

    def count_tokens(self, text: str) -> int:
        return self._encoder.count_tokens(text)

    def encode(self, texts: Sequence[str]) -> Vectors:
        if len(self.embedded) >= self.fails_after:
            message = "out of luck"
            raise RuntimeError(message)
        self.embedded += texts
        return self._encoder.encode(texts)


@pytest.fixture
def watched(encoder: TextEncoder) -> Watched:
    return Watched(encoder)


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index"


@pytest.fixture
def run(write_shop: WriteShop, watched: Watched, index: Path) -> Ingest:
    return lambda files: ingest([write_shop(files)], index, encoder=watched)


def cached(index: Path, table: str) -> int:
    with closing(sqlite3.connect(index / CACHE_NAME)) as cache:
        return int(cache.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608


def test_a_run_after_a_change_reads_and_embeds_only_what_changed(run: Ingest, watched: Watched) -> None:
    reviews = [{"id": f"r{n}", "product_id": "p", "text": f"Review {n} of it."} for n in range(20)]
    run({"reviews.jsonl": reviews, "a.md": ARTICLE, "b.md": "# Tents\n\nDry it."})
    watched.embedded = []
    run({"reviews.jsonl": [{**reviews[0], "text": "Quite another."}, *reviews[1:]], "b.md": "# Tents\n\nAir it."})
    assert len(watched.embedded) == 2


def test_a_document_from_the_cache_is_what_it_was_when_it_was_read(
    run: Ingest, index: Path, watched: Watched, write_shop: WriteShop
) -> None:
    front = "---\ntitle: Boots\nupdated_at: 2026-05-01\nteam: shoes\nsince: 2020-01-01\n---\n"
    files = {"a.md": front + ARTICLE, "b.md": "Text."}
    run(files)
    report = run({"b.md": "Another text."})
    assert report.changes.changed == {"help_article": 1}
    fresh = index.with_name("fresh")
    ingest([write_shop({})], fresh, encoder=watched)
    ids = [f"help_article:a#{number}" for number in (1, 2, 3)]
    old, new = open_knowledge(index), open_knowledge(fresh)
    assert old.evidence(ids) == new.evidence(ids)
    assert old.extra_columns(ids[0]) == new.extra_columns(ids[0]) == {"team": "shoes", "since": "2020-01-01"}


def test_a_problem_of_a_document_is_reported_whenever_it_is_met(run: Ingest) -> None:
    first = run({"a.md": "Text.", "b.pdf": b"no pdf"})
    again = run({"a.md": "Another text."})
    assert first.skipped == again.skipped
    assert len(again.skipped) == 1


def test_a_moved_document_is_read_under_its_new_name(run: Ingest, index: Path, write_shop: WriteShop) -> None:
    run({"a.md": "Text."})
    (write_shop({}) / "a.md").rename(write_shop({}) / "b.md")
    run({})
    assert open_knowledge(index).row_ids() == {"b"}


def test_a_change_of_a_url_embeds_nothing(run: Ingest, index: Path) -> None:
    fact = {"id": "f", "source_type": "delivery", "text": "Two days."}
    run({"facts.jsonl": [fact]})
    report = run({"facts.jsonl": [{**fact, "url": "https://x.example"}]})
    assert report.embedded == 0
    assert open_knowledge(index).evidence(["delivery:f"])[0].url == "https://x.example"


def test_texts_that_are_alike_are_embedded_once(run: Ingest, index: Path) -> None:
    report = run({"reviews.jsonl": [{"id": f"r{n}", "product_id": "p", "text": "Good."} for n in range(5)]})
    assert report.embedded == 1
    vectors = open_knowledge(index).vectors([f"review:r{n}" for n in range(5)])
    assert (vectors == vectors[0]).all()
    assert vectors[0].any()


def test_what_a_failed_run_has_embedded_is_not_embedded_again(run: Ingest, watched: Watched) -> None:
    reviews = [{"id": f"r{n}", "product_id": "p", "text": f"Review {n} of it."} for n in range(1500)]
    watched.fails_after = 700
    with pytest.raises(RuntimeError, match="out of luck"):
        run({"reviews.jsonl": reviews})
    done = len(watched.embedded)
    watched.fails_after = 1_000_000
    assert 0 < run({"reviews.jsonl": reviews}).embedded == 1500 - done


def test_what_a_finished_run_has_not_used_leaves_the_cache(run: Ingest, index: Path) -> None:
    for number in range(3):
        run({"a.md": f"Text {number}."})
    assert cached(index, "embedding") == cached(index, "document") == 1


def test_a_run_that_fails_removes_nothing_from_the_cache(run: Ingest, index: Path, watched: Watched) -> None:
    run({"a.md": "Text."})
    watched.fails_after = 0
    for number in range(6):
        with pytest.raises(RuntimeError):
            run({"a.md": f"Text {number}."})
    assert cached(index, "embedding") == 1
    assert cached(index, "document") == 7


def test_a_cache_that_is_damaged_within_is_made_again(run: Ingest, index: Path) -> None:
    run({"reviews.jsonl": [{"id": f"r{n}", "product_id": "p", "text": f"Review {n}."} for n in range(50)]})
    path = index / CACHE_NAME
    content = path.read_bytes()
    path.write_bytes(content[:8192] + b"\xa5" * (len(content) - 8192))
    assert run({"a.md": "Text."}).evidence == {"help_article": 1, "review": 50}


def test_half_a_character_in_a_sidecar_breaks_no_run(run: Ingest, index: Path) -> None:
    run({"a.md": "Text.", "a.meta.json": '{"team": "shoes\\ud83d"}'})
    assert open_knowledge(index).extra_columns("help_article:a") == {"team": "shoes"}
