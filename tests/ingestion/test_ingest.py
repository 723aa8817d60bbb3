"""Ingest: files in, a whole generation out, and nothing lost on the way."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from ingestion import ingest as ingest_module
from ingestion.embedding_cache import TextEncoder
from ingestion.errors import (
    IngestError,
    MissingPathError,
    NothingToIngestError,
    NothingUsableError,
    StrictError,
    UnwritableIndexError,
)
from ingestion.generations import KEPT_GENERATIONS, complete_generations, latest_generation, writing
from ingestion.ingest import ingest
from ingestion.knowledge import open_knowledge
from ingestion.report import IngestReport

WriteShop = Callable[[Mapping[str, object]], Path]
Ingest = Callable[..., IngestReport]

PRODUCT = {"id": "p1", "name": "Heron", "attributes": {"Weight": "2.4 kg"}}


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index"


@pytest.fixture
def run(write_shop: WriteShop, encoder: TextEncoder, index: Path) -> Ingest:
    def write_and_ingest(files: Mapping[str, object], *, strict: bool = False) -> IngestReport:
        return ingest([write_shop(files)], index, strict=strict, encoder=encoder)

    return write_and_ingest


def test_the_report_counts_what_was_read(run: Ingest, index: Path) -> None:
    report = run({"products.jsonl": [PRODUCT, {"id": "p2", "name": "Wren"}], "help/a.md": "Text.", "photo.png": b""})
    assert (report.products, dict(report.evidence)) == (2, {"help_article": 1, "spec": 1})
    assert report.generation == latest_generation(index)
    assert "photo.png" in report.ignored
    assert json.loads(report.to_json())["products"] == 2


def test_an_unchanged_shop_is_not_ingested_again(run: Ingest) -> None:
    first = run({"products.jsonl": [PRODUCT]})
    again = run({"products.jsonl": [PRODUCT]})
    assert (first.unchanged, again.unchanged) == (False, True)
    assert again.generation == first.generation
    assert again.evidence == first.evidence


def test_a_change_makes_a_generation_and_embeds_only_what_changed(run: Ingest, index: Path) -> None:
    first = run({"products.jsonl": [PRODUCT], "help/a.md": "Text."})
    second = run({"help/a.md": "Another text."})
    assert (first.embedded, second.embedded) == (2, 1)
    assert second.generation > first.generation
    (evidence,) = open_knowledge(index).evidence(["help_article:help/a"])
    assert evidence.text == "Another text."


@pytest.mark.parametrize("changed", [{"shop.toml": "[regions]\nUS = 'USA'"}, {"a.meta.json": '{"title": "A"}'}])
def test_a_change_of_settings_or_metadata_counts(run: Ingest, changed: Mapping[str, object]) -> None:
    run({"a.md": "Text."})
    assert not run(changed).unchanged


def test_what_left_the_shop_leaves_the_index(run: Ingest, index: Path, write_shop: WriteShop) -> None:
    run({"products.jsonl": [PRODUCT], "help/a.md": "Text."})
    (write_shop({}) / "help/a.md").unlink()
    run({})
    assert "help_article" not in {one for one, _ in open_knowledge(index).lexical("text", {"help_article"}, 5)}


def test_the_same_input_gives_the_same_evidence(
    run: Ingest, index: Path, encoder: TextEncoder, write_shop: WriteShop
) -> None:
    run({"products.jsonl": [PRODUCT], "help/a.md": "# A\n\nText."})
    other = index.with_name("other")
    ingest([write_shop({})], other, encoder=encoder)
    ids = ["spec:p1", "help_article:help/a"]
    assert open_knowledge(index).evidence(ids) == open_knowledge(other).evidence(ids)


def test_a_bad_row_is_reported_and_skipped(run: Ingest, index: Path) -> None:
    rows = json.dumps(PRODUCT) + '\n{"name": "no id"}\n{broken\n'
    report = run({"products.jsonl": rows})
    assert [(issue.file, issue.line) for issue in report.skipped] == [("products.jsonl", 2), ("products.jsonl", 3)]
    assert report.skipped[0].reason == "id is missing"
    assert list(open_knowledge(index).products) == ["p1"]


def test_strict_refuses_a_bad_row_and_keeps_what_was_there(run: Ingest, index: Path) -> None:
    first = run({"products.jsonl": [PRODUCT]})
    with pytest.raises(StrictError, match=r"products\.jsonl:2: id is missing"):
        run({"products.jsonl": [PRODUCT, {"name": "no id"}]}, strict=True)
    assert latest_generation(index) == first.generation


def test_strict_refuses_a_bad_row_that_was_skipped_before(run: Ingest) -> None:
    files = {"products.jsonl": [PRODUCT, {"name": "no id"}]}
    run(files)
    with pytest.raises(StrictError):
        run(files, strict=True)


def test_of_two_rows_with_one_id_the_first_is_kept(run: Ingest, index: Path) -> None:
    report = run({"products.jsonl": [PRODUCT, {**PRODUCT, "name": "Other"}], "a/products.jsonl": [PRODUCT]})
    assert [str(issue) for issue in report.skipped] == [
        "products.jsonl:2: the id 'p1' was read before, with other content (products.jsonl:1), which is kept"
    ]
    assert open_knowledge(index).products["p1"].name == "Heron"


def test_a_row_that_repeats_another_in_every_column_is_no_problem(run: Ingest) -> None:
    report = run({"products.jsonl": [PRODUCT, PRODUCT], "a/products.jsonl": [PRODUCT]}, strict=True)
    assert report.products == 1


def test_tables_in_several_folders_are_merged(run: Ingest, index: Path) -> None:
    run({"a/products.jsonl": [PRODUCT], "b/products.jsonl": [{"id": "p2", "name": "Wren"}]})
    assert list(open_knowledge(index).products) == ["p1", "p2"]


def test_unknown_columns_are_kept_and_reported(run: Ingest, index: Path) -> None:
    report = run({"products.jsonl": [{**PRODUCT, "tags": ["tent"]}]})
    assert report.unknown_columns == {"products": {"tags": 1}}
    assert open_knowledge(index).extra_columns("spec:p1") == {"tags": ["tent"]}


def test_columns_of_other_names_are_mapped(run: Ingest, index: Path) -> None:
    run({"shop.toml": '[products.columns]\nid = "sku"\nname = "label"', "products.csv": "sku,label\n7,Heron\n"})
    assert open_knowledge(index).products["7"].name == "Heron"


def test_words_and_regions_of_the_shop_are_kept(run: Ingest, index: Path) -> None:
    run({"products.jsonl": [PRODUCT], "shop.toml": '[regions]\nUS = ["USA"]\n[glossary]\nGold = "A membership."'})
    knowledge = open_knowledge(index)
    assert knowledge.regions == {"US": ("USA",)}
    assert knowledge.glossary[0].meaning == "A membership."


def test_a_row_longer_than_the_models_window_is_embedded_whole(run: Ingest, index: Path) -> None:
    attributes = {f"Property {number}": "some plain value" for number in range(120)}
    run({"products.jsonl": [{**PRODUCT, "attributes": {**attributes, "Zebra": "quagga"}}]})
    knowledge = open_knowledge(index)
    with_end = knowledge.vectors(["spec:p1"])[0]
    run({"products.jsonl": [{**PRODUCT, "attributes": attributes}]})
    assert open_knowledge(index).vectors(["spec:p1"])[0].tolist() != with_end.tolist()


def test_only_the_latest_generations_are_kept(run: Ingest, index: Path) -> None:
    for number in range(KEPT_GENERATIONS + 2):
        run({"help/a.md": f"Text {number}."})
    assert len(complete_generations(index)) == KEPT_GENERATIONS
    assert complete_generations(index)[-1] == latest_generation(index)


def test_an_open_generation_goes_on_answering_while_new_ones_come(run: Ingest, index: Path) -> None:
    run({"help/a.md": "First text."})
    knowledge = open_knowledge(index)
    run({"help/a.md": "Second text."})
    assert knowledge.evidence(["help_article:help/a"])[0].text == "First text."
    assert knowledge.lexical("first", {"help_article"}, 1)


def test_a_damaged_generation_is_made_again(run: Ingest, index: Path) -> None:
    first = run({"products.jsonl": [PRODUCT]})
    (index / "generations" / first.generation / "knowledge.sqlite").write_bytes(b"garbage")
    assert not run({"products.jsonl": [PRODUCT]}).unchanged
    assert "p1" in open_knowledge(index).products


def test_a_damaged_embedding_cache_is_made_again(run: Ingest, index: Path) -> None:
    run({"products.jsonl": [PRODUCT]})
    (index / "embeddings.sqlite").write_bytes(b"garbage" * 1000)
    assert run({"products.jsonl": [PRODUCT], "help/a.md": "Text."}).embedded == 2


def test_a_second_run_says_who_holds_the_index(run: Ingest, index: Path) -> None:
    index.mkdir()
    with writing(index), pytest.raises(IngestError, match="is being written by process"), writing(index, 0):
        pass
    assert run({"products.jsonl": [PRODUCT]}).products == 1


@pytest.mark.parametrize(
    ("files", "error"),
    [
        ({}, NothingToIngestError),
        ({"README.md": "Hello"}, NothingToIngestError),
        ({"products.jsonl": "{broken"}, NothingUsableError),
    ],
)
def test_a_shop_with_nothing_in_it_is_an_error(
    run: Ingest, index: Path, files: Mapping[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        run(files)
    assert not list((index / "generations").glob("*"))


def test_no_path_and_a_missing_path_are_errors(index: Path, encoder: TextEncoder) -> None:
    with pytest.raises(NothingToIngestError, match="No shop was named"):
        ingest([], index, encoder=encoder)
    with pytest.raises(MissingPathError):
        ingest([index / "nowhere"], index, encoder=encoder)


def test_an_index_that_cannot_be_made_is_named(write_shop: WriteShop, encoder: TextEncoder, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UnwritableIndexError, match="--index"):
        ingest([write_shop({"a.md": "Text."})], tmp_path / "file" / "index", encoder=encoder)


INGEST_AND_STALL = """
import sys, time
import numpy as np
from ingestion.ingest import ingest

class Stalling:
    fingerprint = "hashing@1"
    max_tokens = 256
    count_tokens = staticmethod(lambda text: len(text.split()))
    def encode(self, texts):
        if sys.argv[3] == "embed":
            print("stalled", flush=True)
            time.sleep(600)
        return np.ones((len(texts), 384), dtype=np.float32) / 384 ** 0.5

def progress(stage, done, total):
    if stage == sys.argv[3]:
        print("stalled", flush=True)
        time.sleep(600)

ingest([sys.argv[1]], sys.argv[2], encoder=Stalling(), progress=progress)
"""


@pytest.mark.parametrize("stage", ["read", "embed", "write"])
def test_a_killed_run_loses_nothing_and_is_cleaned_up_by_the_next(
    run: Ingest, index: Path, write_shop: WriteShop, stage: str
) -> None:
    first = run({"help/a.md": "First text."})
    shop = write_shop({"help/a.md": "Second text."})
    command = [sys.executable, "-c", INGEST_AND_STALL, str(shop), str(index), stage]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as process:  # noqa: S603
        assert process.stdout is not None
        assert process.stdout.readline() == "stalled\n"
        process.send_signal(signal.SIGKILL)
    knowledge = open_knowledge(index)
    assert knowledge.generation == first.generation
    assert knowledge.evidence(["help_article:help/a"])[0].text == "First text."
    second = run({})
    assert open_knowledge(index).evidence(["help_article:help/a"])[0].text == "Second text."
    assert [path.name for path in sorted((index / "generations").iterdir())] == [first.generation, second.generation]


def test_another_way_to_cut_makes_another_generation(index: Path, encoder: TextEncoder, write_shop: WriteShop) -> None:
    shop = write_shop({"help/a.md": "A sentence of six plain words. " * 60})
    first, again, other = (ingest([shop], index, encoder=encoder, chunk_tokens=size) for size in (None, None, 64))
    assert (again.unchanged, other.unchanged) == (True, False)
    assert sum(other.evidence.values()) > sum(first.evidence.values())


def test_a_new_kind_of_source_is_another_version_of_the_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ingest_module, "__file__", str(tmp_path / "ingest.py"))
    table = tmp_path / "source_types.toml"
    table.write_text("[spec]")
    before = ingest_module.code_version.__wrapped__()
    table.write_text("[spec]\n[wobble_notice]")
    assert ingest_module.code_version.__wrapped__() != before
