"""Backends are declared in settings; what cannot work is refused when settings are read."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.backends.http_backend import HttpServices
from app.backends.options import BackendOptions, CatalogSearchOptions
from app.errors import SettingsError
from app.settings import Settings
from app.storage.records import SystemClock

TOML = """
[[backends]]
name = "the stock service"
intents = ["stock_availability"]
source_type = "stock"
url = "https://stock.example/{product_id}?region={region?}"
headers = { Authorization = "Bearer ${SHOP_STOCK_TOKEN}" }
cache_s = 30

[backends.facts]
items = "stores"
id = "id"
text_template = "{quantity} in stock at {store.name}"

[[backends]]
name = "Offers"
intents = ["offers_and_discounts"]
source_type = "offer"
url = "https://offers.example/"
facts = { text = "text" }
"""
MINIMAL: dict[str, Any] = {
    "name": "the stock service",
    "intents": ["stock_availability"],
    "source_type": "stock",
    "url": "https://stock.example/{product_id}",
    "facts": {"text": "text"},
}


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_backends_are_declared_in_the_file(tmp_path: Path) -> None:
    (tmp_path / "footnote.toml").write_text(TOML)
    stock, offers = Settings.load().backends
    assert (stock.name, stock.slug, stock.cache_s, stock.facts.items) == (
        "the stock service",
        "stock-service",
        30,
        "stores",
    )
    assert (offers.slug, offers.timeout_s, offers.facts.items) == ("offers", 2.0, "@")


def test_or_as_json_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_BACKENDS", json.dumps([MINIMAL]))
    assert [backend.name for backend in Settings.load().backends] == ["the stock service"]
    monkeypatch.setenv("FOOTNOTE_BACKENDS", "[{")
    with pytest.raises(SettingsError, match=r"backends.*must be JSON"):
        Settings.load()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"url": "https://stock.example/{sku}"}, r"backends\.0\.url \(FOOTNOTE_BACKENDS\).*\{sku\} is not known"),
        ({"intents": ["stock"]}, "'stock' is no intent"),
        ({"intents": []}, r"backends\.0\.intents"),
        ({"source_type": "stocks"}, "'stocks' is no kind of evidence"),
        ({"timeout_s": 0}, "greater than 0"),
        ({"retry": 1}, r"backends\.0\.retry"),
        ({"facts": {"text": "a", "text_template": "{a}"}}, "either text or text_template"),
        ({"facts": {}}, "either text or text_template"),
        ({"facts": {"text": "stores[?"}}, r"backends\.0\.facts\.text"),
        ({"facts": {"text_template": "{a[}"}}, r"backends\.0\.facts\.text_template"),
        ({"facts": {"text_template": "{a} {"}}, "each brace closed"),
        ({"facts": {"text_template": "in stock"}}, "needs places such as"),
        ({"name": "!"}, r"backends\.0\.name"),
    ],
)
def test_what_cannot_work_is_named_with_its_place(
    change: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOOTNOTE_BACKENDS", json.dumps([MINIMAL | change]))
    with pytest.raises(SettingsError, match=said):
        Settings.load()


def test_two_backends_of_one_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOOTNOTE_BACKENDS", json.dumps([MINIMAL, MINIMAL | {"name": "Stock-Service"}]))
    with pytest.raises(SettingsError, match="two backends are called 'stock-service'"):
        Settings.load()


def test_a_missing_secret_is_named_before_any_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHOP_STOCK_TOKEN", raising=False)
    declared = BackendOptions.model_validate(MINIMAL | {"headers": {"Authorization": "Bearer ${SHOP_STOCK_TOKEN}"}})
    with pytest.raises(SettingsError, match=r"SHOP_STOCK_TOKEN is not set.*the stock service"):
        HttpServices([declared], CatalogSearchOptions(), SystemClock())


def test_headers_are_neither_shown_nor_hashed() -> None:
    def settings(secret: str) -> Settings:
        return Settings.model_validate({"backends": [MINIMAL | {"headers": {"X-Key": secret}}]})

    assert "s3cret" not in repr(settings("s3cret"))
    assert "s3cret" not in str(settings("s3cret").model_dump())
    assert "s3cret" not in settings("s3cret").model_dump_json()
    assert settings("s3cret").config_hash == settings("other").config_hash


def test_what_a_backend_is_asked_and_how_it_is_read_is_part_of_the_hash() -> None:
    def settings(**changes: object) -> Settings:
        return Settings.model_validate({"backends": [MINIMAL | changes]})

    hashes = {
        Settings().config_hash,
        settings().config_hash,
        settings(url="https://other.example/{product_id}").config_hash,
        settings(facts={"text": "message"}).config_hash,
    }
    assert len(hashes) == 4
