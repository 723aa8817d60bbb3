"""Questions made from a shop's own data, and what makes an answer to them right."""

from collections.abc import Callable

import pytest

from app.demo import shop_path
from evals.shops import ShopData, read_folder
from evals.shops.labels import CitesRule, HoldsValue, Nothing, TellsOf
from evals.shops.questions import PHRASINGS, ShopQuestion, shop_questions
from evals.training.confidence import split_of
from graph.language.terms import terms
from graph.turn import Citation, Turn

MakeTurn = Callable[..., Turn]
MakeCitation = Callable[..., Citation]


@pytest.fixture(scope="module")
def shop() -> ShopData:
    return read_folder(shop_path())


@pytest.fixture(scope="module")
def questions(shop: ShopData) -> list[ShopQuestion]:
    return shop_questions(shop)


def test_there_are_enough_for_training_and_for_measuring_and_each_is_asked_once(
    questions: list[ShopQuestion],
) -> None:
    splits = [split_of(question) for question in questions]
    assert splits.count("train") >= 600
    assert splits.count("test") >= 300
    assert len({question.text for question in questions}) == len(questions)


def test_no_product_rule_or_article_is_on_both_sides(questions: list[ShopQuestion]) -> None:
    sides = {(question.subject, split_of(question)) for question in questions}
    assert len(sides) == len({subject for subject, _ in sides})


def test_the_same_shop_gives_the_same_questions_and_another_seed_others(
    shop: ShopData, questions: list[ShopQuestion]
) -> None:
    assert shop_questions(shop) == questions
    assert shop_questions(shop, seed=6) != questions


def test_every_kind_is_asked(questions: list[ShopQuestion]) -> None:
    kinds = {question.kind for question in questions}
    of_products = {"attribute", "spoken", "yes_no", "absent", "rule", "opinion", "variant"}
    assert kinds == {*of_products, "matter", "article", "procedure"}


def test_the_label_of_an_attribute_is_the_catalogs(shop: ShopData, questions: list[ShopQuestion]) -> None:
    labels = [question.label for question in questions if isinstance(question.label, HoldsValue)]
    for label in labels:
        product = shop.products[label.product_id]
        known = str(product.price) if label.name == "Price" else product.attributes[label.name]
        assert label.value == known


def test_both_yes_and_no_are_right_somewhere(questions: list[ShopQuestion]) -> None:
    polar = {question.label.polar for question in questions if isinstance(question.label, HoldsValue)}
    assert polar == {True, False, None}


def test_what_nothing_answers_is_said_nowhere_of_the_product(shop: ShopData, questions: list[ShopQuestion]) -> None:
    frames = {term for phrasing in PHRASINGS.attribute for term in terms(phrasing.format(product="", attribute=""))}
    for question in (one for one in questions if one.kind == "absent"):
        said = {
            term
            for item in shop.evidence
            if item.product_id in (question.subject, None)
            for term in terms(f"{item.title} {item.section or ''} {item.text}")
        }
        name = set(terms(shop.products[question.subject].name))
        assert said.isdisjoint(set(terms(question.text)) - frames - name), question.text
        assert not question.label.answerable


VALUE = HoldsValue("kestrel-2", "Weight", "1.9 kg")


def test_an_attribute_is_answered_by_its_value_from_that_products_evidence(
    make_turn: MakeTurn, make_citation: MakeCitation
) -> None:
    assert VALUE.is_right(make_turn())
    other = make_turn(citations=[make_citation(product_id="kestrel-3")])
    assert not VALUE.is_right(other)
    wrong = make_turn(answer="The Kestrel 2 weighs 2.6 kg [1].", citations=[make_citation(quote="Weight: 2.6 kg")])
    assert not VALUE.is_right(wrong)


def test_the_line_that_says_it_is_as_good_as_the_value(make_turn: MakeTurn, make_citation: MakeCitation) -> None:
    freestanding = HoldsValue("kestrel-2", "Freestanding", "Yes")
    line = make_citation(quote="Freestanding: Yes")
    assert freestanding.is_right(make_turn(answer="The Kestrel 2 is freestanding [1].", citations=[line]))
    assert not freestanding.is_right(make_turn(answer="Yes, it is light [1].", citations=[make_citation()]))


def test_a_yes_is_right_where_yes_or_no_was_asked_for(make_turn: MakeTurn, make_citation: MakeCitation) -> None:
    freestanding = HoldsValue("kestrel-2", "Freestanding", "Yes", polar=True)
    answer = make_citation(source_type="qa", quote="Yes, it stands by itself.")
    assert freestanding.is_right(make_turn(answer="Yes, it stands by itself [1].", citations=[answer]))
    assert not freestanding.is_right(make_turn(answer="No, it does not [1].", citations=[answer]))
    assert not freestanding.is_right(make_turn(answer="It is green [1].", citations=[answer]))


def test_behind_the_wrong_yes_or_no_a_value_is_not_right(make_turn: MakeTurn) -> None:
    heavier = HoldsValue("kestrel-2", "Weight", "1.9 kg", polar=False)
    assert heavier.is_right(make_turn(answer="No. The Kestrel 2 weighs 1.9 kg [1]."))
    assert heavier.is_right(make_turn())
    assert not heavier.is_right(make_turn(answer="Yes. The Kestrel 2 weighs 1.9 kg [1]."))


def test_a_rule_must_hold_for_the_product(make_turn: MakeTurn, make_citation: MakeCitation) -> None:
    rule = CitesRule("warranty", "kestrel-2")
    own, all_products, other = (
        make_turn(citations=[make_citation(source_type="warranty", product_id=product)])
        for product in ("kestrel-2", None, "kestrel-3")
    )
    assert [rule.is_right(turn) for turn in (own, all_products, other, make_turn())] == [True, True, False, False]


def test_an_article_is_told_by_any_part_of_it_or_by_what_speaks_of_the_same(
    make_turn: MakeTurn, make_citation: MakeCitation
) -> None:
    article = TellsOf("help_article:gift-cards", "Gift cards")
    part = make_citation(evidence_id="help_article:gift-cards#3", source_type="help_article", product_id=None)
    rule = make_citation(evidence_id="payment:p1", product_id=None, quote="Up to five gift cards can be used.")
    assert article.is_right(make_turn(citations=[part]))
    assert article.is_right(make_turn(citations=[rule]))
    assert not article.is_right(make_turn())


def test_where_nothing_answers_no_answer_is_right(make_turn: MakeTurn) -> None:
    assert not Nothing().is_right(make_turn())
