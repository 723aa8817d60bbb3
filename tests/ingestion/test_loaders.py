"""Documents that a LangChain loader reads, because the settings name it for their suffix."""

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from ingestion.embedding_cache import TextEncoder
from ingestion.errors import UnusableLoaderError
from ingestion.ingest import ingest
from ingestion.knowledge import open_knowledge

WriteShop = Callable[[Mapping[str, object]], Path]

LOADER = """
from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document

class Pages(BaseLoader):
    def __init__(self, path):
        self.path = path

    def lazy_load(self):
        for number, text in enumerate(open(self.path).read().split("#")):
            if text == "broken":
                raise ValueError("page 2 is torn")
            yield Document(text, metadata={"page": number, "title": "Lamp care", "keywords": "lamps"})
"""


@pytest.fixture
def loader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of a loader that the shop has written."""
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "shop_pages.py").write_text(LOADER)
    monkeypatch.syspath_prepend(tmp_path / "modules")
    yield "shop_pages:Pages"
    sys.modules.pop("shop_pages", None)


def test_its_documents_are_pages_with_a_title(
    write_shop: WriteShop, encoder: TextEncoder, loader: str, tmp_path: Path
) -> None:
    shop = write_shop({"care.pages": "Wipe it with a dry cloth.#Do not use soap.", "other.xyz": "?"})
    report = ingest([shop], tmp_path / "index", encoder=encoder, loaders={".pages": loader})
    assert (report.evidence, list(report.ignored)) == ({"help_article": 2}, ["other.xyz"])
    knowledge = open_knowledge(tmp_path / "index")
    first, second = knowledge.evidence(["help_article:care#1", "help_article:care#2"])
    assert (first.text, first.page, first.title) == ("Wipe it with a dry cloth.", 1, "Lamp care")
    assert (second.text, second.page, second.keywords) == ("Do not use soap.", 2, ("lamps",))
    knowledge.close()


def test_it_takes_the_place_of_our_own_reader_and_its_errors_are_lines_of_the_report(
    write_shop: WriteShop, encoder: TextEncoder, loader: str, tmp_path: Path
) -> None:
    shop = write_shop({"a.txt": "One.#Two.", "b.txt": "One.#broken", "c.md": "Three."})
    report = ingest([shop], tmp_path / "index", encoder=encoder, loaders={".txt": loader})
    assert report.evidence == {"help_article": 3}
    assert [str(issue) for issue in report.skipped] == ["b.txt: cannot be read: page 2 is torn"]


@pytest.mark.parametrize("name", ["no_such_module:Pages", "shop_pages:Sheets", "pathlib:Path"])
def test_one_that_is_none_is_refused_before_anything_is_read(
    write_shop: WriteShop, encoder: TextEncoder, loader: str, tmp_path: Path, name: str
) -> None:
    assert loader
    with pytest.raises(UnusableLoaderError, match=r"ingestion\.loaders"):
        ingest([write_shop({"a.txt": "One."})], tmp_path / "index", encoder=encoder, loaders={".txt": name})
