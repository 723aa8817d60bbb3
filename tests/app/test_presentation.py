"""An answer's text is read by the structures our renderer writes, and by no others."""

from collections.abc import Callable

import pytest

from app.presentation import (
    Items,
    Marker,
    Paragraph,
    Table,
    Words,
    answer_layout,
    decisions,
    for_customer,
    in_plain_words,
    inline,
    source_title,
)
from graph.turn import Citation, Confidence, Escalation, Review, Turn
from ingestion.evidence import Evidence

TurnMaker = Callable[..., Turn]
Cite = Callable[..., Citation]


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


def test_a_customer_is_told_that_a_person_looks_at_an_answer_and_not_what_was_withheld(a_turn: TurnMaker) -> None:
    ticket = Escalation(reason="unsure", ticket_id="T-1", to="care", summary="To be confirmed: withheld: It cures.")
    turn = a_turn(review=Review(required=True, issues=["medical (high): withheld: It cures."]), escalation=ticket)
    assert "It cures" in turn.model_dump_json()
    seen = for_customer(turn)
    assert "It cures" not in seen.model_dump_json()
    assert ("To be reviewed", "by a person of the shop") in list(decisions(seen))
    assert list(in_plain_words(seen))[-1] == "A person of the shop will look at this answer."


def test_a_turn_is_told_in_plain_words(a_turn: TurnMaker) -> None:
    read = [{"evidence_id": f"spec:{name}", "score": 0.9} for name in ("kestrel-2", "heron-2")]
    assert list(in_plain_words(a_turn(retrieved=read))) == [
        "2 passages of the shop's information were read; the answer rests on 1 of them.",
        "Each sentence that states something was checked against its source.",
        "High confidence: of 100 such answers, about 93 are right.",
    ]


def test_what_answers_nothing_is_told_so(a_turn: TurnMaker) -> None:
    low = Confidence(score=0.05, label="low")
    assert list(in_plain_words(a_turn(outcome="no_answer", citations=[], confidence=low))) == [
        "1 passage of the shop's information was read.",
        "Low confidence: the question is not answered yet.",
    ]
    thanks = a_turn(outcome="non_decision", citations=[], retrieved=[], searchable=False)
    assert list(in_plain_words(thanks)) == ["This needed no sources."]


def test_a_title_that_begins_with_its_kind_is_told_without_it(spec: Evidence, cite: Cite) -> None:
    cited = cite(spec, "Weight: 1.9 kg")
    assert source_title(cited) == "Specification: Kestrel 2 specifications"
    named = {"source_type": "help_article", "title": "Help article: Returns"}
    assert source_title(cited.model_copy(update=named)) == "Help article: Returns"
