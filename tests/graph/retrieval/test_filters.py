"""Filters: who may be told what, where and when."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from graph.retrieval.candidates import admissible, belongs, narrowest, places_named
from graph.turn import Role, User
from ingestion.evidence import Evidence, Product
from tests.graph.fakes import NOON

REGIONS = {"US": ["United States", "9"], "EU": ["Germany", "France"]}
TENT = Product(id="tarn-2", name="Tarn 2", brand="Fellwick", category=("Camping", "Tents"))
SOCKS = Product(id="moor-socks", name="Moor Socks", brand="Wether", category=("Clothing", "Socks"))


def rule(key: str = "f", source_type: str = "delivery", **columns: Any) -> Evidence:  # noqa: ANN401 - any column
    return Evidence(
        evidence_id=f"{source_type}:{key}", source_type=source_type, text="A rule.", title="Rule", row_id=key, **columns
    )


def admitted(
    evidence: Evidence, question: str = "How long is delivery?", user: User | None = None, *products: Product
) -> bool:
    return admissible(user or User(), NOON, REGIONS, question, products)(evidence)


def test_what_holds_for_everyone_is_admitted() -> None:
    assert admitted(rule())


@pytest.mark.parametrize(
    ("valid_from", "valid_until", "held"),
    [
        ("2026-05-01", "2026-05-31", False),
        ("2026-05-01", "2026-06-01", True),
        ("2026-06-01", "2026-06-30", True),
        ("2026-06-02", None, False),
        (None, "2026-05-31", False),
        ("2026-01-01", None, True),
    ],
)
def test_an_offer_is_evidence_from_its_first_to_its_last_day(
    valid_from: str | None, valid_until: str | None, *, held: bool
) -> None:
    offer = rule(source_type="offer", valid_from=valid_from, valid_until=valid_until)
    assert admitted(offer) is held


def test_the_day_is_that_of_the_clock() -> None:
    offer = rule(source_type="offer", valid_until="2026-03-31")
    lasted = admissible(User(), datetime(2026, 3, 31, 23, 59, tzinfo=UTC), {}, "Any offers?")
    assert lasted(offer)
    assert not admissible(User(), datetime(2026, 4, 1, tzinfo=UTC), {}, "Any offers?")(offer)


@pytest.mark.parametrize(
    ("role", "audience", "held"),
    [
        ("buyer", "seller", False),
        ("seller", "buyer", False),
        ("buyer", "buyer", True),
        ("seller", "both", True),
        (None, "seller", True),
    ],
)
def test_an_article_is_for_its_audience(role: Role | None, audience: str, *, held: bool) -> None:
    assert admitted(rule(source_type="help_article", audience=audience), user=User(role=role)) is held


@pytest.mark.parametrize(
    ("place", "region", "held"),
    [
        ("US", "US", True),
        ("us", "US", True),
        ("EU", "US", False),
        ("Germany", "EU", True),
        ("Germany", "US", False),
        ("94107", "US", True),
        ("20095", "US", False),
        ("94107", "94", True),
        ("94107", "95", False),
        ("US-west", "US", True),
        ("California", "CA", False),
        ("Usedom", "US", False),
        (None, "US", True),
    ],
)
def test_a_rule_holds_in_its_region_by_name_member_or_prefix(place: str | None, region: str, *, held: bool) -> None:
    assert admitted(rule(region=region), user=User(region=place)) is held


def test_a_region_the_shop_does_not_name_holds_by_its_own_name() -> None:
    assert belongs("Norway", "Norway", REGIONS)
    assert not belongs("Norway", "EU", REGIONS)


def test_a_place_in_the_question_comes_before_the_users_own() -> None:
    american = User(region="US")
    assert not admitted(rule(region="US"), "Do you ship to Germany?", american)
    assert admitted(rule(region="EU"), "Do you ship to Germany?", american)
    assert admitted(rule(region="US"), "Do you ship there?", american)


def test_a_short_code_is_a_place_only_in_capitals() -> None:
    assert places_named("Can you tell us about delivery in the US?", REGIONS) == ["US"]
    assert places_named("can you tell us about delivery?", REGIONS) == []


def test_a_question_in_capitals_names_no_code_by_chance() -> None:
    assert places_named("CAN YOU TELL US MORE?", REGIONS) == []


def test_a_postal_code_is_a_place() -> None:
    assert places_named("do you deliver to 94107?", REGIONS) == ["94107"]
    assert places_named("I paid 94107 points", REGIONS) == []


def test_a_name_in_lower_case_is_a_place_and_part_of_a_word_is_not() -> None:
    assert places_named("shipping to france please", REGIONS) == ["France"]
    assert places_named("the germanyland edition", REGIONS) == []


@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("do you ship to Norway?", ["Norway"]),
        ("could you post it to my sister in oslo", ["Norway"]),
        ("delivery to the united arab emirates", ["United Arab Emirates"]),
        ("how long to paris?", ["France"]),  # a city of a country that the shop names
        ("is it a jersey pocket", []),
        ("is it made of Norway spruce", []),
    ],
)
def test_a_place_of_the_world_that_the_shop_does_not_name_is_its_country(question: str, places: list[str]) -> None:
    assert places_named(question, REGIONS) == places


@pytest.mark.parametrize(
    ("question", "place"),
    [("do you ship to Britain?", "United Kingdom"), ("how long to prague?", "CZ"), ("to the Czech Republic?", "CZ")],
)
def test_a_country_of_several_names_has_the_one_that_the_shop_has(question: str, place: str) -> None:
    assert places_named(question, {"UK": ["United Kingdom"], "EU": ["CZ"]}) == [place]


def test_a_city_of_a_country_in_parts_is_not_taken_for_all_of_it() -> None:
    assert places_named("how long to honolulu?", REGIONS) == ["United States"]
    assert places_named("how long to honolulu?", REGIONS | {"US-AK-HI": ["Alaska"]}) == []


def test_a_shop_that_names_no_regions_has_none_abroad() -> None:
    assert places_named("do you ship to Norway?", {}) == []


def test_a_place_abroad_is_under_no_regions_rule() -> None:
    assert not admitted(rule(region="US"), "Do you ship to Norway?")
    assert admitted(rule(), "Do you ship to Norway?")


@pytest.mark.parametrize(
    ("question", "membership", "held"),
    [
        ("How long is delivery?", "gold", True),
        ("How long is delivery?", "silver", False),
        ("How long is delivery?", None, False),
        ("What do Gold members get?", None, True),
    ],
)
def test_a_members_rule_is_for_members_and_for_who_asks_about_it(
    question: str, membership: str | None, *, held: bool
) -> None:
    assert admitted(rule(membership="gold"), question, User(membership=membership)) is held


def test_a_rule_for_a_group_is_for_its_products_alone() -> None:
    for group in ({"category": "Tents"}, {"brand": "Fellwick"}, {"category": "tent", "brand": "fellwick"}):
        assert admitted(rule(**group), "Return it?", None, TENT)
        assert not admitted(rule(**group), "Return it?", None, SOCKS)
    assert not admitted(rule(category="Tents", brand="Other"), "Return it?", None, TENT)


def test_a_question_about_no_product_admits_every_group() -> None:
    assert admitted(rule(category="Tents"))


def test_one_of_several_products_is_enough() -> None:
    assert admitted(rule(category="Tents"), "Return them?", None, SOCKS, TENT)


def kept(found: list[Evidence], question: str = "How long?", user: User | None = None) -> list[str]:
    pairs = narrowest([(item, 0.5) for item in found], user or User(region="94107"), REGIONS, question)
    return [item.row_id for item, _ in pairs]


def test_the_rule_for_exactly_the_place_replaces_that_of_the_wider_region() -> None:
    assert kept([rule("us", region="US"), rule("zip", region="94107")]) == ["zip"]


def test_a_wider_rule_stays_where_there_is_no_narrower_one() -> None:
    assert kept([rule("us", region="US"), rule("all")]) == ["us", "all"]


def test_a_narrow_rule_replaces_none_of_another_kind_or_for_one_product() -> None:
    stock = rule("stock", source_type="stock", region="US")
    own = rule("own", region="US", product_id="tarn-2")
    assert kept([stock, own, rule("zip", region="94107")]) == ["stock", "own", "zip"]


def test_rules_without_a_region_stay() -> None:
    assert kept([rule("all"), rule("zip", region="94107")]) == ["all", "zip"]


def test_the_place_in_the_question_is_the_one_a_rule_must_be_for() -> None:
    found = [rule("eu", region="EU"), rule("de", region="Germany"), rule("us", region="US")]
    assert kept(found, "How long to Germany?") == ["de"]


def category_of(title: str) -> tuple[str, ...]:
    return SOCKS.category if "socks" in title else ()


@pytest.mark.parametrize(
    ("title", "products", "held"),
    [
        ("Return worn socks", (TENT,), False),
        ("Return worn socks", (SOCKS,), True),
        ("Return worn socks", (TENT, SOCKS), True),
        ("Return worn socks", (), True),
        ("Return an item", (TENT,), True),
    ],
)
def test_a_help_article_is_about_the_kind_of_product_in_its_title(
    title: str, products: tuple[Product, ...], *, held: bool
) -> None:
    article = replace(rule(source_type="help_article"), title=title)
    assert admissible(User(), NOON, REGIONS, "Can I return it?", products, category_of)(article) is held
