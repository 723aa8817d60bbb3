"""How a thing works is told by the article about it, not by one that mentions it."""

import pytest

from graph.answering.articles import find_workings
from tests.graph.answering.asking import clause
from tests.graph.shops import document

SWAP = document(
    "swap#1",
    "Swap a worn rope\nBring a worn rope of any maker. We weigh it and name a price. The price comes off a new one.",
    title="Swap a worn rope",
    row_id="swap",
    keywords=("rope swap",),
)
CARE = document("care", "Ropes that hang wet wear early. Look at the rope swap first.", title="Care for ropes")
EVIDENCE = [(CARE, 0.9), (SWAP, 0.4)]


@pytest.mark.parametrize("text", ["How does the rope swap work?", "Tell me how the rope swap works"])
def test_the_article_that_is_about_it_answers_from_its_beginning(text: str) -> None:
    found = find_workings(clause(text), EVIDENCE)
    assert found is not None
    assert found.evidence_ids == {SWAP.evidence_id}
    assert "Bring a worn rope" in found.blocks[0].sentences[0].text


@pytest.mark.parametrize(
    "text", ["How does the night shift work?", "How long does the rope swap take?", "How do I work?"]
)
def test_nothing_else_is_told_so(text: str) -> None:
    assert find_workings(clause(text), EVIDENCE) is None
