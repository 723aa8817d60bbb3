"""One-sided comparisons: what is named is compared with the product at hand."""

import pytest

from tests.graph.rewriting.conftest import Ask


@pytest.mark.parametrize(
    ("query", "standalone"),
    [
        ("what is the difference to the Heron 2", "what is the difference to the Heron 2 for Kestrel 2"),
        ("any differences compared to the Heron 2?", "any differences compared to the Heron 2 for Kestrel 2?"),
        ("how does the Heron 2 compare?", "how does the Heron 2 compare for Kestrel 2?"),
        ("and versus the Heron 2?", "and versus the Heron 2 for Kestrel 2?"),
        ("how does it differ from the Heron 2", "how does Kestrel 2 differ from the Heron 2"),
        ("how is it different from the Heron 2?", "how is Kestrel 2 different from the Heron 2?"),
    ],
)
def test_the_product_at_hand_is_the_other_side(ask: Ask, query: str, standalone: str) -> None:
    result = ask(query, focus=["kestrel-2"], before=["How heavy is the Kestrel 2?"])
    assert (result.standalone_query, result.rewritten_by) == (standalone, "rules")


def test_the_open_page_is_at_hand_before_anything_was_said(ask: Ask) -> None:
    result = ask("what is the difference to the Heron 2?", page="kestrel-2")
    assert result.standalone_query == "what is the difference to the Heron 2 for Kestrel 2?"
    assert result.products == ("kestrel-2",)


@pytest.mark.parametrize(
    "query",
    [
        "How is the Heron 2 different from the Aurora X3?",
        "What is the difference between the Heron 2 and the Aurora X3?",
        "What is the difference to the Kestrel 2?",
        "How heavy is the Heron 2?",
        "How does the Heron 2 work?",
    ],
)
def test_a_question_that_lacks_no_side_stays(ask: Ask, query: str) -> None:
    assert ask(query, focus=["kestrel-2"], before=["How heavy is the Kestrel 2?"]).rewritten_by == "none"


def test_a_name_that_fits_several_names_all_that_are_compared(ask: Ask) -> None:
    result = ask("what is the difference between your two Nova phones?")
    assert result.standalone_query == "what is the difference between your two Nova Plus and Nova Mini phones?"
    assert result.products == ("nova-plus", "nova-mini")
    beside = ask("what is the difference to the Nova?", focus=["kestrel-2"], before=["How heavy is the Kestrel 2?"])
    assert "kestrel-2" in beside.products
    for query in (
        "what is the difference between your two Aurora X9 phones?",
        "what is the difference between your three Nova phones?",
        "does the Nova come in different colours?",
        "is the price of the Nova different online?",
    ):
        assert "Nova Mini" not in ask(query).standalone_query
        assert "X3" not in ask(query).standalone_query


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (
            "what is the difference between your two tents?",
            "what is the difference between your two Kestrel 2 and Heron 2?",
        ),
        ("compare tents please", "compare Kestrel 2 and Heron 2 please"),
    ],
)
def test_a_kind_in_the_plural_names_all_that_are_sold_of_it(ask: Ask, query: str, expected: str) -> None:
    assert ask(query).standalone_query == expected
    assert ask(query, listed=["nova-plus", "nova-mini"]).products == ("kestrel-2", "heron-2")


@pytest.mark.parametrize(
    "query",
    [
        "what is the difference between your three tents?",
        "what is the difference between your phones?",  # more than a table holds
        "what is the difference between your winter tents?",
        "compare your products",
    ],
)
def test_some_or_too_many_of_a_kind_are_not_all_compared(ask: Ask, query: str) -> None:
    assert ask(query).rewritten_by == "none"


def test_with_several_products_at_hand_or_none_nothing_is_guessed(ask: Ask) -> None:
    query = "What is the difference to the Heron 2?"
    assert ask(query).rewritten_by == "none"
    assert ask(query, focus=["kestrel-2", "aurora-x3"], before=["Compare them"]).rewritten_by == "none"
