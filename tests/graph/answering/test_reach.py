"""Reach: where the shop delivers at all is told who asks for a place in none of its regions."""

from dataclasses import replace

import pytest

from graph.draft import Draft
from graph.retrieval.candidates import places_named
from tests.graph.answering.asking import cited_in, draft_of, question, said
from tests.graph.shops import TARN_2, Row, make_shop

REGIONS = {"US": ["United States", "Texas", "9"], "EU": ["European Union", "Germany"], "CA": ["Canada"]}
REACH: Row = {
    "id": "reach",
    "source_type": "delivery",
    "text": "We deliver to the United States, the European Union and Canada.",
}
NOT: Row = {
    "id": "not",
    "source_type": "delivery",
    "text": "Gas is not sent to the United States, the European Union or Canada.",
}
DAYS: Row = {
    "id": "days",
    "source_type": "delivery",
    "text": "Carriers work on Mondays in Canada and the European Union.",
}
ICELAND = {"id": "is", "source_type": "delivery", "text": "Delivery to Iceland takes 9 days."}


def asked(text: str, *facts: Row, about: tuple[str, ...] = ()) -> Draft:
    shop = make_shop([TARN_2], facts=facts, regions=REGIONS)
    own = question(shop, text, *about, intents=("delivery_sla", "product_spec"))
    return draft_of(replace(own, places=tuple(places_named(text, REGIONS)), regions=REGIONS))


@pytest.mark.parametrize("text", ["Do you ship to Norway?", "how long does it take to oslo, and what does it cost?"])
def test_a_place_in_no_region_gets_what_names_most_of_them(text: str) -> None:
    draft = asked(text, NOT, DAYS, REACH)
    assert cited_in(draft) == ["delivery:reach"]
    assert said(draft).endswith("The shop's information names no delivery to Norway.")


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Do you deliver to Iceland?", (REACH, ICELAND)),
        ("Do you deliver to Iceland?", (REACH, ICELAND | {"text": "Delivery takes 9 days.", "region": "Iceland"})),
        ("Do you ship to Norway?", (NOT,)),
    ],
)
def test_it_is_told_neither_of_a_place_that_the_shop_speaks_of_nor_by_what_denies(
    text: str, facts: tuple[Row, ...]
) -> None:
    assert "names no delivery" not in said(asked(text, *facts))


def test_who_tells_of_a_place_beside_another_question_is_not_told_it() -> None:
    draft = asked("I'm flying to Chile next week, is the Tarn 2 waterproof enough?", REACH, about=("tarn-2",))
    assert "names no delivery" not in said(draft)


def test_who_asks_for_something_else_beside_it_is_told_that() -> None:
    draft = asked("Do you ship to Norway? How heavy is the Tarn 2?", REACH, about=("tarn-2",))
    assert "names no delivery to Norway" in said(draft)
    assert "1.9 kg" in said(draft)
