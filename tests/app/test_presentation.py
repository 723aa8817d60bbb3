"""An answer's text is read by the structures our renderer writes, and by no others."""

import pytest

from app.presentation import Items, Marker, Paragraph, Table, Words, answer_layout, inline


def test_one_line_is_one_paragraph() -> None:
    assert list(answer_layout("The Kestrel 2 weighs 1.9 kg [1].")) == [Paragraph("The Kestrel 2 weighs 1.9 kg [1].")]


def test_every_line_is_a_paragraph_and_blank_lines_are_none() -> None:
    assert list(answer_layout("One.\nTwo.\n\n\nThree.\n")) == [
        Paragraph("One."),
        Paragraph("Two."),
        Paragraph("Three."),
    ]


def test_bullets_and_steps_are_lists_with_their_first_number() -> None:
    assert list(answer_layout("- a\n- b\n\n3. c\n4. d")) == [Items(["a", "b"]), Items(["c", "d"], first=3)]


def test_a_table_has_rows_of_cells_without_its_rule() -> None:
    text = "| | A | B |\n|---|---|---|\n| Weight | 1.9 kg [1] | not stated |"
    assert list(answer_layout(text)) == [Table([["", "A", "B"], ["Weight", "1.9 kg [1]", "not stated"]])]


def test_an_escaped_pipe_belongs_to_its_cell() -> None:
    assert list(answer_layout("| a |\n|---|\n| x \\| y |")) == [Table([["a"], ["x | y"]])]


def test_pipes_without_a_rule_are_words() -> None:
    assert list(answer_layout("| pipes | of a review |")) == [Paragraph("| pipes | of a review |")]


def test_markers_take_the_space_before_them() -> None:
    assert list(inline("It weighs 1.9 kg [1][12].")) == [
        Words("It weighs 1.9 kg"),
        Marker(1),
        Marker(12, spaced=False),
        Words("."),
    ]


def test_double_stars_are_bold_with_the_markers_inside() -> None:
    assert list(inline("**For:** light **a [1]**")) == [
        Words("For:", bold=True),
        Words(" light "),
        Words("a", bold=True),
        Marker(1),
    ]


@pytest.mark.parametrize(
    "text", ["*stars* and _lines_", "2 ** 3 ** 4", "[link](x)", "$5 and $6", "<b>", "a\\*b", "[a1]"]
)
def test_other_signs_mean_themselves(text: str) -> None:
    assert list(inline(text)) == [Words(text)]


@pytest.mark.parametrize("cut", range(1, 30))
def test_an_answer_that_is_still_coming_can_be_read(cut: int) -> None:
    assert list(answer_layout("**For:** it is light [1][2].\n\n- a [1]\n"[:cut]))
