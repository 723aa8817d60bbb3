"""Generations: which answers, which are kept, and going back."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from ingestion.embedding_cache import TextEncoder
from ingestion.errors import CorruptIndexError, MissingGenerationError, MissingIndexError, NoEarlierGenerationError
from ingestion.generations import (
    KEPT_GENERATIONS,
    complete_generations,
    generation_path,
    latest_generation,
    remove_leftovers,
)
from ingestion.index import index_info, roll_back
from ingestion.ingest import ingest
from ingestion.knowledge import open_knowledge
from ingestion.report import Changes, IngestReport

WriteShop = Callable[[Mapping[str, object]], Path]
Ingest = Callable[[str], IngestReport]


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index"


@pytest.fixture
def say(write_shop: WriteShop, encoder: TextEncoder, index: Path) -> Ingest:
    """Ingest a shop of one article that says this."""
    return lambda text: ingest([write_shop({"a.md": text})], index, encoder=encoder)


def said(index: Path) -> str:
    knowledge = open_knowledge(index)
    text = knowledge.evidence(["help_article:a"])[0].text
    knowledge.close()
    return text


def test_a_rollback_lets_the_generation_before_answer_and_removes_nothing(say: Ingest, index: Path) -> None:
    good, bad = say("Good."), say("Bad.")
    assert roll_back(index) == (bad.generation, good.generation)
    assert said(index) == "Good."
    assert complete_generations(index) == [good.generation, bad.generation]


def test_a_rollback_goes_to_a_named_generation_forward_too(say: Ingest, index: Path) -> None:
    one, _, three = say("One."), say("Two."), say("Three.")
    roll_back(index, one.generation)
    assert said(index) == "One."
    roll_back(index, three.generation)
    assert said(index) == "Three."


def test_after_a_rollback_the_same_bad_files_answer_again_and_the_run_says_so(say: Ingest, index: Path) -> None:
    good, _ = say("Good."), say("Bad.")
    roll_back(index)
    again = say("Bad.")
    assert said(index) == "Bad."
    assert not again.unchanged
    assert again.changes == Changes(good.generation, changed={"help_article": 1})


def test_after_a_rollback_the_files_it_was_made_from_change_nothing(say: Ingest, index: Path) -> None:
    good, _ = say("Good."), say("Bad.")
    roll_back(index)
    assert say("Good.").unchanged
    assert latest_generation(index) == good.generation


def test_a_second_rollback_skips_what_was_left_by_the_first(say: Ingest, index: Path) -> None:
    say("Good.")
    say("Bad.")
    roll_back(index)
    say("Bad, too.")
    roll_back(index)
    assert said(index) == "Good."


def test_without_an_earlier_generation_a_rollback_says_what_there_is(say: Ingest, index: Path) -> None:
    only = say("Only.")
    with pytest.raises(NoEarlierGenerationError, match="It is the only one"):
        roll_back(index)
    with pytest.raises(MissingGenerationError, match=f"It has: {only.generation}"):
        roll_back(index, "gone")
    with pytest.raises(MissingIndexError):
        roll_back(index.with_name("nowhere"))
    assert not index.with_name("nowhere").exists()


def test_a_damaged_generation_is_not_rolled_back_to(say: Ingest, index: Path) -> None:
    good, bad = say("Good."), say("Bad.")
    (generation_path(index, good.generation) / "knowledge.sqlite").write_bytes(b"garbage")
    with pytest.raises(CorruptIndexError):
        roll_back(index)
    assert latest_generation(index) == bad.generation


def test_what_answers_is_kept_however_old_it_is(say: Ingest, index: Path) -> None:
    first = say("First.")
    for number in range(KEPT_GENERATIONS - 1):
        say(f"Text {number}.")
    roll_back(index, first.generation)
    remove_leftovers(index)
    assert said(index) == "First."


def test_what_answered_before_is_kept_beside_what_was_left(say: Ingest, index: Path) -> None:
    good = say("Good.")
    say("Bad 1.")
    say("Bad 2.")
    roll_back(index, good.generation)
    say("Bad 3.")
    assert roll_back(index)[1] == good.generation


def test_the_changes_of_a_run_are_counted_by_kind(write_shop: WriteShop, encoder: TextEncoder, index: Path) -> None:
    heron, wren = ({"id": name, "name": name, "attributes": {"Weight": "2 kg"}} for name in ("heron", "wren"))
    files: dict[str, object] = {"products.jsonl": [heron, wren], "help/a.md": "Text.", "help/b.md": "Text."}
    first = ingest([write_shop(files)], index, encoder=encoder)
    assert first.changes == Changes(None, added={"help_article": 2, "product": 2, "spec": 2})
    shop = write_shop({"products.jsonl": [{**heron, "url": "https://x.example"}], "help/a.md": "New text."})
    (shop / "help/b.md").rename(shop / "help/c.md")
    second = ingest([shop], index, encoder=encoder)
    assert second.changes == Changes(
        first.generation,
        added={"help_article": 1},
        changed={"help_article": 1, "product": 1, "spec": 1},
        removed={"help_article": 1, "product": 1, "spec": 1},
    )
    assert json.loads(second.to_json())["changes"]["removed"] == {"help_article": 1, "product": 1, "spec": 1}
    third = ingest([shop], index, encoder=encoder)
    assert third.changes == Changes(second.generation)


def test_a_change_of_an_unknown_column_alone_is_a_change(
    write_shop: WriteShop, encoder: TextEncoder, index: Path
) -> None:
    product = {"id": "p1", "name": "Heron", "attributes": {"Weight": "2 kg"}}
    ingest([write_shop({"products.jsonl": [{**product, "tag": 1}]})], index, encoder=encoder)
    report = ingest([write_shop({"products.jsonl": [{**product, "tag": 2}]})], index, encoder=encoder)
    assert report.changes.changed == {"spec": 1}


def test_the_info_of_an_index_tells_evidence_sizes_and_history(say: Ingest, index: Path, encoder: TextEncoder) -> None:
    first = say("One two three.")
    second = say("One two three four five.")
    facts = index_info(index)
    assert [one["generation"] for one in facts["history"]] == facts["generations"]
    assert [one["answers"] for one in facts["history"]] == [False, True]
    assert facts["history"][1]["changes"] == {
        "against": first.generation, "added": {}, "changed": {"help_article": 1}, "removed": {}
    }  # fmt: skip
    assert facts["generation"] == second.generation
    assert facts["model"] == encoder.fingerprint
    assert facts["evidence"] == {"help_article": 1}
    assert all(facts["bytes"][part] > 0 for part in ("dense", "lexical", "knowledge", "cache"))
    assert facts["history"][1]["bytes"] > facts["bytes"]["knowledge"]
    assert facts["history"][1]["made_at"]
