"""The products page, driven without a browser over a scripted assistant."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from graph.turn import Turn
from ingestion.evidence import Money, Product
from tests.app.scripted_page import FakeVisit, html_of

TurnMaker = Callable[..., Turn]
LAMP = Product(id="lamp", name="Lamp", category=("Home",), price=Money(9, "USD"))


@pytest.fixture
def products(page: AppTest, visit: FakeVisit) -> AppTest:
    """The products page of a shop with two tents and a lamp."""
    visit.products["lamp"] = LAMP
    page.run()
    return page.button(key="products").click().run()


def _cards(page: AppTest) -> list[str]:
    return [button.label for button in page.button if (button.key or "").startswith("look-all-")]


def test_all_products_are_shown_with_price_and_rating(products: AppTest) -> None:
    assert _cards(products) == ["Kestrel 2", "Heron 2", "Lamp"]
    html = html_of(products)
    assert "$249" in html
    assert "Northbound · Camping › Tents" in html  # noqa: RUF001
    assert "4.3" in html
    assert "(24)" in html


def test_products_are_filtered_by_kind_and_by_what_the_catalog_finds(products: AppTest) -> None:
    products.selectbox(key="category").set_value(("Camping", "Tents")).run()
    assert _cards(products) == ["Kestrel 2", "Heron 2"]
    products.text_input(key="sought").set_value("Heron").run()
    assert _cards(products) == ["Heron 2"]
    products.text_input(key="sought").set_value("Lamp").run()
    assert _cards(products) == []
    assert "Nothing in the shop" in products.caption[0].value


def test_a_product_has_a_page_with_its_specification_and_the_sellers_words(products: AppTest) -> None:
    products.button(key="look-all-kestrel-2").click().run()
    assert products.query_params["product"] == "kestrel-2"
    html = html_of(products)
    assert '<th scope="row">Weight</th><td>1.9 kg</td>' in html
    assert "The Kestrel 2 of &lt;b&gt;Northbound&lt;/b&gt;." in html
    products.button(key="all-products").click().run()
    assert _cards(products) == ["Kestrel 2", "Heron 2", "Lamp"]
    assert "product" not in products.query_params


def test_a_product_is_asked_about_in_a_new_conversation_with_its_page_open(
    products: AppTest, visit: FakeVisit, a_turn: TurnMaker
) -> None:
    visit.script = [a_turn()]
    products.button(key="look-all-kestrel-2").click().run()
    products.button(key="ask-about").click().run()
    assert "Ask the shop." in html_of(products)
    products.chat_input(key="question").set_value("How heavy is it?").run()
    user = visit.asked[0][1]
    assert user is not None
    assert user.page.product_id == "kestrel-2"


def test_an_example_question_of_a_product_is_asked_at_once(
    products: AppTest, visit: FakeVisit, a_turn: TurnMaker
) -> None:
    visit.script = [a_turn()]
    products.button(key="look-all-kestrel-2").click().run()
    products.button(key="product-example-0").click().run()
    text, user = visit.asked[0]
    assert text == "What is the weight of the Kestrel 2?"
    assert user is not None
    assert user.page.product_id == "kestrel-2"
    assert "weighs 1.9 kg" in html_of(products)


def test_who_asks_is_not_forgotten_on_the_way(products: AppTest) -> None:
    products.button_group(key="role").set_value("seller").run()
    products.button(key="new-chat").click().run()
    assert products.button_group(key="role").value == "seller"
    assert "Ask the shop." in html_of(products)


def test_a_product_that_is_not_sold_shows_all_others(page: AppTest) -> None:
    page.run()
    page.button(key="products").click().run()
    page.query_params["product"] = "nonsense"
    assert _cards(page.run()) == ["Kestrel 2", "Heron 2"]
