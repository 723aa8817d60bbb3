"""Customer Q&A: the answer to a question like the one asked, said to be a customer's."""

from graph.draft import Draft
from tests.graph.answering.asking import cited_in, draft_of, facts_said, question
from tests.graph.shops import TARN_2, make_shop

ROWS = [
    {
        "id": "q1",
        "product_id": "tarn-2",
        "question": "Does it fit two wide pads?",
        "answer": "Yes, snugly. [see photo]",
    },
    {"id": "q2", "product_id": "tarn-2", "question": "Is the zip two-way?", "answer": "It opens from both ends."},
]
SHOP = make_shop([dict(TARN_2) | {"related": []}], questions=ROWS)


def ask(text: str) -> Draft:
    return draft_of(question(SHOP, text, "tarn-2"))


def test_the_most_similar_question_is_answered() -> None:
    assert cited_in(ask("Does the Tarn 2 fit two wide pads?")) == ["qa:q1"]
    assert cited_in(ask("Is the zip of the Tarn 2 two-way?")) == ["qa:q2"]


def test_the_answer_is_quoted_without_its_question() -> None:
    draft = ask("Does the Tarn 2 fit two wide pads?")
    assert "Yes, snugly" in facts_said(draft)
    assert "Does it fit" not in facts_said(draft)
    assert "[" not in facts_said(draft)


def test_who_says_it_is_said() -> None:
    assert "Q&A" in facts_said(ask("Does the Tarn 2 fit two wide pads?"))


def test_a_question_that_nobody_asked_is_not_answered() -> None:
    assert ask("Does the Tarn 2 fit a bicycle?").outcome == "no_answer"


def test_a_figure_asked_for_must_be_in_the_pair() -> None:
    assert "qa:q1" not in cited_in(ask("Does the Tarn 2 fit 5 pads?"))
