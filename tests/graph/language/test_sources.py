"""Kinds of evidence in words: a quotation says who speaks, and can never be read as a marker."""

import pytest

from graph.language.sentences import quoted
from ingestion.source_types import SOURCE_TABLE, SOURCE_TYPES


def test_every_source_type_has_words() -> None:
    assert set(SOURCE_TABLE) == SOURCE_TYPES
    assert all(kind.label for kind in SOURCE_TABLE.values())


@pytest.mark.parametrize(
    ("source_type", "speaker"),
    [("review", "customer"), ("description", "seller"), ("manual", "manual"), ("qa", "customer Q&A")],
)
def test_who_speaks_is_said_where_it_is_not_the_shop(source_type: str, speaker: str) -> None:
    said = quoted(source_type, "It glows at night.")
    assert speaker in said
    assert "It glows at night." in said


def test_the_shop_speaks_for_itself() -> None:
    assert quoted("return_policy", "Items can be returned") == "Items can be returned."


@pytest.mark.parametrize("source_type", sorted(SOURCE_TYPES))
def test_brackets_in_evidence_are_never_brackets_in_an_answer(source_type: str) -> None:
    said = quoted(source_type, "Good [1], see [insert duration]")
    assert "[" not in said
    assert "]" not in said
    assert "insert duration" in said


def test_a_quotation_within_a_quotation_has_single_quotes() -> None:
    said = quoted("review", 'The "pegs" are “flimsy”.')
    assert said.count("“") == said.count("”") == 1
    assert '"' not in said


def test_a_quotation_stands_on_one_line() -> None:
    assert "\n" not in quoted("review", "Dry.\n  Light.")
