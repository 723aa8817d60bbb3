"""Spoken attribution: which source is named, in what words, how often, and with how much certainty."""

from datetime import date
from typing import Any, Literal

import pytest

from graph.rendering.spoken import Attribution, lowered
from graph.rendering.written import MarkerBook
from ingestion.evidence import GLOSSARY, Evidence
from tests.graph.fakes import saying, whole

TODAY = date(2026, 6, 1)


def source(key: str, **columns: str | None) -> Evidence:
    """An evidence of the kind that its id names."""
    kind, _, row = key.partition(":")
    given: Any = {"text": "It is so.", "title": "A title"} | columns
    return Evidence(evidence_id=key, source_type=kind, row_id=row, **given)


def attribute(
    *sources: Evidence, label: Literal["high", "medium", "low"] = "high", text: str = "It is so.", lead: str = ""
) -> list[str]:
    """What is said of one statement of each source, one after the other."""
    book = MarkerBook({item.evidence_id: item for item in sources}, "g1")
    attribution = Attribution(book, TODAY, label)
    attribution.heard(lead)
    return [attribution.attributed(saying(text, whole(item)), text) for item in sources]


@pytest.mark.parametrize(
    ("item", "said"),
    [
        (source("spec:a"), "According to the product specification, it is so."),
        (source("return_policy:a"), "According to the return policy, it is so."),
        (source("help_article:a", title="Return an item"), "According to the help article “Return an item”, it is so."),
        (
            source("help_article:a", title="Return an item", section="Return an item > Opened items"),
            "According to the help article “Return an item”, section “Opened items”, it is so.",
        ),
        (source("manual:a", section="Care > 4.2 Cleaning"), "In the manual's section on cleaning, it is so."),
        (source("manual:a", title="Manual", section="Manual"), "According to the manual, it is so."),
        (
            source("help_article:a", title="Slow Parcel", section=GLOSSARY),
            "According to the shop's glossary, it is so.",
        ),
        (source("review:a"), "It is so."),
    ],
)
def test_a_source_is_named_as_one_would_name_it(item: Evidence, said: str) -> None:
    assert attribute(item) == [said]


def test_a_source_is_named_once_and_another_when_it_comes() -> None:
    policy = source("return_policy:a")
    said = attribute(policy, policy, source("warranty:b"), policy)
    assert said[1] == said[3] == "It is so."
    assert [one.startswith("According to") for one in said] == [True, False, True, False]


def test_two_articles_are_two_sources_and_two_facts_of_a_kind_are_one() -> None:
    articles = attribute(source("help_article:a", title="A"), source("help_article:b", title="B"))
    assert ["“A”" in articles[0], "“B”" in articles[1]] == [True, True]
    assert attribute(source("delivery:a"), source("delivery:b"))[1] == "It is so."


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ("2026-05-20", ", updated in May,"),
        ("2025-05-20", ", updated in May 2025,"),
        ("2026-06-01T08:00:00Z", ", updated today,"),
        ("some day", "according to the delivery information,"),
        (None, "according to the delivery information,"),
    ],
)
def test_where_time_matters_one_says_how_old_it_is(changed: str | None, said: str) -> None:
    assert said in attribute(source("delivery:a", updated_at=changed))[0].replace("According", "according")


@pytest.mark.parametrize("kind", ["offer", "stock", "delivery", "return_policy", "payment", "warranty"])
def test_what_changes_is_told_with_its_age(kind: str) -> None:
    assert "updated in May" in attribute(source(f"{kind}:a", updated_at="2026-05-20"))[0]


def test_a_price_is_told_with_its_age_and_a_weight_is_not() -> None:
    price = source("spec:a", text="Price: $249", updated_at="2026-05-20")
    weight = source("spec:b", text="Weight: 1.9 kg", updated_at="2026-05-20")
    assert "updated in May" in attribute(price)[0]
    assert "updated" not in attribute(weight)[0]


def test_medium_confidence_is_said_once() -> None:
    said = attribute(source("return_policy:a"), source("warranty:b"), label="medium")
    assert said[0] == "Our information suggests that, according to the return policy, it is so."
    assert said[1] == "According to the warranty terms, it is so."


def test_low_confidence_is_said_more_carefully() -> None:
    [said] = attribute(source("return_policy:a"), label="low")
    assert said == "I'm not sure about this, but according to the return policy, it is so."


@pytest.mark.parametrize("label", ["medium", "low"])
def test_what_customers_say_is_qualified_too(label: Literal["medium", "low"]) -> None:
    quote = "A customer writes: “Dry.”"
    [said] = attribute(source("review:a"), label=label, text=quote)
    assert said != quote
    assert said.lower().endswith("customer writes: “dry.”")


def test_a_manual_that_is_quoted_twice_is_named_once() -> None:
    manual = source("manual:a", section="Cleaning")
    said = attribute(manual, manual, text="The manual says: “Rinse it.”")
    assert said == ["The manual says: “Rinse it.”", "Rinse it."]


def test_each_customer_is_a_source_of_its_own() -> None:
    quote = "A customer writes: “Dry.”"
    assert attribute(source("review:a"), source("review:b"), text=quote) == [quote, quote]


def test_what_the_lead_in_names_is_not_named_again() -> None:
    assert attribute(source("delivery:a"), lead="The delivery information does say:") == ["It is so."]


def test_a_sentence_that_names_its_source_itself_needs_no_other() -> None:
    text = "The specification of the Tarn 2 covers weight."
    assert attribute(source("spec:a"), text=text) == [text]


def test_what_is_no_sentence_stands_behind_a_colon() -> None:
    assert attribute(source("spec:a"), text="Tarn 2, $249") == ["According to the product specification: Tarn 2, $249"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The Tarn 2 weighs little.", "the Tarn 2 weighs little."),
        ("Orders arrive soon.", "orders arrive soon."),
        ("Larkspur Gold is paid.", "Larkspur Gold is paid."),
        ("I can do that.", "I can do that."),
        ("USB is there.", "USB is there."),
    ],
)
def test_a_sentence_goes_on_in_lower_case_but_for_names(text: str, said: str) -> None:
    assert lowered(text) == said
