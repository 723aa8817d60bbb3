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
def test_of_a_place_in_no_region_the_gap_is_named_and_what_names_most_regions_is_told(text: str) -> None:
    draft = asked(text, NOT, DAYS, REACH)
    assert (draft.outcome, draft.missing) == ("no_answer", ["Norway"])
    assert said(draft).startswith("The shop's information names no delivery to Norway")
    assert cited_in(draft) == ["delivery:reach"]


def test_what_only_denies_is_not_told_as_where_the_shop_delivers() -> None:
    assert cited_in(asked("Do you ship to Norway?", NOT)) == []


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Do you deliver to Iceland?", (REACH, ICELAND)),
        ("Do you deliver to Iceland?", (REACH, ICELAND | {"text": "Delivery takes 9 days.", "region": "Iceland"})),
    ],
)
def test_a_place_that_the_shop_speaks_of_is_no_gap(text: str, facts: tuple[Row, ...]) -> None:
    assert "names no delivery" not in said(asked(text, *facts))


def test_who_tells_of_a_place_beside_another_question_is_not_told_it() -> None:
    draft = asked("I'm flying to Chile next week, is the Tarn 2 waterproof enough?", REACH, about=("tarn-2",))
    assert "names no delivery" not in said(draft)


def test_who_asks_for_something_else_beside_it_is_told_that() -> None:
    draft = asked("Do you ship to Norway? How heavy is the Tarn 2?", REACH, about=("tarn-2",))
    assert draft.missing == ["Norway"]
    assert "1.9 kg" in said(draft)
