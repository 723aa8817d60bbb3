"""Rankings: the product that has most or least first, in a sentence that is cited and counted."""

from typing import Any

import pytest

from graph.browsing.ranking import ranked, with_superlative_named
from graph.draft import Draft, Sentence
from graph.verification import SentenceVerifier
from graph.verification.admission import admit_sentences
from tests.graph.browsing.requests import requested
from tests.graph.fakes import SharedWords, make_context
from tests.graph.shops import FOOTPRINT, SOCKS, TARN_2, TARN_3, Row, Shop, make_shop, reviews_of


def tent(key: str, name: str, price: float | None = None, **attributes: str) -> Row:
    row: dict[str, Any] = {"id": key, "name": name, "brand": "Orra", "category": ["Camping", "Tents"]}
    row["attributes"] = {title.replace("_", " ").capitalize(): value for title, value in attributes.items()}
    return row | ({"price": {"amount": price, "currency": "USD"}} if price is not None else {})


ORRA = tent("orra", "Orra Dome", 199, weight="1,500 g", pockets="2 side, 1 roof")
SHOP = make_shop([TARN_2, TARN_3, ORRA, FOOTPRINT, SOCKS])


def rank(text: str, *named: str, shop: Shop = SHOP) -> Draft | None:
    return ranked(requested(text, *named, shop=shop), make_context(shop))


def ranking(text: str, *named: str, shop: Shop = SHOP) -> Draft:
    found = rank(text, *named, shop=shop)
    assert found is not None
    return found


def sentences(text: str, shop: Shop = SHOP) -> list[Sentence]:
    return ranking(text, shop=shop).facts


def first(text: str, shop: Shop = SHOP) -> str:
    return sentences(text, shop)[0].text


def test_the_winner_of_a_category_comes_first_and_the_others_behind_it() -> None:
    assert first("Which tent is the lightest?") == "The Orra Dome weighs 1,500 g, the lightest of the 3 tents."
    assert [one.product_id for one in sentences("Which tent is the lightest?")] == ["orra", "tarn-2", "tarn-3"]


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("heaviest tent", "The Tarn 3 weighs 2.6 kg"),
        ("the biggest tent by weight", "The Tarn 3 weighs 2.6 kg"),
        ("what is your cheapest tent", "The Orra Dome costs $199"),
        ("the least expensive tent", "The Orra Dome costs $199"),
        ("most expensive tent", "The Tarn 3 costs $329"),
        ("the second cheapest tent", "The Tarn 2 costs $249, the second cheapest"),
        ("what is the cheapest thing you sell", "The Moor Socks cost $18"),
        ("cheapest Fellwick tent", "The Tarn 2 costs $249, the cheapest of the 2 Fellwick tents"),
        ("lightest freestanding aluminium tent", None),
        ("the lightest tent over $200", "The Tarn 2 weighs 1.9 kg, the lightest of the 2 products that fit"),
    ],
)
def test_the_superlative_names_what_counts(text: str, start: str | None) -> None:
    if start is None:
        assert rank(text) is None
    else:
        assert first(text).startswith(start)


def test_the_winner_is_spoken_of_next() -> None:
    assert ranking("Which tent is the lightest?").focus == ["orra"]
    assert ranking("which of them is the lightest", "tarn-2", "orra").focus == ["orra"]


def test_what_does_not_state_it_is_not_said_to_lose() -> None:
    text = first("which tent has the biggest capacity")
    assert text == "The capacity of the Tarn 3 is 3 people, the biggest of the 2 tents that state their capacity."


@pytest.mark.parametrize(
    "text",
    [
        "which tent is the quietest",
        "best tent for families",
        "the newest tent",
        "cheapest delivery for tents",
        "which tent is the cheapest to repair",
        "what is the biggest complaint about your tents",
    ],
)
def test_what_nobody_states_ranks_nothing(text: str) -> None:
    assert rank(text) is None


def test_values_that_cannot_be_compared_rank_nothing() -> None:
    shop = make_shop([ORRA, tent("a", "Aven", pockets="4"), tent("b", "Bram", pockets="5")])
    assert rank("which tent has the most pockets", shop=shop) is None


def test_what_is_wanted_beside_narrows_the_products() -> None:
    shop = make_shop(
        [
            tent("a", "Aven", 90, capacity="2 people", window="Yes"),
            tent("b", "Bram", 80, capacity="1 person, 2 doors", window="No"),
            tent("c", "Corr", 120, capacity="2 people", window="Yes"),
        ]
    )
    assert first("cheapest 2 person tent", shop=shop).startswith("The Aven costs $90")
    assert first("the cheapest tent with a window", shop=shop).endswith("the cheapest of the 2 products that fit.")


def test_of_several_sizes_the_one_that_is_wanted_counts() -> None:
    shop = make_shop([tent("a", "Aven", tank="1 L or 4 L"), tent("b", "Bram", tank="2 L")])
    assert first("which tent has the biggest tank", shop=shop).startswith("The tank of the Aven is 1 L or 4 L")
    assert first("which tent has the smallest tank", shop=shop).startswith("The tank of the Aven is 1 L or 4 L")


def test_a_word_beside_the_kind_chooses_among_its_measures() -> None:
    shop = make_shop(
        [
            tent("a", "Aven", size="2 x 3 m", packed_size="40 x 20 cm"),
            tent("b", "Bram", size="2 x 2 m", packed_size="50 x 20 cm"),
        ]
    )
    assert "Bram" in first("smallest tent", shop=shop)
    assert "Aven" in first("smallest packed tent", shop=shop)


def test_a_question_about_one_product_ranks_no_others() -> None:
    assert rank("what is the largest size of the Orra Dome", "orra") is None


def test_a_bound_on_something_else_than_the_price_is_not_ranked_past() -> None:
    assert rank("the cheapest tent under 2 kg") is None


def test_the_count_is_derived_from_all_that_were_compared() -> None:
    [span] = sentences("lightest tent")[0].spans
    assert span.derived is not None
    assert span.derived.op == "count"
    assert span.derived.value == 3
    assert set(span.derived.of) == {"spec:orra", "spec:tarn-2", "spec:tarn-3"}


def test_level_products_share_the_place() -> None:
    shop = make_shop([tent("a", "Aven", 90), tent("b", "Bram", 90), tent("c", "Corr", 120)])
    assert [one.product_id for one in ranking("cheapest tent", shop=shop).blocks[1].sentences] == ["a", "b"]
    assert not any(span.derived for one in sentences("cheapest tent", shop=shop) for span in one.spans)


def test_looking_for_one_is_browsing_and_comparing_named_ones_is_not() -> None:
    looked, compared = ranking("lightest tent"), ranking("Tarn 2 or Tarn 3: which is the lightest?", "tarn-2", "tarn-3")
    assert looked.outcome == "non_decision"
    assert looked.focus == ["orra"]
    assert compared.outcome == "clear"
    assert compared.listed == ["tarn-2", "tarn-3"]


@pytest.mark.parametrize(
    ("text", "named", "key"),
    [
        ("how many pockets does your lightest tent have?", "how many pockets does the Orra Dome have?", "orra"),
        ("can I return the cheapest tent", "can I return the Orra Dome", "orra"),
        ("is the heaviest tent waterproof?", "is the Tarn 3 waterproof?", "tarn-3"),
        ("is the heavier of your tents waterproof?", "is the Tarn 3 waterproof?", "tarn-3"),
        ("what does the lightest two-person tent pack down to", "what does the Orra Dome pack down to", "orra"),
    ],
)
def test_a_question_about_what_a_superlative_picks_names_it(text: str, named: str, key: str) -> None:
    shop = make_shop([TARN_2, TARN_3, ORRA | {"attributes": ORRA["attributes"] | {"Capacity": "2 people"}}, SOCKS])
    found = with_superlative_named(requested(text, shop=shop), make_context(shop))
    assert found is not None
    assert (found[0], found[1].id) == (named, key)


@pytest.mark.parametrize(
    "text",
    [
        "what is your lightest tent",
        "show me the cheapest tent",
        "which tent is the lightest",
        "how much lighter is the Tarn 2",
        "is the lighter of the two waterproof",
        "how long does the cheapest delivery take",
    ],
)
def test_a_question_for_the_superlative_itself_names_nothing(text: str) -> None:
    assert with_superlative_named(requested(text, shop=SHOP), make_context(SHOP)) is None


def test_two_products_are_left_to_the_table_where_they_are_only_compared() -> None:
    assert rank("Which is lighter, the Tarn 2 or the Tarn 3?", "tarn-2", "tarn-3") is None


@pytest.mark.parametrize(("key", "verdict"), [("orra", "Yes."), ("tarn-2", "No.")])
def test_whether_one_is_it_is_answered_yes_or_no(key: str, verdict: str) -> None:
    found = ranking(f"Is the {SHOP.products[key].name} your lightest tent?", key)
    assert found.blocks[0].sentences[0].text == verdict
    assert found.outcome == "clear"


@pytest.mark.parametrize(
    "text", ["lightest tent", "the second cheapest tent", "most expensive tent", "the cheapest tents"]
)
def test_all_of_it_passes_the_verifier(text: str) -> None:
    found = ranking(text)
    verifier = SentenceVerifier(SharedWords())
    evidence = {item.evidence_id: item for item in make_context(SHOP).knowledge.evidence(found.sources)}
    admitted, dropped = admit_sentences(found, evidence, SHOP.products, verifier)
    assert dropped == []
    assert admitted.blocks


def test_ratings_rank_by_their_average() -> None:
    rows = [*reviews_of("tarn-2", "Good.", "Fine.", ratings=(5, 4))]
    rows += [dict(row) | {"id": f"x{row['id']}"} for row in reviews_of("orra", "Bad.", "Poor.", ratings=(2, 3))]
    shop = make_shop([TARN_2, ORRA], reviews=rows)
    best, other = sentences("the best rated tent", shop=shop)
    assert best.text == "From 2 reviews, the average of the Tarn 2 is 4.5 of 5."
    assert other.text == "Orra Dome, 2.5 of 5 from 2 reviews"
    assert all(span.derived and span.derived.op == "mean" for one in (best, other) for span in one.spans)
