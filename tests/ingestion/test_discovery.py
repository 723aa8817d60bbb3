"""Discovery: which files are read, as what, and which are not."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from ingestion.errors import MissingPathError
from ingestion.readers.discovery import Discovery, discover

WriteShop = Callable[[Mapping[str, object]], Path]


def read(discovery: Discovery) -> dict[str, str | None]:
    return {source.relative: source.table for source in discovery.files}


def test_tables_and_documents_are_told_by_name_anywhere_below(write_shop: WriteShop) -> None:
    shop = write_shop({"products.jsonl": "", "a/b/Reviews.CSV": "", "help/returns.md": "", "manual.pdf": b""})
    assert read(discover([shop])) == {
        "products.jsonl": "products",
        "a/b/Reviews.CSV": "reviews",
        "help/returns.md": None,
        "manual.pdf": None,
    }


def test_what_speaks_about_the_files_is_passed_over(write_shop: WriteShop) -> None:
    shop = write_shop(
        {"README.md": "", "README-data.txt": "", "LICENSE": "", "readme.md": "", ".git/x.md": "", ".x.md": ""}
    )
    discovery = discover([shop])
    assert read(discovery) == {}
    assert discovery.ignored == {}


def test_a_help_article_about_licences_is_read(write_shop: WriteShop) -> None:
    assert read(discover([write_shop({"license-keys.md": ""})])) == {"license-keys.md": None}


def test_tables_of_other_names_and_other_formats_are_reported(write_shop: WriteShop) -> None:
    ignored = discover([write_shop({"prices.csv": "", "photo.png": b""})]).ignored
    assert "a table of another name" in ignored["prices.csv"]
    assert ".png" in ignored["photo.png"]


def test_footnoteignore_globs_hold_for_names_paths_and_folders(write_shop: WriteShop) -> None:
    files = {
        ".footnoteignore": "# drafts\ndraft-*\nold/\nhelp/internal.md\n",
        "draft-1.md": "",
        "old/help.md": "",
        "help/internal.md": "",
        "help/open.md": "",
    }
    assert read(discover([write_shop(files)])) == {"help/open.md": None}


def test_footnoteignore_can_take_back_and_anchor_as_gits_file_does(write_shop: WriteShop) -> None:
    files = {".footnoteignore": "*.txt\n!keep.txt\n/a.md\n", "a.md": "", "x.txt": "", "b/keep.txt": "", "b/a.md": ""}
    assert read(discover([write_shop(files)])) == {"b/a.md": None, "b/keep.txt": None}


def test_a_footnoteignore_in_a_folder_holds_below_it(write_shop: WriteShop) -> None:
    shop = write_shop({"a/.footnoteignore": "x.md", "a/x.md": "", "x.md": ""})
    assert read(discover([shop])) == {"x.md": None}


def test_a_file_reached_by_two_paths_is_read_once(write_shop: WriteShop) -> None:
    shop = write_shop({"products.jsonl": "", "help/a.md": ""})
    assert len(discover([shop, shop / "help", shop / "products.jsonl"]).files) == 2


def test_a_folder_that_links_to_itself_ends(write_shop: WriteShop) -> None:
    shop = write_shop({"a.md": ""})
    (shop / "loop").symlink_to(shop)
    assert read(discover([shop])) == {"a.md": None}


def test_what_cannot_be_opened_is_reported_and_the_rest_is_found(write_shop: WriteShop) -> None:
    shop = write_shop({"a.md": ""})
    (shop / "gone.md").symlink_to(shop / "nowhere")
    os.mkfifo(shop / "pipe.txt")
    (shop / "folder.md").mkdir()
    discovery = discover([shop])
    assert read(discovery) == {"a.md": None}
    assert [str(issue) for issue in discovery.unreadable] == [
        "gone.md: cannot be read: it links to nothing",
        "pipe.txt: cannot be read: it is no regular file",
    ]


def test_file_names_are_made_fit_to_be_shown_and_stored(write_shop: WriteShop) -> None:
    shop = write_shop({"cafe\u0301 100%.md": ""})
    Path(os.fsdecode(os.fsencode(shop) + b"/bad\xff.md")).write_text("")
    assert sorted(read(discover([shop]))) == ["bad\\udcff.md", "caf\u00e9 100%.md"]


def test_the_index_inside_a_shop_is_not_read(write_shop: WriteShop) -> None:
    shop = write_shop({"a.md": "", "index/notes.md": ""})
    assert read(discover([shop], exclude=shop / "index")) == {"a.md": None}


def test_a_document_finds_its_sidecar_with_or_without_its_suffix(write_shop: WriteShop) -> None:
    shop = write_shop({"a.pdf": b"", "a.meta.json": "{}", "b.txt": "", "b.txt.meta.json": "{}", "c.md": ""})
    sidecars = {source.relative: source.sidecar and source.sidecar.name for source in discover([shop]).files}
    assert sidecars == {"a.pdf": "a.meta.json", "b.txt": "b.txt.meta.json", "c.md": None}


def test_a_shop_toml_holds_for_its_folder_and_the_nearest_one_wins(write_shop: WriteShop) -> None:
    shop = write_shop(
        {
            "shop.toml": '[products.columns]\nid = "outer"',
            "products.jsonl": "",
            "inner/shop.toml": '[products.columns]\nid = "inner"',
            "inner/deep/products.jsonl": "",
        }
    )
    columns = {source.relative: source.config.columns["products"]["id"] for source in discover([shop]).files}
    assert columns == {"products.jsonl": "outer", "inner/deep/products.jsonl": "inner"}


def test_a_single_file_is_read_with_the_shop_toml_beside_it(write_shop: WriteShop) -> None:
    shop = write_shop({"shop.toml": '[products.columns]\nid = "sku"', "products.jsonl": ""})
    (source,) = discover([shop / "products.jsonl"]).files
    assert source.config.columns == {"products": {"id": "sku"}}


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError, match="nowhere does not exist"):
        discover([tmp_path / "nowhere"])
