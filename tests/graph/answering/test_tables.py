"""Tables in documents: the cell where the row and the column that were asked for meet."""

from graph.answering.tables import find_in_tables, rows_of
from tests.graph.answering.asking import clause
from tests.graph.shops import document

FEES = document(
    "fees",
    "Fees for sellers\nCategory | Commission | Fixed charge\nCamping | 12 percent | $0.30\n"
    "Books [new] | 8 percent | $0.10\n"
    "All fees are net.",
    title="Fees",
)


def answered(text: str) -> str | None:
    candidate = find_in_tables(clause(text), [(FEES, 0.5)])
    return candidate.blocks[0].sentences[0].text if candidate else None


def test_rows_stand_under_the_heads_of_their_table() -> None:
    rows = rows_of(FEES)
    assert [row.cells[0] for row in rows] == ["Camping", "Books [new]"]
    assert {row.heads for row in rows} == {("Category", "Commission", "Fixed charge")}
    assert FEES.text[rows[0].start : rows[0].end] == "Camping | 12 percent | $0.30"


def test_the_cell_asked_for_is_said_and_the_others_are_not() -> None:
    answer = answered("What is the commission for camping?")
    assert answer is not None
    assert "12 percent" in answer
    assert "0.30" not in answer
    assert "|" not in answer


def test_a_row_asked_for_as_a_whole_is_said_whole() -> None:
    answer = answered("What are the fees for camping?") or ""
    assert "12 percent" in answer
    assert "$0.30" in answer


def test_a_row_that_is_not_there_answers_nothing() -> None:
    assert answered("What is the commission for shoes?") is None


def test_a_row_without_what_was_asked_answers_nothing() -> None:
    assert answered("What is the refund for camping?") is None


def test_brackets_in_a_cell_are_no_markers() -> None:
    assert "[" not in (answered("What is the commission for new books?") or "[")


def test_the_row_is_cited() -> None:
    candidate = find_in_tables(clause("What is the commission for camping?"), [(FEES, 0.5)])
    assert candidate is not None
    [span] = candidate.blocks[0].sentences[0].spans
    assert FEES.text[span.start : span.end].startswith("Camping")
