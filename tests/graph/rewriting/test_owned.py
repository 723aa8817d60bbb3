"""What the user owns: "my tent" is the tent that the user bought here."""

import pytest

from tests.graph.rewriting.conftest import Ask


@pytest.mark.parametrize(
    ("query", "standalone"),
    [
        ("How heavy is my tent?", "How heavy is Kestrel 2?"),
        ("what is my tent's weight", "what is Kestrel 2's weight"),
        ("How many megapixels does our phone have?", "How many megapixels does Nova Mini have?"),
    ],
)
def test_what_is_mine_is_what_i_own(ask: Ask, query: str, standalone: str) -> None:
    result = ask(query, owned=["kestrel-2", "nova-mini"], focus=["aurora-x2"])
    assert result.standalone_query == standalone


def test_what_is_mine_is_not_guessed(ask: Ask) -> None:
    asked = "How heavy is my phone?"
    assert ask(asked).standalone_query == asked
    assert ask(asked, owned=["nova-mini", "aurora-x2"]).standalone_query == asked
    assert (
        ask("What is the price of my phone charger?", owned=["nova-mini"]).standalone_query
        == "What is the price of my phone charger?"
    )
