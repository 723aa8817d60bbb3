"""`[intents]` of a `shop.toml`: what a shop's customers ask for beside what we know."""

from pathlib import Path

import pytest

from ingestion.errors import ShopConfigError
from ingestion.readers.config import read_config


def config(folder: Path, text: str) -> Path:
    path = folder / "shop.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_intent_has_utterances_and_the_kinds_of_evidence_that_answer_it(tmp_path: Path) -> None:
    path = config(
        tmp_path,
        '[intents.gift_wrapping]\nutterances = [" do you gift wrap ", "ribbon?"]\nsource_types = ["help_article"]\n'
        '[intents.warranty]\nutterances = ["is the {product} insured"]\n',
    )
    gift, warranty = read_config(path).intents
    assert (gift.name, gift.utterances) == ("gift_wrapping", ("do you gift wrap", "ribbon?"))
    assert gift.source_types == {"help_article"}
    assert (warranty.name, warranty.source_types) == ("warranty", frozenset())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("intents = 3", "intents must be an object of names"),
        ("[intents.gift]\nutterances = []", r"intents\.gift\.utterances is empty"),
        ("[intents.gift]\nutterances = [' ']", r"intents\.gift\.utterances\.0 is empty"),
        ("[intents.gift]\nsource_types = ['qa']", r"intents\.gift\.utterances is missing"),
        ("[intents.gift]\nutterances = ['a']\nsource_types = ['ribbon']", "'ribbon' is no kind of evidence; known are"),
        ("[intents.gift]\nutterances = ['a']\nwords = ['a']", r"intents\.gift\.words is no name"),
        ("[intents.'Gift wrap']\nutterances = ['a']", "'Gift wrap': a name is lower-case"),
        ("[intents]\ngift = 'wrap'", r"intents\.gift must be an object"),
    ],
)
def test_what_cannot_be_used_is_named(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ShopConfigError, match=said):
        read_config(config(tmp_path, text))
