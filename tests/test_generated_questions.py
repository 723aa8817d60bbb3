"""Questions made from a catalog."""

import random

from evals.shops.questions import misspelt
from ingestion.evidence import Product
from tests.generated_questions import ODD_QUESTIONS, generated_questions

CATALOG = {
    name: Product(id=name, name=name.capitalize(), attributes={"Weight": "1 kg", "Colour": "Moss"})
    for name in ("kestrel", "heron", "wren")
}


def test_the_same_catalog_and_seed_give_the_same_questions() -> None:
    assert generated_questions(CATALOG, 60) == generated_questions(CATALOG, 60)
    assert generated_questions(CATALOG, 60) != generated_questions(CATALOG, 60, seed=8)
    assert generated_questions(CATALOG, 20) == generated_questions(CATALOG, 60)[:20]


def test_products_and_attributes_are_asked_about() -> None:
    text = " ".join(generated_questions(CATALOG, 60))
    assert all(part in text for part in ("Kestrel", "Heron", "Wren", "weight", "colour"))


def test_every_odd_question_is_among_two_hundred() -> None:
    asked = set(generated_questions(CATALOG, 200))
    plain = [question for question in ODD_QUESTIONS if "{" not in question]
    assert plain
    assert set(plain) <= asked


def test_one_product_is_catalog_enough() -> None:
    assert len(generated_questions({"wren": CATALOG["wren"]}, 30)) == 30


def test_a_misspelt_text_is_off_by_one_letter_and_a_text_without_letters_stays() -> None:
    for seed in range(20):
        found = misspelt("Kestrel", random.Random(seed))  # noqa: S311 - reproducible, no secret
        assert abs(len(found) - len("Kestrel")) <= 1
    assert misspelt("1 2 3", random.Random(0)) == "1 2 3"  # noqa: S311
