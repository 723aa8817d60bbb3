"""Comparisons: a table with a citation in each cell, what differs first."""

import pytest

from graph.draft import Block, Draft
from tests.graph.answering.asking import cited_in, draft_of, question, said
from tests.graph.shops import TARN_2, TARN_3, camping_shop, make_shop

SHOP = camping_shop()


def compared(text: str, *about: str) -> Draft:
    return draft_of(question(SHOP, text, *(about or ("tarn-2", "tarn-3"))))


def table_of(draft: Draft) -> Block:
    return next(block for block in draft.blocks if block.kind == "table")


def test_two_products_asked_together_make_a_table() -> None:
    draft = compared("Tarn 2 or Tarn 3?")
    table = table_of(draft)
    assert table.columns[1:] == ["Tarn 2", "Tarn 3"]
    assert len(table.sentences) == 2 * len(table.row_names)
    assert draft.listed == ["tarn-2", "tarn-3"]


def test_every_stated_cell_is_cited_from_its_own_product() -> None:
    table = table_of(compared("Tarn 2 or Tarn 3?"))
    for number, cell in enumerate(table.sentences):
        product = ("tarn-2", "tarn-3")[number % 2]
        assert cell.product_id == product
        [span] = cell.spans
        assert span.evidence_id == f"spec:{product}"
        assert cell.text in SHOP.evidence([span.evidence_id])[0].text[span.start : span.end]


def test_every_row_is_named_as_the_line_it_cites() -> None:
    table = table_of(compared("Tarn 2 or Tarn 3?"))
    for number, cell in enumerate(table.sentences):
        [span] = cell.spans
        line = SHOP.evidence([span.evidence_id])[0].text[span.start : span.end]
        assert line.startswith(f"{table.row_names[number // 2]}: ")


def test_the_table_holds_what_differs_and_a_line_what_is_shared() -> None:
    draft = compared("Tarn 2 or Tarn 3?")
    names = table_of(draft).row_names
    assert {"Weight", "Price", "Capacity"} <= set(names)
    assert "Hydrostatic head" not in names
    shared = draft.blocks[-1].sentences[-1]
    assert "3,000 mm" in shared.text
    assert {span.evidence_id for span in shared.spans} == {"spec:tarn-2", "spec:tarn-3"}


def test_words_that_only_ask_for_a_comparison_confine_it_to_nothing() -> None:
    draft = compared("Could you explain the difference between the Tarn 2 and the Tarn 3?")
    assert {"Weight", "Price", "Capacity"} <= set(table_of(draft).row_names)


@pytest.mark.parametrize(
    "text",
    [
        "I hike at weekends in spring. What is the difference between the Tarn 2 and the Tarn 3?",
        "What is the difference between the Tarn 2 and the Tarn 3? I wonder if my dog can sleep in it.",
    ],
)
def test_what_is_told_beside_a_comparison_does_not_confine_it(text: str) -> None:
    assert {"Weight", "Price", "Capacity"} <= set(table_of(compared(text)).row_names)


def test_a_comparison_of_one_attribute_has_that_row_alone() -> None:
    draft = compared("Which is heavier, the Tarn 2 or the Tarn 3?")
    assert table_of(draft).row_names == ["Weight"]
    assert draft.attributes == ["Weight"]


def test_what_one_product_does_not_state_is_said_to_be_unknown() -> None:
    table = table_of(compared("Which has more inner height, the Tarn 2 or the Tarn 3?"))
    assert table.row_names == ["Inner height"]
    unknown, stated = table.sentences
    assert not unknown.factual
    assert unknown.spans == []
    assert "110 cm" in stated.text


def test_three_products_have_three_columns() -> None:
    table = table_of(compared("Compare the weight of these.", "tarn-2", "tarn-3", "moor-socks"))
    assert [cell.text for cell in table.sentences] == ["1.9 kg", "2.6 kg", "60 g"]


@pytest.mark.parametrize("value", ["Steel | titanium", "Steel [1]", "<b>Steel</b>"])
def test_a_value_cannot_be_read_as_a_marker(value: str) -> None:
    odd = dict(TARN_3) | {"attributes": {"Poles": value}}
    shop = make_shop([TARN_2, odd])
    table = table_of(draft_of(question(shop, "Compare the poles.", "tarn-2", "tarn-3")))
    assert "[" not in table.sentences[1].text


def test_what_cannot_be_drawn_as_a_table_is_answered_for_one_after_the_other() -> None:
    draft = draft_of(
        question(SHOP, "Can I return the Tarn 2 and the Moor Socks?", "tarn-2", "moor-socks", intents=["return_policy"])
    )
    assert not any(block.kind == "table" for block in draft.blocks)
    assert draft.outcome == "clear"


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Which is lighter, the Tarn 2 or the Tarn 3?", "The Tarn 2:"),
        ("Which is heavier, the Tarn 2 or the Tarn 3?", "The Tarn 3:"),
        ("Is the Tarn 2 lighter than the Tarn 3?", "Yes, the Tarn 2:"),
        ("Is the Tarn 2 cheaper than the Tarn 3?", "Yes, the Tarn 2:"),
        ("Is the Tarn 2 heavier than the Tarn 3?", "No, the Tarn 3:"),
    ],
)
def test_what_a_comparative_asks_for_comes_before_the_table(text: str, first: str) -> None:
    opening = compared(text).blocks[0].sentences[0]
    assert opening.text == first
    assert not opening.factual


def test_figures_in_different_units_are_compared_in_one() -> None:
    draft = compared("Which is heavier?", "tarn-2", "moor-socks")
    assert draft.blocks[0].sentences[0].text == "The Tarn 2:"


def test_figures_that_measure_different_things_name_no_winner() -> None:
    odd = dict(TARN_3) | {"attributes": {"Weight": "12 cm"}}
    shop = make_shop([TARN_2, odd])
    draft = draft_of(question(shop, "Which is heavier?", "tarn-2", "tarn-3"))
    assert draft.blocks[0].kind == "table"


def test_a_table_of_other_things_is_no_answer_to_which_has_more_of_one() -> None:
    draft = compared("Which has the better camera?")
    assert draft.outcome == "no_answer"
    assert "camera" in said(draft)


@pytest.mark.parametrize(
    "text",
    [
        "What are the differences between the Tarn 2 and the Tarn 2 Air?",
        "What is the difference between the Tarn 2 and the Tarn 2 Air?",
        "How do the Tarn 2 and the Tarn 2 Air differ?",
        "Tarn 2 and Tarn 2 Air: how do they differ?",
        "Tarn 2 versus Tarn 2 Air",
    ],
)
def test_a_name_within_a_name_is_nothing_that_is_compared(text: str) -> None:
    air = TARN_3 | {"id": "air", "name": "Tarn 2 Air"}
    draft = draft_of(question(make_shop([TARN_2, air]), text, "tarn-2", "air"))
    assert len(table_of(draft).row_names) > 1


def test_a_part_of_a_name_is_nothing_that_is_compared() -> None:
    shop = make_shop([TARN_2 | {"name": "Fellwick Tarn 2"}, TARN_3 | {"name": "Fellwick Tarn Race"}])
    draft = draft_of(question(shop, "Compare the Fellwick Tarn 2 and the Tarn Race", "tarn-2", "tarn-3"))
    assert len(table_of(draft).row_names) > 1


def test_what_the_products_are_is_nothing_that_is_compared() -> None:
    tents = make_shop([TARN_2 | {"category": ["Tents"]}, TARN_3 | {"category": ["Tents"]}])
    draft = draft_of(
        question(tents, "What is the difference between your Tarn 2 and Tarn 3 tents?", "tarn-2", "tarn-3")
    )
    assert len(table_of(draft).row_names) > 1
    assert not draft.missing
    lights = make_shop([TARN_2 | {"category": ["Weights"]}, TARN_3 | {"category": ["Weights"]}])
    draft = draft_of(question(lights, "Compare the weight of the Tarn 2 and the Tarn 3", "tarn-2", "tarn-3"))
    assert table_of(draft).row_names == ["Weight"]


PASTES = make_shop(
    [
        {"id": key, "name": name, "attributes": {"Period after opening": period, "Texture": texture, "Weight": weight}}
        for key, name, period, texture, weight in [
            ("mild", "Mild Paste", "12 months", "Light", "60 g"),
            ("rich", "Rich Paste", "9 months", "Thick", "75 g"),
        ]
    ]
)


def test_an_attribute_that_comes_nearest_has_its_row_alone() -> None:
    text = "For what period after opening are the Mild Paste and the Rich Paste good?"
    draft = draft_of(question(PASTES, text, "mild", "rich"))
    assert table_of(draft).row_names == ["Period after opening"]


STOVE_AND_GAS = make_shop(
    [
        {
            "id": key,
            "name": name,
            "category": ["Camping"],
            "price": price,
            "description": f"The {name} weighs very little: less than a Drey Gas or a Wren Stove of old.",
            "attributes": {"Weight": weight, "Thread": "Fine", "Windproof": windproof},
        }
        for key, name, price, weight, windproof in [
            ("gas", "Drey Gas", "$9", "230 g", "Yes"),
            ("stove", "Wren Stove", "$39", "99 g", "No"),
        ]
    ],
    questions=[
        {
            "id": "q",
            "product_id": "gas",
            "question": "Does it fit the thread of the Wren Stove?",
            "answer": "Yes, the Drey Gas fits the thread of the Wren Stove.",
        }
    ],
)


@pytest.mark.parametrize(
    "text",
    [
        "Do the Mild Paste and the Rich Paste come with a spatula?",
        "Mild Paste or Rich Paste on a ferry?",
        "How often is the Mild Paste and the Rich Paste delivered on Mondays?",
    ],
)
def test_what_no_row_tells_gets_no_table_of_other_things(text: str) -> None:
    draft = draft_of(question(PASTES, text, "mild", "rich"))
    assert not any(block.kind == "table" for block in draft.blocks)


def test_each_product_is_spoken_of_in_turn_where_the_question_names_both() -> None:
    draft = draft_of(question(PASTES, "Do the Mild Paste and the Rich Paste come with a spatula?", "mild", "rich"))
    assert "on the Mild Paste" in said(draft)
    assert "on the Rich Paste" in said(draft)
    assert "whether mild" not in said(draft).lower()


def test_whether_one_goes_with_the_other_is_told_by_who_says_so_and_not_by_a_table() -> None:
    draft = draft_of(question(STOVE_AND_GAS, "Does the Drey Gas fit the thread of the Wren Stove?", "gas", "stove"))
    assert cited_in(draft)[:1] == ["qa:q"]
    assert draft.listed == ["gas", "stove"]


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("Do the Drey Gas and the Wren Stove both weigh little?", "Weight"),
        ("Does the Drey Gas weigh more than the Wren Stove?", "Weight"),
        ("Is the Drey Gas lighter than the Wren Stove?", "Weight"),
        ("Has the Drey Gas the same thread as the Wren Stove?", "Thread"),
        ("Are the Drey Gas and the Wren Stove windproof?", "Windproof"),
        ("Has the Drey Gas or the Wren Stove a fine thread?", "Thread"),
    ],
)
def test_what_is_asked_of_both_alike_is_a_table(text: str, row: str) -> None:
    assert table_of(draft_of(question(STOVE_AND_GAS, text, "gas", "stove"))).row_names == [row]


def test_what_is_asked_beside_whether_they_go_together_is_answered_too() -> None:
    text = "Does the Drey Gas fit the thread of the Wren Stove? And how heavy is the Wren Stove?"
    assert "99 g" in said(draft_of(question(STOVE_AND_GAS, text, "gas", "stove")))
