"""Which index a fixture is answered from."""

from pathlib import Path

import pytest

from app import demo
from app.settings import HOME
from evals.conversations.replay import Indexes, InputError, UnsetVariableError


class Ingested:
    """Notes which shops are ingested, and where to."""

    def __init__(self) -> None:
        self.shops: list[Path] = []

    def __call__(self, shop: Path, folder: Path) -> None:
        self.shops.append(shop)
        (folder / "generations" / "g1").mkdir(parents=True, exist_ok=True)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def shop_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "fixtures" / "shop"
    folder.mkdir(parents=True)
    return folder


def test_a_built_index_is_found_by_path(index_folder: Path, tmp_path: Path) -> None:
    indexes = Indexes(Ingested())
    (tmp_path / "other").mkdir()
    assert indexes.folder(str(index_folder), tmp_path / "f.yaml") == index_folder
    assert indexes.folder("./built", tmp_path / "other" / "f.yaml").resolve() == index_folder
    assert indexes.folder("../built", tmp_path / "other" / "f.yaml").resolve() == index_folder


def test_a_built_index_is_found_by_name(index_folder: Path, tmp_path: Path) -> None:
    HOME.mkdir()
    index_folder.rename(HOME / "mine")
    assert Indexes(Ingested()).folder("mine", tmp_path / "f.yaml") == HOME / "mine"


def test_the_given_index_wins(index_folder: Path, shop_folder: Path) -> None:
    indexes = Indexes(Ingested(), given=str(index_folder))
    assert indexes.folder(demo.NAME, shop_folder.parent / "f.yaml") == index_folder


def test_the_demo_index_is_brought_up_to_date_once_a_run(tmp_path: Path) -> None:
    ingest = Ingested()
    indexes = Indexes(ingest)
    assert indexes.folder("demo", tmp_path / "f.yaml") == HOME / "demo"
    indexes.folder("demo", tmp_path / "g.yaml")
    assert ingest.shops == [demo.shop_path()]


def test_a_shop_is_ingested_for_the_fixture_that_names_it(shop_folder: Path, tmp_path: Path) -> None:
    ingest = Ingested()
    folder = Indexes(ingest).folder(str(shop_folder), tmp_path / "f.yaml")
    assert ingest.shops == [shop_folder]
    assert folder.is_relative_to(HOME)


@pytest.mark.parametrize("name", [None, "no-such-index"])
def test_a_shop_beside_the_fixture_is_ingested_for_it(shop_folder: Path, name: str | None) -> None:
    ingest = Ingested()
    indexes = Indexes(ingest, default="default")
    first = indexes.folder(name, shop_folder.parent / "f.yaml")
    assert indexes.folder(name, shop_folder.parent / "g.yaml") == first
    assert ingest.shops == [shop_folder]


def test_two_shops_of_one_name_have_two_indexes(shop_folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "others" / "shop"
    other.mkdir(parents=True)
    indexes = Indexes(Ingested())
    one = indexes.folder(None, shop_folder.parent / "f.yaml")
    assert indexes.folder(None, other.parent / "f.yaml") != one


def test_a_fixture_that_names_no_index_and_has_no_shop_uses_the_default(tmp_path: Path) -> None:
    assert Indexes(Ingested(), default="mine").folder(None, tmp_path / "f.yaml") == HOME / "mine"


def test_an_index_that_is_nowhere_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no index 'nothing'.*--index"):
        Indexes(Ingested(), default="mine").folder("nothing", tmp_path / "f.yaml")


def test_variables_stand_for_folders(shop_folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ingest = Ingested()
    monkeypatch.setenv("FOOTNOTE_BENCH", str(shop_folder.parent))
    Indexes(ingest).folder("$FOOTNOTE_BENCH/shop", tmp_path / "f.yaml")
    Indexes(ingest).folder("${FOOTNOTE_BENCH}/shop", tmp_path / "f.yaml")
    assert ingest.shops == [shop_folder, shop_folder]
    monkeypatch.delenv("FOOTNOTE_BENCH")
    with pytest.raises(UnsetVariableError, match="FOOTNOTE_BENCH is not set"):
        Indexes(ingest).folder("$FOOTNOTE_BENCH/shop", tmp_path / "f.yaml")
