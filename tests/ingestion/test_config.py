"""`shop.toml`: columns, regions and the shop's own words."""

from pathlib import Path

import pytest

from ingestion.errors import ShopConfigError
from ingestion.evidence import GlossaryTerm
from ingestion.readers.config import ShopConfig, read_config


def config(folder: Path, text: str) -> ShopConfig:
    path = folder / "shop.toml"
    path.write_text(text, encoding="utf-8")
    return read_config(path)


def test_columns_may_be_dotted_or_quoted(tmp_path: Path) -> None:
    text = '[products.columns]\nid = "uniq_id"\nprice.amount = "cost"\n"price.currency" = "cur"'
    assert config(tmp_path, text).columns == {
        "products": {"id": "uniq_id", "price.amount": "cost", "price.currency": "cur"}
    }


def test_a_region_has_one_member_or_several(tmp_path: Path) -> None:
    assert config(tmp_path, '[regions]\nUK = "GB"\nUS = ["USA", "9"]').regions == {"UK": ("GB",), "US": ("USA", "9")}


@pytest.mark.parametrize(
    "text",
    [
        '[glossary."Gold"]\nmeaning = "A membership."\nintents = ["delivery_sla"]\nurl = "https://shop.example/gold"',
        '[[glossary]]\nterm = "Gold"\nmeaning = "A membership."\nintents = "delivery_sla"\nurl = "https://shop.example/gold"',
    ],
)
def test_a_word_is_explained_as_a_table_or_in_a_list(tmp_path: Path, text: str) -> None:
    term = GlossaryTerm("Gold", "A membership.", ("delivery_sla",), "https://shop.example/gold")
    assert config(tmp_path, text).glossary == (term,)


def test_a_word_may_be_explained_in_one_line(tmp_path: Path) -> None:
    assert config(tmp_path, '[glossary]\nGold = "A membership."').glossary == (GlossaryTerm("Gold", "A membership."),)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[products", "not valid TOML"),
        ("[prodcts.columns]", "prodcts is no name that is known"),
        ("[products]\nid = 'x'", r"products.id is no name that is known"),
        ("[products.columns]\nid = 3", r"products.columns.id must be a text"),
        ("[regions]\nUS = {a = 1}", "must be a name or a list"),
        ("[glossary.Gold]\nintents = []", "meaning is missing"),
        ("glossary = 3", "glossary must be a list"),
    ],
)
def test_a_mistake_is_named_with_its_file(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(ShopConfigError, match=reason) as caught:
        config(tmp_path, text)
    assert "shop.toml" in str(caught.value)
