"""The address of a request: filled with encoded values, asked only where all it needs is known."""

import pytest

from app.backends.options import address_of, check_template, is_about_products
from graph.turn import User
from ingestion.evidence import Product

TENT = Product(id="tarn 2/öl", name="Tarn 2 & fly")


def test_values_are_percent_encoded() -> None:
    template = "https://stock.example/p/{product_id}?q={product_name}&r={region}&m={membership}&as={role}"
    user = User(region="US&x=1#y", membership="gold/../silver", role="buyer")
    assert address_of(template, TENT, user) == (
        "https://stock.example/p/tarn%202%2F%C3%B6l?q=Tarn%202%20%26%20fly&r=US%26x%3D1%23y&m=gold%2F..%2Fsilver&as=buyer"
    )


def test_what_may_be_missing_stays_empty_and_what_may_not_prevents_the_request() -> None:
    assert address_of("https://a.example/?r={region?}", None, User()) == "https://a.example/?r="
    assert address_of("https://a.example/?r={region}", None, User()) is None
    assert address_of("https://a.example/{product_id}", None, User()) is None


@pytest.mark.parametrize("region", [".", "..", " .. ", ""])
def test_a_step_of_a_path_is_no_value(region: str) -> None:
    assert address_of("https://a.example/regions/{region}/stock", None, User(region=region)) is None


@pytest.mark.parametrize(
    ("template", "about"),
    [
        ("https://a.example/{product_id}", True),
        ("https://a.example/{product_name?}", True),
        ("https://a.example", False),
    ],
)
def test_a_backend_is_asked_by_product_when_its_address_names_one(template: str, *, about: bool) -> None:
    assert is_about_products(template) is about


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("https://a.example/{product}", r"\{product\} is not known; known are \{product_id\}"),
        ("https://a.example/{product_id", "a brace is left open"),
        ("https://a.example/{}", "a brace is left open"),
        ("https://{region}.example/", "server's name without placeholders"),
        ("ftp://a.example/", "must begin with http"),
        ("/stock/{product_id}", "must begin with http"),
        ("https://me:secret@a.example/", "put it into headers"),
        ("https://a.example/a b", "a space stands in it"),
    ],
)
def test_a_template_that_cannot_work_is_refused(template: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        check_template(template)
