"""What the disk refuses is said in words, and what answered before goes on."""

import errno
import os
import resource
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ingestion.embedding_cache import TextEncoder
from ingestion.errors import IngestError, RefusedWriteError, UnwritableIndexError, explained
from ingestion.generations import complete_generations, writing
from ingestion.ingest import ingest
from ingestion.knowledge import open_knowledge

WriteShop = Callable[[Mapping[str, object]], Path]
NOBODY = 65534
LARGEST_FILE = 100_000


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index"


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can reach."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def error_of_a_child(action: Callable[[], object]) -> str:
    """Name and message of the error that an action ends with in a process of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            action()
            said = "no error"
        except BaseException as error:  # noqa: BLE001 - the child's end is reported, whatever it is
            said = f"{type(error).__name__}: {error}"
        os.write(writer, said.encode())
        os._exit(0)
    os.close(writer)
    with open(reader, encoding="utf-8") as told:  # noqa: PTH123 - a descriptor
        said = told.read()
    os.waitpid(child, 0)
    return said


def test_a_file_that_may_not_grow_is_explained_and_what_answered_goes_on(
    write_shop: WriteShop, encoder: TextEncoder, index: Path
) -> None:
    ingest([write_shop({"a.md": "Text."})], index, encoder=encoder)
    reviews = [{"id": f"r{number}", "product_id": "p", "text": f"Review {number}."} for number in range(300)]
    shop = write_shop({"a.md": "Another text.", "reviews.jsonl": reviews})

    def ingest_in_little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
        ingest([shop], index, encoder=encoder)

    said = error_of_a_child(ingest_in_little_room)
    assert said.startswith("RefusedWriteError")
    assert "Nothing that was indexed before is lost" in said
    assert "ulimit" in said
    assert open_knowledge(index).evidence(["help_article:a"])[0].text == "Text."
    assert len(list((index / "generations").iterdir())) == len(complete_generations(index)) == 1
    assert ingest([shop], index, encoder=encoder).evidence == {"help_article": 1, "review": 300}


def test_a_folder_that_is_read_only_is_named(encoder: TextEncoder, open_folder: Path) -> None:
    shop, index = open_folder / "shop", open_folder / "index"
    shop.mkdir()
    (shop / "a.md").write_text("Text.")
    ingest([shop], index, encoder=encoder)
    (shop / "a.md").write_text("Another text.")
    index.chmod(0o555)

    def ingest_without_rights() -> None:
        if os.getuid() == 0:
            os.setuid(NOBODY)
        ingest([shop], index, encoder=encoder)

    said = error_of_a_child(ingest_without_rights)
    assert said.startswith(f"UnwritableIndexError: The index {index} cannot be written: Permission denied")


@pytest.mark.parametrize(
    ("error", "explanation"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), RefusedWriteError),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), RefusedWriteError),
        (OSError(errno.EFBIG, "File too large"), RefusedWriteError),
        (OSError(errno.EROFS, "Read-only file system"), UnwritableIndexError),
        (sqlite3.OperationalError("database or disk is full"), RefusedWriteError),
        (sqlite3.OperationalError("disk I/O error"), RefusedWriteError),
        (sqlite3.OperationalError("attempt to write a readonly database"), UnwritableIndexError),
        (RuntimeError("(code: 13) database or disk is full"), RefusedWriteError),
        (ValueError("An IO error occurred: 'File too large (os error 27)'"), RefusedWriteError),
    ],
    ids=str,
)
def test_every_refusal_has_its_explanation(index: Path, error: Exception, explanation: type[Exception]) -> None:
    with pytest.raises(explanation, match=str(index)), explained(index):
        raise error


def test_a_fault_of_ours_is_not_blamed_on_the_disk(index: Path) -> None:
    with pytest.raises(ZeroDivisionError), explained(index):
        raise ZeroDivisionError


def test_a_second_run_waits_for_the_first_and_tells_how_long(
    write_shop: WriteShop, encoder: TextEncoder, index: Path, caplog: pytest.LogCaptureFixture
) -> None:
    index.mkdir()
    with ThreadPoolExecutor(1) as pool:
        with writing(index):
            run = pool.submit(ingest, [write_shop({"a.md": "Text."})], index, encoder=encoder, wait_seconds=30)
            while not caplog.messages:
                time.sleep(0.01)
            assert "waiting up to 30 s" in caplog.text
            assert not (index / "CURRENT").exists()
        assert run.result().evidence == {"help_article": 1}


def test_a_run_that_may_not_wait_says_who_holds_the_index(
    write_shop: WriteShop, encoder: TextEncoder, index: Path
) -> None:
    index.mkdir()
    with writing(index), pytest.raises(IngestError, match=rf"process {os.getpid()} on .+ since 20.+waited 0 s"):
        ingest([write_shop({"a.md": "Text."})], index, encoder=encoder, wait_seconds=0)
