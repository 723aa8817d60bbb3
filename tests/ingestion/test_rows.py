"""Rows: read leniently, refused with a reason."""

from typing import Any

import pytest
from pydantic import ValidationError

from ingestion.evidence import Money
from ingestion.readers.rows import (
    DocumentMeta,
    FactRow,
    LeftOut,
    ProductRow,
    ReviewRow,
    explain,
    kept_columns,
)


def product(**columns: Any) -> ProductRow:  # noqa: ANN401 - any JSON value
    return ProductRow.model_validate({"id": "p", "name": "P", **columns})


def fact(**columns: Any) -> FactRow:  # noqa: ANN401 - any JSON value
    return FactRow.model_validate({"id": "f", "source_type": "offer", "text": "T", **columns})


def review(**columns: Any) -> ReviewRow:  # noqa: ANN401 - any JSON value
    return ReviewRow.model_validate({"id": "r", "product_id": "p", "text": "Dry.", **columns})


def test_ids_may_be_numbers() -> None:
    assert product(id=17).id == "17"
    assert product(id=17.0).id == "17"


def test_attribute_values_are_written_as_a_shop_would() -> None:
    attributes = {
        "Doors": 2,
        "Weight": 1.9,
        "Vegan": True,
        "Freestanding": False,
        "Colours": ["Red", "Sand"],
        "None": None,
    }
    assert product(attributes=attributes).attributes == {
        "Doors": "2",
        "Weight": "1.9",
        "Vegan": "Yes",
        "Freestanding": "No",
        "Colours": "Red, Sand",
    }


def test_attributes_may_be_a_list_of_names_and_values() -> None:
    assert product(attributes=[{"name": "Doors", "value": 2}]).attributes == {"Doors": "2"}


@pytest.mark.parametrize(
    ("given", "path"),
    [
        (["Camping", "Tents"], ("Camping", "Tents")),
        ("Tents", ("Tents",)),
        ("Camping > Tents", ("Camping", "Tents")),
        ("Bed/Bath", ("Bed/Bath",)),
    ],
)
def test_a_category_is_a_path_or_one_name(given: object, path: tuple[str, ...]) -> None:
    assert product(category=given).category == path


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ({"amount": 249, "currency": "usd"}, "$249"),
        ({"amount": "1,299.50", "currency": "EUR"}, "€1,299.50"),
        ("$9.99", "$9.99"),
        ("1.299,00 €", "€1,299"),
        ("20 CHF", "CHF 20"),
        ("1.299 €", "€1,299"),
        ("0.125 €", "€0.12"),
        ("1.5", "1.50"),
        ("US$ 5", "$5"),
        ("1'299.50 CHF", "CHF 1,299.50"),
        ("249,- €", "€249"),
        (64, "64"),
    ],
)
def test_prices_are_read_in_the_usual_forms(given: object, written: str) -> None:
    price = product(price=given).price
    assert price is not None
    assert str(Money(price.amount, price.currency)) == written


@pytest.mark.parametrize("given", ["abc", {"amount": -1, "currency": "USD"}, {"amount": "NaN"}, {"currency": "USD"}])
def test_a_price_that_is_none_is_refused(given: object) -> None:
    with pytest.raises(ValidationError):
        product(price=given)


@pytest.mark.parametrize(
    ("given", "known"), [(True, True), ("yes", True), ("sold out", False), (0, False), ("14", True), (None, None)]
)
def test_stock_of_a_variant_is_read_from_the_usual_words(given: object, known: bool | None) -> None:  # noqa: FBT001
    assert product(variants=[{"id": "v", "in_stock": given}]).variants[0].in_stock is known


def test_a_variant_without_attributes_takes_its_other_columns_for_them() -> None:
    variant = product(variants=[{"id": "v", "Colour": "Moss", "price": "$249"}]).variants[0]
    assert variant.attributes == {"Colour": "Moss"}
    assert variant.price is not None


@pytest.mark.parametrize(
    ("given", "day"),
    [
        ("2026-05-01", "2026-05-01"),
        ("2026-05-01T23:30:00-05:00", "2026-05-02"),
        ("2026-05-01T10:00:00Z", "2026-05-01"),
        ("2026-05-01 10:00:00", "2026-05-01"),
        ("2026/05/01", "2026-05-01"),
        ("2026-5-1", "2026-05-01"),
        ("1 May 2026", "2026-05-01"),
        ("May 1st, 2026", "2026-05-01"),
        ("Fri, 01 May 2026 23:30:00 -0500", "2026-05-02"),
        (1777593600, "2026-05-01"),
        (1777593600000, "2026-05-01"),
    ],
)
def test_dates_and_moments_become_days_in_utc(given: object, day: str) -> None:
    assert fact(valid_until=given).valid_until == day


@pytest.mark.parametrize("given", ["yesterday", "05/01/2026", "1 Maybe 2026", 1e300, float("inf"), "2026-02-30"])
def test_what_is_no_date_or_could_be_two_is_refused(given: object) -> None:
    with pytest.raises(ValidationError):
        fact(valid_until=given)


def test_columns_that_no_evidence_shows_are_kept_with_it() -> None:
    row = {"id": "r", "product_id": "p", "text": "Dry.", "verified": True, "helpful": 3}
    assert kept_columns(ReviewRow.model_validate(row)) == {"verified": True, "helpful": 3}


def test_what_is_wrong_with_a_row_is_said_by_column() -> None:
    with pytest.raises(ValidationError) as caught:
        ReviewRow.model_validate({"id": "r", "text": "", "rating": 9, "date": "yesterday"})
    reason = explain(caught.value)
    assert "product_id is missing" in reason
    assert "text is missing" in reason
    assert "rating" in reason
    assert "'yesterday' is not an ISO date" in reason


def test_an_unknown_kind_of_evidence_is_refused() -> None:
    with pytest.raises(ValidationError, match="no kind of evidence"):
        fact(source_type="rumour")
    assert fact(source_type="Return policy").source_type == "return_policy"


def test_an_interval_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(ValidationError, match="lies before"):
        fact(valid_from="2026-02-01", valid_until="2026-01-01")


def test_an_audience_is_buyers_sellers_or_both() -> None:
    assert fact(audience="Sellers").audience == "seller"
    with pytest.raises(ValidationError):
        fact(audience="robots")


def test_keywords_of_a_document_may_be_parted_by_commas() -> None:
    assert DocumentMeta.model_validate({"keywords": "cancel, stop order"}).keywords == ("cancel", "stop order")


def test_unknown_columns_are_kept() -> None:
    assert kept_columns(product(tags=["beauty"], margin=3)) == {"tags": ["beauty"], "margin": 3}


def test_several_values_of_one_attribute_are_all_kept() -> None:
    attributes = [{"name": "Colour", "value": "Red"}, {"name": "Colour", "value": "Blue"}]
    assert product(attributes=attributes).attributes == {"Colour": "Red, Blue"}


@pytest.mark.parametrize("name", [["a"], {"a": 1}, None])
def test_an_attribute_whose_name_is_none_is_refused_with_a_reason(name: object) -> None:
    with pytest.raises(ValidationError) as caught:
        product(attributes=[{"name": name, "value": 1}])
    assert explain(caught.value) == "attributes must be an object of names and values"


def test_features_given_as_an_object_have_a_line_each() -> None:
    assert product(features={"Doors": 2, "Poles": ["one", "two"]}).features == ("Doors: 2", "Poles: one, two")


@pytest.mark.parametrize("given", [["buyer", "seller"], ["seller", "buyer"], "Sellers, buyers", "all"])
def test_buyers_and_sellers_in_any_order_are_both(given: object) -> None:
    assert fact(audience=given).audience == "both"


@pytest.mark.parametrize(
    ("given", "stars"), [("4,5", 4.5), ("5 stars", 5), ("4/5", 4), ("4 out of 5", 4), ("★★★☆☆", 3), (2, 2)]
)
def test_ratings_are_read_in_the_usual_forms(given: object, stars: float) -> None:
    assert review(rating=given).rating == stars


@pytest.mark.parametrize("given", [0, "0", 9, "8/10", "great", True])
def test_an_impossible_rating_is_left_out_and_told_where_the_rest_is_kept(given: object) -> None:
    left_out = LeftOut()
    row = {"id": "r", "product_id": "p", "text": "Dry.", "rating": given}
    assert ReviewRow.model_validate(row, context=left_out).rating is None
    assert [reason.split(":")[0] for reason in left_out] == ["rating is left out"]
    with pytest.raises(ValidationError):
        ReviewRow.model_validate(row)


@pytest.mark.parametrize("given", ["from 5 EUR", "$249 - $399", "20 kr"])
def test_a_price_that_is_not_one_amount_is_left_out_and_told_where_the_rest_is_kept(given: str) -> None:
    left_out = LeftOut()
    variants = [{"id": "v", "price": given}]
    row = ProductRow.model_validate({"id": "p", "name": "P", "price": given, "variants": variants}, context=left_out)
    assert (row.price, row.variants[0].price) == (None, None)
    assert left_out == [f"price is left out: {given!r} is not one amount"] * 2


def test_what_says_when_a_fact_holds_is_never_left_out() -> None:
    with pytest.raises(ValidationError):
        FactRow.model_validate(
            {"id": "f", "source_type": "offer", "text": "T", "valid_until": "soon"}, context=LeftOut()
        )
