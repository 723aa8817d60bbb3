"""Tables in documents: a row is said in a sentence, under the heads of its columns."""

from dataclasses import replace

import pytest

from graph.answering.matching import row_at, row_sentence, rows_of
from graph.answering.prose import without_rows_elsewhere
from graph.draft import Sentence
from graph.parts import Statement
from graph.retrieval.candidates import places_named
from graph.turn import User
from tests.graph.answering.asking import clause, draft_of, question, said
from tests.graph.shops import document, make_shop

FEES = document(
    "fees",
    "Fees for sellers\nCategory | Commission | Fixed charge\nCamping | 12 percent | $0.30\n"
    "Books [new] | 8 percent | $0.10\n"
    "All fees are net.",
    title="Fees",
)


def row_said(text: str, name: str) -> Sentence:
    row = row_at(FEES, FEES.text.index(name))
    assert row is not None
    return row_sentence(clause(text), FEES, row)


def test_rows_stand_under_the_heads_of_their_table() -> None:
    rows = rows_of(FEES)
    assert [row.cells[0] for row in rows] == ["Camping", "Books [new]"]
    assert {row.heads for row in rows} == {("Category", "Commission", "Fixed charge")}
    assert FEES.text[rows[0].start : rows[0].end] == "Camping | 12 percent | $0.30"


def test_heads_and_what_stands_outside_are_no_rows() -> None:
    assert row_at(FEES, FEES.text.index("Category")) is None
    assert row_at(FEES, FEES.text.index("All fees")) is None


def test_the_cell_asked_for_is_said_and_the_others_are_not() -> None:
    said_of = row_said("What is the commission for camping?", "Camping").text
    assert said_of == "Category: Camping; Commission: 12 percent."


def test_a_row_asked_for_as_a_whole_is_said_whole() -> None:
    text = row_said("What are the fees for camping?", "Camping").text
    assert text == "Category: Camping; Commission: 12 percent; Fixed charge: $0.30."


def test_brackets_in_a_cell_are_no_markers() -> None:
    assert "[" not in row_said("What is the commission for new books?", "Books").text


def test_the_row_is_cited() -> None:
    [span] = row_said("What is the commission for camping?", "Camping").spans
    assert FEES.text[span.start : span.end].startswith("Camping")


def test_a_row_answers_as_any_statement_does() -> None:
    shop = make_shop([], documents=[FEES])
    answer = said(draft_of(question(shop, "Camping fees in percent?", intents=["how_to"])))
    assert "Category: Camping; Commission: 12 percent" in answer


ZONES = {"EU": ["European Union", "Germany"], "UK": ["United Kingdom"], "CA": ["Canada"]}
POSTAGE = document(
    "postage",
    "Postage by region\nRegion | Cost\nEuropean Union | $8\nUnited Kingdom | $12\nCanada | $15\nOutside Canada | $30",
    title="Postage",
)


ALL_ZONES = ["European Union", "United Kingdom", "Canada", "Outside Canada"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("What does postage to Germany cost?", ["European Union", "Outside Canada"]),
        ("What does postage to the United Kingdom cost?", ["United Kingdom", "Outside Canada"]),
        ("What does postage to 94107 cost?", ALL_ZONES),
        ("Which regions do you ship to?", ALL_ZONES),
    ],
)
def test_a_row_for_another_region_than_the_one_named_is_not_told(text: str, told: list[str]) -> None:
    asked = question(make_shop([], documents=[POSTAGE]), text, intents=["delivery_sla"], user=User(region="UK"))
    asked = replace(asked, regions=ZONES, places=tuple(places_named(text, ZONES)))
    rows = [Statement(POSTAGE, row.start, row.end, 1.0) for row in rows_of(POSTAGE)]
    kept = without_rows_elsewhere(rows, asked)
    assert [POSTAGE.text[one.start : one.end].split(" | ")[0] for one in kept] == told
