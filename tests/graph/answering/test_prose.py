"""Prose: the sentence that answers is quoted, with the conditions that belong to it."""

from dataclasses import replace

import pytest

from graph.answering.prose import find_prose, stands_alone
from graph.draft import Draft
from graph.parts import Statement
from graph.turn import User
from ingestion.evidence import Evidence
from tests.graph.answering.asking import cited_in, clause, draft_of, facts_said, question, said
from tests.graph.shops import TARN_2, camping_shop, document, make_shop

SHOP = camping_shop()
MANUAL = document(
    "tarn",
    "Rinse the fly with cold water. A machine would tear the fly, so wash it by hand in the bath. Dry the poles before"
    " storage. Seam tape lasts ten years.",
    title="Tarn 2 manual",
    product_id="tarn-2",
)


def policy(text: str, ask: str, source_type: str = "return_policy", **columns: str) -> Draft:
    facts = [{"id": "f", "source_type": source_type, "text": text, **columns}]
    shop = make_shop([dict(TARN_2) | {"related": []}], facts=facts)
    return draft_of(
        question(shop, ask, "tarn-2", intents=[source_type if source_type != "delivery" else "delivery_sla"])
    )


def test_the_sentence_that_answers_is_quoted_and_the_rest_is_not_pasted() -> None:
    shop = make_shop([TARN_2], documents=[MANUAL])
    draft = draft_of(question(shop, "How do I wash the fly of the Tarn 2?", "tarn-2", intents=["how_to"]))
    assert "wash it by hand" in said(draft)
    assert "ten years" not in said(draft)
    span, *_ = [span for block in draft.blocks for sentence in block.sentences for span in sentence.spans]
    assert MANUAL.text[span.start : span.end] == "A machine would tear the fly, so wash it by hand in the bath."


@pytest.mark.parametrize(
    ("section", "told"),
    [
        ("Swap > If the size is out of stock", "If the size is out of stock: Return the tent"),
        ("Swap > When tents are swapped", "Return the tent"),
    ],
)
def test_a_condition_that_heads_a_section_is_told_with_it(section: str, told: str) -> None:
    swap = document("swap", "Return the tent and order the other size.", section=section, title="Swap a size")
    shop = make_shop([TARN_2], documents=[swap])
    asked = question(shop, "Can I swap the tent for the other size?", "tarn-2", intents=["product_exchange"])
    answer = facts_said(draft_of(asked))
    assert answer.removeprefix("Yes. ").startswith(told)


def test_a_manual_is_said_to_be_one() -> None:
    shop = make_shop([TARN_2], documents=[MANUAL])
    draft = draft_of(question(shop, "How long does the seam tape last?", "tarn-2"))
    assert "manual" in facts_said(draft)
    assert "ten years" in facts_said(draft)


def test_conditions_after_a_sentence_stay_with_it() -> None:
    draft = policy(
        "Tents can be returned within 30 days. However, they must be dry. We ship daily.", "Can I return the Tarn 2?"
    )
    assert "30 days" in said(draft)
    assert "must be dry" in said(draft)
    assert "ship daily" not in said(draft)


@pytest.mark.parametrize(
    ("ask", "no"), [("Do you ship to Canada?", False), ("Do you ship sunscreens to Canada?", True)]
)
def test_a_rule_for_some_products_says_no_only_where_these_are_spoken_of(ask: str, *, no: bool) -> None:
    rule = {
        "id": "f",
        "source_type": "delivery",
        "text": "Sunscreens are not shipped to Canada.",
        "category": "Sunscreens",
    }
    shop = make_shop([dict(TARN_2) | {"related": []}], facts=[rule])
    told = said(draft_of(question(shop, ask, intents=["delivery_sla"])))
    assert "not shipped to Canada" in told
    assert told.startswith("No.") is no


def test_a_denial_answers_no() -> None:
    draft = policy("Opened tents cannot be returned.", "Can opened tents be returned?")
    assert said(draft).startswith("No.")


def test_nothing_denies_too() -> None:
    draft = policy("Nothing is delivered on Sundays.", "Do you deliver on Sundays?", "delivery")
    assert said(draft).startswith("No.")


def test_a_plain_statement_answers_yes() -> None:
    draft = policy("We deliver on Saturdays, too.", "Do you deliver on Saturdays?", "delivery")
    assert said(draft).startswith("Yes.")


def test_what_does_not_settle_the_question_surely_is_quoted_without_yes_or_no() -> None:
    assert not said(policy("Tents can be returned.", "Can the Tarn 2 be returned?")).startswith(("Yes.", "No."))


def test_a_condition_is_neither_yes_nor_no() -> None:
    answer = said(policy("Tents can be returned if they are unused.", "Can the Tarn 2 be returned?"))
    assert not answer.startswith(("Yes.", "No."))
    assert "unused" in answer


def test_a_length_of_time_is_answered_by_one() -> None:
    text = "Delivery has tracking. Delivery takes 5 working days."
    draft = policy(text, "How long does delivery take?", "delivery")
    assert "5 working days" in said(draft)


def test_a_name_that_was_asked_for_must_be_there() -> None:
    draft = draft_of(question(SHOP, "Do you deliver to Norway?", intents=["delivery_sla"]))
    assert draft.outcome == "no_answer"
    assert "Norway" in said(draft)


@pytest.mark.parametrize("mark", ["[1]", "[insert duration]"])
def test_brackets_of_a_source_are_no_markers(mark: str) -> None:
    answer = said(policy(f"Tents can be returned {mark} within 30 days.", "Can the Tarn 2 be returned?"))
    assert "30 days" in answer
    assert "[" not in answer


def test_the_rule_for_the_products_group_comes_before_the_general_one() -> None:
    draft = draft_of(question(SHOP, "Can I return the Tarn 2?", "tarn-2", intents=["return_policy"]))
    assert cited_in(draft)[0] == "return_policy:tents"


def test_members_are_told_their_own_rule_first() -> None:
    facts = [
        {"id": "all", "source_type": "delivery", "text": "Delivery takes 5 days."},
        {"id": "gold", "source_type": "delivery", "text": "Delivery takes 1 day.", "membership": "gold"},
    ]
    asked = question(
        make_shop([], facts=facts),
        "How long does delivery take?",
        intents=["delivery_sla"],
        user=User(membership="gold"),
    )
    assert cited_in(draft_of(asked))[0] == "delivery:gold"


@pytest.mark.parametrize(
    ("answer", "quoted"),
    [
        ("No, they come without cleats. Did you look on the box?", True),
        ("Why do you want to know?", False),
        ("Which size do you have? Is it the large one?", False),
    ],
)
def test_an_answer_of_a_customer_is_quoted_although_it_ends_with_a_question(answer: str, quoted: bool) -> None:  # noqa: FBT001 - expected
    item = Evidence(evidence_id="qa:1", source_type="qa", text=answer, title="Questions", row_id="1")
    assert stands_alone(Statement(item, 0, len(answer), 1.0)) is quoted


CHART = "Orra boots by foot length: 26 cm is US 8 (EU 41, UK 7), 27 cm is US 9 (EU 42) and 29 cm is US 11."
CUTS = "Orra jackets by chest: S is 88 to 94 cm, M is 95 to 101 cm and L is 102 to 108 cm."


@pytest.mark.parametrize(
    ("chart", "ask", "told"),
    [
        (CHART, "Which size do I need for feet of 26 cm?", "Orra boots by foot length: 26 cm is US 8 (EU 41, UK 7)."),
        (CHART, "My feet are 29 cm, which size?", "Orra boots by foot length: 29 cm is US 11."),
        (CUTS, "Which size fits a chest of 97 cm?", "Orra jackets by chest: M is 95 to 101 cm."),
        (CHART, "Which sizes are there by foot length?", CHART),
        (CUTS, "Which size fits a chest of 80 cm?", CUTS),
    ],
)
def test_of_a_list_by_figures_the_one_asked_about_is_told(chart: str, ask: str, told: str) -> None:
    shop = make_shop([TARN_2], facts=[{"id": "f", "source_type": "size_chart", "text": chart}])
    assert told in said(draft_of(question(shop, ask, "tarn-2", intents=["size_and_fit"])))


CONDITIONS = "- it is dry, and\n- you ask us within 7 days of the order."


@pytest.mark.parametrize(
    ("text", "told", "places"),
    [
        (f"We take a tent back if\n\n{CONDITIONS}", "if it is dry, and you ask us within 7 days of the order.", 3),
        (f"We take a tent back:\n\n{CONDITIONS}", "We take a tent back: you ask us within 7 days of the order.", 2),
        (f"We take tents back.\n\n{CONDITIONS}", "Tents back: you ask us within 7 days of the order.", 1),
        (f"For tents\n\n- Rinse it.\n{CONDITIONS}", "Tents back: you ask us within 7 days of the order.", 1),
    ],
)
def test_an_item_of_a_list_is_told_behind_what_introduces_it_and_with_what_only_together_ends_the_sentence(
    text: str, told: str, places: int
) -> None:
    article = document("tents-back", text, title="Tents back")
    shop = make_shop([TARN_2], documents=[article])
    draft = draft_of(question(shop, "Within how many days of the order must I ask you?", intents=["return_policy"]))
    (sentence,) = (one for one in draft.facts if told in one.text)
    assert len(sentence.spans) == places


def test_what_only_introduces_a_list_is_not_told_alone() -> None:
    article = document("tents-back", f"We take a tent back if\n\n{CONDITIONS}", title="Tents back")
    assert not stands_alone(Statement(article, 0, len("We take a tent back if"), 1.0))


@pytest.mark.parametrize(("kind", "converted"), [("qa", False), ("review", False), ("description", True)])
def test_the_shops_figures_are_told_in_another_unit_and_not_those_of_customers(kind: str, *, converted: bool) -> None:
    text = "At 1.70 m you have to duck."
    item = Evidence(evidence_id=f"{kind}:1", source_type=kind, text=text, title="Tarn 2", row_id="1")
    asked = "How tall is it inside in cm?"
    [found] = find_prose(clause(asked), [Statement(item, 0, len(text), 1.0)], question(SHOP, asked))
    told = "".join(sentence.text for block in found.blocks for sentence in block.sentences)
    assert ("about 170 cm" in told) is converted


def test_a_value_of_a_variant_asks_for_no_source_that_holds_it_and_another_name_does() -> None:
    tarn = SHOP.products["tarn-2"]
    text = "Any colour can be exchanged within 30 days."
    item = Evidence(evidence_id="exchange:1", source_type="exchange", text=text, title="Exchanges", row_id="1")
    read = [Statement(item, 0, len(text), 1.0)]
    for colour, held in (("Moss", True), ("Crimson", False)):
        asked = f"Could I have it in {colour} instead?"
        assert bool(find_prose(clause(asked, tarn), read, question(SHOP, asked, "tarn-2"))) is held


def test_a_city_of_a_country_that_the_shop_names_asks_for_no_source_that_holds_it() -> None:
    text = "Parcels are on the way for 5 days."
    item = Evidence(evidence_id="delivery:1", source_type="delivery", text=text, title="Delivery", row_id="1")
    asked, regions = "How long is delivery to Dublin?", {"EU": ["Ireland"]}
    own = replace(question(SHOP, asked), regions=regions)
    assert not find_prose(clause(asked), [Statement(item, 0, len(text), 1.0)], own)
    assert find_prose(clause(asked), [Statement(item, 0, len(text), 1.0)], replace(own, places=("Ireland",)))
