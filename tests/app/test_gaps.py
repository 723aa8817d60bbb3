"""Gaps: the same question of many customers is one."""

from datetime import UTC, datetime, timedelta

from app.gaps import clustered
from app.storage.staff import Gap
from ingestion.evidence import Product

NOON = datetime(2026, 6, 15, 12, tzinfo=UTC)
PRODUCTS = {"tarn-2": Product(id="tarn-2", name="Tarn 2"), "heron-2": Product(id="heron-2", name="Heron 2")}


def gap(
    question: str, product_id: str | None = "tarn-2", days_ago: float = 0, turn: str | None = None, part: str = ""
) -> Gap:
    at = NOON - timedelta(days=days_ago)
    return Gap(0, at, question, part or question, product_id, "product_spec", turn or question)


def test_one_question_in_several_wordings_is_one_gap_told_in_the_commonest() -> None:
    (found,) = clustered(
        [
            gap("Is the Tarn 2 fire retardant?", turn="1"),
            gap("is it fire retardant", turn="2"),
            gap("Is the Tarn 2 fire retardant?", turn="3"),
        ],
        PRODUCTS,
    )
    assert (found.threads, found.question, found.intent) == (3, "Is the Tarn 2 fire retardant?", "product_spec")
    assert found.attribute == "fire retardant", "in words of theirs, and a product's name says nothing of it"


def test_what_most_customers_asked_comes_first_and_products_stay_apart() -> None:
    found = clustered(
        [
            gap("Does it have a repair kit?", "heron-2"),
            gap("Is it fire retardant?", turn="1"),
            gap("Is it fire retardant?", turn="2"),
            gap("Is it fire retardant?", "heron-2"),
            gap("Do you ship to the moon?", None),
        ],
        PRODUCTS,
    )
    assert next((one.product_id, one.threads) for one in found) == ("tarn-2", 2)
    assert sorted(str(one.product_id) for one in found) == ["None", "heron-2", "heron-2", "tarn-2"]


def test_a_trend_compares_a_week_with_the_one_before() -> None:
    asked = [gap("Is it fire retardant?", days_ago=days, turn=str(days)) for days in (10, 3, 1)]
    (found,) = clustered(asked, PRODUCTS)
    assert found.trend(NOON, 14) == 1
    assert found.trend(NOON + timedelta(days=7), 14) == -2
    assert found.trend(NOON, 7) is None, "of the week before nothing is known"


def test_the_same_missing_part_is_one_gap_told_in_whole_questions() -> None:
    (found,) = clustered(
        [
            gap("Do you take PayPal or Klarna?", None, turn="1", part="klarna"),
            gap("Can I pay with Klarna?", None, turn="2"),
            gap("Do you take PayPal or Klarna?", None, turn="3", part="klarna"),
        ],
        PRODUCTS,
    )
    assert (found.question, found.attribute, found.threads) == ("Do you take PayPal or Klarna?", "klarna", 3)
    assert found.asks_for("Klarna", None)
    assert not found.asks_for("PayPal", None), "another part of the same question is another gap"
