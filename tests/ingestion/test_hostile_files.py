"""Files of strangers: each that cannot be read is one line of the report, and the rest of the shop is read."""

import io
import json
import os
import re
import socket
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ingestion.chunking import Cutter
from ingestion.embedding_cache import TextEncoder
from ingestion.errors import ShopConfigError, StrictError
from ingestion.ingest import ingest
from ingestion.limits import ReadingLimits
from ingestion.readers.confined import Confined
from ingestion.readers.discovery import discover
from ingestion.shop import Shop, read_shop

WriteShop = Callable[[Mapping[str, object]], Path]
ReadShop = Callable[[Path], Shop]
ReadWithin = Callable[..., list[str]]
MakePdf = Callable[..., bytes]

GOOD = {"good.md": "Text."}
ALIASES = "\n".join(
    ["---", "title: T", "a: &a [x,x,x,x,x,x,x,x,x]"]
    + [
        f"{new}: &{new} [{','.join(f'*{old}' for _ in range(9))}]"
        for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    + ["---", "Text."]
)
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
BODY = f'<w:document xmlns:w="{WORD}"><w:body><w:p><w:r><w:t>Text</w:t></w:r></w:p></w:body></w:document>'


def docx(document: bytes | str = BODY, **others: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", document)
        for name, content in others.items():
            archive.writestr(f"word/{name}.xml", content)
    return packed.getvalue()


def parquet_bomb(column: str) -> bytes:
    """2,000 rows of one long cell, which stands in the file once."""
    written = io.BytesIO()
    long = pa.DictionaryArray.from_arrays(pa.array([0] * 2_000), ["A" * 2_000_000])
    table = pa.table({"id": [str(number) for number in range(2_000)], column: long})
    with pq.ParquetWriter(written, table.schema, store_schema=False, dictionary_pagesize_limit=2**24) as writer:
        writer.write_table(table)
    return written.getvalue()


def parquet(**columns: object) -> bytes:
    written = io.BytesIO()
    pq.write_table(pa.table(columns), written)
    return written.getvalue()


@pytest.fixture
def read_within(write_shop: WriteShop, encoder: TextEncoder) -> ReadWithin:
    """Reads files beside a good one within limits, and gives what is told of them; the good one is always read."""

    def read_files(files: Mapping[str, object], **limits: int) -> list[str]:
        with Confined(ReadingLimits(**limits)) as reading:
            discovery = discover([write_shop({**files, **GOOD})])
            shop = read_shop(discovery, Cutter(encoder), lambda _done, _total: None, reading)
        assert "help_article:good" in shop.evidence
        return [str(issue) for issue in shop.skipped]

    return read_files


def test_links_that_leave_the_shop_are_told_and_not_read(write_shop: WriteShop, read: ReadShop, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("Secret.")
    shop = write_shop({**GOOD, "here/b.md": "Inside."})
    (shop / "secret.md").symlink_to(outside / "secret.md")
    (shop / "folder").symlink_to(outside)
    (shop / "again.md").symlink_to(shop / "here" / "b.md")
    (shop / "circle.md").symlink_to(shop / "circle.md")
    (shop / "up").symlink_to(tmp_path)
    found = read(shop)
    assert sorted(found.evidence) == ["help_article:again", "help_article:good"]
    told = {issue.file: issue.reason for issue in found.skipped}
    assert set(told) == {"secret.md", "folder", "circle.md", "up"}
    assert all("leaves the shop's folder" in told[name] for name in ("secret.md", "folder", "up"))
    assert sorted(source.relative for source in discover([shop, outside]).files) == ["again.md", "good.md", "secret.md"]


def test_a_path_that_is_a_link_itself_is_what_was_asked_for(write_shop: WriteShop, tmp_path: Path) -> None:
    shop = write_shop(GOOD)
    (tmp_path / "link").symlink_to(shop)
    assert [source.relative for source in discover([tmp_path / "link"]).files] == ["good.md"]


def test_what_says_how_files_are_read_is_no_link_to_elsewhere_either(
    write_shop: WriteShop, read: ReadShop, tmp_path: Path
) -> None:
    for name, content in (("o.toml", '[glossary]\nx = "Secret."'), ("o.json", '{"title": "Secret"}'), ("o", "*.md")):
        (tmp_path / name).write_text(content)
    shop = write_shop({**GOOD, "a.md": "Text."})
    (shop / "shop.toml").symlink_to(tmp_path / "o.toml")
    (shop / "a.meta.json").symlink_to(tmp_path / "o.json")
    (shop / ".footnoteignore").symlink_to(tmp_path / "o")
    found = read(shop)
    assert list(found.evidence) == ["help_article:good"]
    assert sorted(issue.file for issue in found.skipped) == [".footnoteignore", "a.md", "shop.toml"]
    assert not found.glossary


def test_what_is_no_file_is_never_opened(write_shop: WriteShop, read: ReadShop) -> None:
    shop = write_shop(GOOD)
    for name in ("pipe.md", "shop.toml", "products.csv", ".footnoteignore"):
        os.mkfifo(shop / name)
    here = Path.cwd()
    os.chdir(shop)  # the name of a socket has a length
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind("socket.txt")
    finally:
        os.chdir(here)
    found = read(shop)
    assert list(found.evidence) == ["help_article:good"]
    told = {issue.file for issue in found.skipped if "no regular file" in issue.reason}
    assert told == {"pipe.md", "shop.toml", "products.csv", ".footnoteignore", "socket.txt"}


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.md", ALIASES, "YAML aliases"),
        ("a.md", f"---\ntitle: {'[ ' * 30_000}\n---\nText.", "nested too deeply"),
        ("a.html", "<div>" * 20_000 + "Text", "cannot be read|has no text|nested"),
        ("a.docx", docx(f'<!DOCTYPE d [<!ENTITY a "aaaa">]>{BODY.replace("Text", "&a;")}'), "declares XML entities"),
        ("a.docx", docx(numbering=b'<!DOCTYPE d [<!ENTITY a "a">]><n/>'), "declares XML entities"),
        ("a.docx", docx(b"<w:document"), "it is damaged"),
        ("a.docx", docx()[:-40], "no .docx file"),
        ("a.docx", docx("<a>" * 50_000 + "</a>" * 50_000), "cannot be read"),
        ("products.parquet", parquet(id=["1"])[:-20], "not valid Parquet"),
        ("products.parquet", b"PAR1" + b"\xff" * 100 + b"PAR1", "not valid Parquet"),
        ("products.json", "[" * 100_000, "nested too deeply"),
        ("products.jsonl", '{"a":' * 100_000, "nested too deeply"),
        ("products.json", '{"products": ' + "[" * 100_000, "nested too deeply"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 40 else "",
)
def test_bombs_and_broken_files_are_one_line_each(
    read_within: ReadWithin, name: str, content: object, reason: str
) -> None:
    (told,) = read_within({name: content})
    assert told.startswith(name)
    assert re.search(reason, told)


@pytest.mark.parametrize(
    ("name", "content", "limits", "setting"),
    [
        ("a.txt", b"x" * 2**20 + b"x", {"text_mebibytes": 1}, "text_mebibytes"),
        ("a.html", b"x" * 2**20 + b"x", {"text_mebibytes": 1}, "text_mebibytes"),
        ("a.docx", docx(media=b"0" * 3 * 2**20), {"unpacked_mebibytes": 2}, "unpacked_mebibytes"),
        ("reviews.csv", b"id\n" + b"1\n" * 2**20, {"table_mebibytes": 1}, "table_mebibytes"),
        ("products.jsonl", '{"id": 1, "name": "A"}\n' * 5, {"rows": 3}, "rows"),
        ("products.csv", "id,name,a,b\n1,A,x,y\n", {"columns": 3}, "columns"),
        ("products.parquet", parquet(id=["1"], name=["A"]), {"columns": 1}, "columns"),
        ("products.parquet", parquet(id=["1"], name=["A" * 99]), {"cell_characters": 50}, "cell_characters"),
        ("products.json", json.dumps([{"id": 1, "name": "A" * 99}]), {"cell_characters": 50}, "cell_characters"),
        ("products.json", json.dumps([{"id": 1, "name": "A" * 999}]), {"cell_characters": 50}, "cell_characters"),
        ("products.csv", f"id,name\n1,{'A' * 999}\n", {"cell_characters": 50}, "cell_characters"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 40 else "",
)
def test_what_is_beyond_a_limit_names_the_setting(
    read_within: ReadWithin, name: str, content: object, limits: Mapping[str, int], setting: str
) -> None:
    (told,) = read_within({name: content}, **limits)
    assert told.startswith(name)
    assert f"ingestion.limits.{setting}" in told


def test_pages_and_their_characters_have_a_limit(read_within: ReadWithin, make_pdf: MakePdf) -> None:
    page = [(72, 100, 10, "Text of a page")]
    pages, characters = read_within(
        {"a.pdf": make_pdf(page, page), "b.pdf": make_pdf(page)}, pages=1, page_characters=5
    )
    assert pages.startswith("a.pdf: cannot be read: it has 2 pages, more than the 1 of")
    assert "page 1 has 14 characters" in characters


def test_an_archive_that_lies_about_its_size_is_told(read_within: ReadWithin) -> None:
    whole = docx(BODY.replace("Text", "x" * 100_000))
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        size = archive.infolist()[0].file_size
    lying = whole.replace(size.to_bytes(4, "little"), (100).to_bytes(4, "little"))
    assert lying != whole
    (told,) = read_within({"a.docx": lying})
    assert "a.docx: cannot be read: it is damaged" in told


def test_a_format_that_takes_too_much_memory_is_broken_off_and_the_next_is_read(
    read_within: ReadWithin, make_pdf: MakePdf
) -> None:
    files = {
        "facts.json": '{"facts": [' + "[]," * 12_000_000 + "[]]}",
        "products.parquet": parquet_bomb("name"),
        "c.pdf": make_pdf([(72, 100, 10, "Text")]),
    }
    told = read_within(files, memory_mebibytes=512)
    assert [line.split(":")[0] for line in told] == ["products.parquet", "facts.json"]
    assert all("more than the 512 MiB of the setting ingestion.limits.memory_mebibytes" in line for line in told)


def test_a_page_that_fills_the_memory_is_one_line_and_the_next_file_is_read(
    read_within: ReadWithin, make_pdf: MakePdf
) -> None:
    page = [(72, 100, 10, "Text of a page " * 20)] * 3_000
    (told,) = read_within({"b.pdf": make_pdf(page), "c.pdf": make_pdf([(72, 100, 10, "Text")])}, memory_mebibytes=512)
    # Where the memory ends, the interpreter may end as well.
    assert told.startswith("b.pdf: cannot be read:")


def test_a_format_that_takes_too_long_is_broken_off_and_the_next_is_read(
    read_within: ReadWithin, make_pdf: MakePdf
) -> None:
    files = {"a.html": "<b>x</b>" * 200_000, "c.pdf": make_pdf([(72, 100, 10, "Text")])}
    (told,) = read_within(files, seconds=1)
    assert told.startswith("a.html: cannot be read: reading it takes long, more than the 1 s of the setting")


def test_no_program_that_lies_among_the_files_is_run(
    read_within: ReadWithin, make_pdf: MakePdf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    working = tmp_path / "working"
    working.mkdir()
    (working / "resource.py").write_text("raise SystemExit")
    monkeypatch.chdir(working)
    assert read_within({"c.pdf": make_pdf([(72, 100, 10, "Text")])}) == []


def test_a_table_whose_quotes_never_close_is_read_once(read_within: ReadWithin) -> None:
    told = read_within({"products.csv": "id,name\n" + 'x","\n' * 100_000}, cell_characters=10_000)
    assert "a quote that opens on this line is not closed" in told[0]
    assert len(told) < 10_002


def test_a_large_array_is_read_without_being_held(read_within: ReadWithin) -> None:
    rows = [{"id": number, "name": "A" * 100} for number in range(30_000)]
    assert read_within({"products.json": json.dumps(rows)}) == []


def test_a_shop_toml_that_takes_long_is_refused_by_its_line(write_shop: WriteShop) -> None:
    with pytest.raises(ShopConfigError, match="line 2 has a key of too many parts"):
        discover([write_shop({**GOOD, "shop.toml": "# mine\n" + ".".join("a" * 50_000) + " = 1"})])
    with pytest.raises(ShopConfigError, match="nested too deeply"):
        discover([write_shop({**GOOD, "shop.toml": "a = " + "[" * 50_000})])


def test_an_ignore_pattern_of_many_stars_takes_no_time(write_shop: WriteShop) -> None:
    shop = write_shop({**GOOD, ".footnoteignore": "*a" * 40 + "b", "a" * 240 + ".md": "Text."})
    assert len(discover([shop]).files) == 2


def test_names_of_files_and_words_of_rows_are_told_on_one_harmless_line(write_shop: WriteShop, read: ReadShop) -> None:
    odd = "a\x1b[31m\n\u202e<script>.\x9bx"
    shop = write_shop({**GOOD, odd: "", "products.jsonl": [{"id": "1", "name": "A", "price": f"{odd} \u202e"}]})
    (Path(os.fsdecode(os.fsencode(shop) + b"/\xff\xfe.md"))).write_text("")
    found = read(shop)
    told = [str(issue) for issue in found.skipped] + [*discover([shop]).ignored]
    assert len(told) == 3
    assert not any(character in line for line in told for character in "\x1b\n\u202e\x9b")
    json.dumps(told, ensure_ascii=False).encode()


def test_a_file_that_vanishes_is_told(write_shop: WriteShop, encoder: TextEncoder) -> None:
    shop = write_shop({**GOOD, "products.csv": "id,name\n1,A\n", "gone.md": "Text."})
    discovery = discover([shop])
    (shop / "gone.md").unlink()
    (shop / "products.csv").unlink()
    os.mkfifo(shop / "products.csv")
    with Confined() as reading:
        found = read_shop(discovery, Cutter(encoder), lambda _done, _total: None, reading)
    assert list(found.evidence) == ["help_article:good"]
    assert sorted(issue.file for issue in found.skipped) == ["gone.md", "products.csv"]


def test_a_strict_run_refuses_such_a_file_and_a_new_link_is_noticed(
    write_shop: WriteShop, encoder: TextEncoder, tmp_path: Path
) -> None:
    shop, index = write_shop(GOOD), tmp_path / "index"
    ingest([shop], index, encoder=encoder)
    (shop / "link.md").symlink_to("/etc/hostname")
    assert [issue.file for issue in ingest([shop], index, encoder=encoder).skipped] == ["link.md"]
    with pytest.raises(StrictError, match="leaves the shop's folder"):
        ingest([shop], index, encoder=encoder, strict=True)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell the memory of a process")
def test_a_folder_of_bombs_takes_little_more_memory_than_one_good_file(write_shop: WriteShop, tmp_path: Path) -> None:
    def measured(folder: Path) -> dict[str, Any]:
        limits = '{"memory_mebibytes": 512, "text_mebibytes": 8, "table_mebibytes": 64}'
        script = Path(__file__).with_name("hostile_ingest.py")
        command = [sys.executable, str(script), str(folder), limits]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        run = subprocess.run(command, capture_output=True, check=True, env=environment)  # noqa: S603 - our own script
        return dict(json.loads(run.stdout))

    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "good.md").write_text("Text.")
    plain = measured(tmp_path / "plain")
    hostile = measured(
        write_shop(
            {
                **GOOD,
                "aliases.md": ALIASES,
                "large.html": b"<b>" * 40_000_000,
                "swells.docx": docx(media=b"0" * 300 * 2**20),
                "facts.parquet": parquet_bomb("text"),
                "products.jsonl": b"x" * 60 * 2**20,
                "questions.json": b'{"questions": [' + b"[]," * 20_000_000 + b"[]]}",
                "reviews.csv": b'id\n"' + b"x" * 60 * 2**20,
            }
        )
    )
    assert hostile["evidence"] == ["help_article:good"]
    assert {line.split(":")[0] for line in hostile["told"]} == {
        "aliases.md", "large.html", "swells.docx", "facts.parquet", "products.jsonl", "questions.json", "reviews.csv",
    }  # fmt: skip
    assert len(hostile["told"]) == 7
    assert hostile["kib"] - plain["kib"] < 150 * 1024
