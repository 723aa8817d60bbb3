"""The rows of our own that intent, catalog search and rewriting are measured on, and that nobody trains on."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from evals.components.intent import Utterance
from evals.rows import Lookup, RewritingRow, read_rows

HERE = Path(__file__).parent
DEMO_SHOP = HERE.parent / "app" / "demo" / "shop"
FIELDS = {
    "intents.jsonl": ({"text", "label"}, set[str]()),
    "catalog.jsonl": ({"id", "query", "gold"}, set[str]()),
    "rewriting.jsonl": ({"id", "history", "query", "gold"}, {"context"}),
}
INTENTS = {
    "authenticity",
    "checkout",
    "delivery_sla",
    "how_to",
    "non_decision",
    "offers_and_discounts",
    "opinion",
    "payment_options",
    "product_exchange",
    "product_spec",
    "return_policy",
    "size_and_fit",
    "stock_availability",
    "variant",
    "warranty",
}
JOINING = {"", "a", "about", "and", "can", "doe", "for", "have", "i", "of", "on", "the", "what"}
"""Words that fit a name into a question, in the singular as `_words` gives it: `doe` is "does", `i` is "is" or "I"."""


@pytest.mark.parametrize("name", FIELDS)
def test_every_row_has_the_fields_of_its_component_and_no_others(name: str) -> None:
    required, optional = FIELDS[name]
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        fields = set(json.loads(line))
        assert required <= fields <= required | optional, line


def test_each_intent_has_twenty_utterances_and_no_text_stands_twice() -> None:
    rows = read_rows(HERE / "intents.jsonl", Utterance)
    assert Counter(row.label for row in rows) == dict.fromkeys(INTENTS, 20)
    assert len({row.text.casefold() for row in rows}) == len(rows) == 300
    assert all(row.text == row.text.strip() != "" for row in rows)


def test_catalog_gold_is_sold_in_the_demo_shop_and_every_product_is_asked_for() -> None:
    sold = {
        json.loads(line)["id"]
        for file in DEMO_SHOP.glob("*/products.jsonl")
        for line in file.read_text(encoding="utf-8").splitlines()
    }
    assert {product for row in read_rows(HERE / "catalog.jsonl", Lookup) for product in row.gold} == sold


def test_catalog_rows_ask_for_one_product_for_two_for_one_not_sold_and_for_none() -> None:
    rows = read_rows(HERE / "catalog.jsonl", Lookup)
    assert len({row.id for row in rows}) == len({row.query.casefold() for row in rows}) == len(rows) == 300
    assert Counter(row.id.rpartition("-")[0] for row in rows) == {"sold": 193, "pair": 17, "unsold": 60, "none": 30}
    expected = {"sold": 1, "pair": 2, "unsold": 0, "none": 0}
    assert all(len(set(row.gold)) == len(row.gold) == expected[row.id.rpartition("-")[0]] for row in rows)


def test_a_conversation_takes_turns_and_has_one_to_three_ways_to_ask_alone() -> None:
    rows = read_rows(HERE / "rewriting.jsonl", RewritingRow)
    assert len({row.id for row in rows}) == len(rows) == 200
    for row in rows:
        roles = [message.role for message in row.history]
        assert roles == ["user", "assistant"] * (len(roles) // 2), row.id
        assert len(roles) <= 12, row.id
        assert 1 <= len(row.gold) <= 3, row.id
        assert len(set(row.gold)) == len(row.gold), row.id
        texts = [row.query, *row.gold, *row.context, *(message.content for message in row.history)]
        assert all(text == text.strip() != "" for text in texts), row.id


def test_no_question_is_asked_twice_and_a_quarter_of_them_stand_alone() -> None:
    rows = read_rows(HERE / "rewriting.jsonl", RewritingRow)
    assert len({row.query.casefold() for row in rows}) == len(rows)
    alone = [row for row in rows if row.query in row.gold]
    assert 0.2 <= len(alone) / len(rows) <= 0.3
    assert all(row.gold == [row.query] for row in alone)


def test_a_question_that_needs_context_is_asked_in_words_that_were_said_and_no_others() -> None:
    for row in read_rows(HERE / "rewriting.jsonl", RewritingRow):
        said = _words(row.query, *row.context, *(message.content for message in row.history))
        for gold in row.gold:
            assert _words(gold) <= said | JOINING, row.id
            assert gold == row.query or not _words(gold) <= _words(row.query) | JOINING, row.id


def _words(*texts: str) -> set[str]:
    """The words, in the singular."""
    return {word.removesuffix("s") for word in re.findall(r"\w+", " ".join(texts).casefold())}
