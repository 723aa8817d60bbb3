"""Text from outside holds no run that no real text has, and no more than its kind may have."""

import pytest
from pydantic import ValidationError

from ingestion.limits import DEFAULT_LIMITS
from ingestion.readers.cleaning import CELL_LIMIT, LONGEST_RUN, NAME_LIMIT, clean, clean_line, fold_runs
from ingestion.readers.rows import LeftOut, ProductRow, ReviewRow, explain

LONG = "ab " * 2_000


@pytest.mark.parametrize("character", ["a", "0", "-", "\u6f22", "<"])
def test_a_run_of_one_character_is_folded_to_the_longest_that_is_real(character: str) -> None:
    assert fold_runs(f"x{character * 9_000}y") == f"x{character * LONGEST_RUN}y"


@pytest.mark.parametrize(("space", "folded"), [("\t ", " "), ("\n ", "\n\n"), (" \n\n\t", "\n\n")])
def test_white_space_is_folded_to_what_means_as_much(space: str, folded: str) -> None:
    assert fold_runs(f"a{space * 100}b") == f"a{folded}b"


@pytest.mark.parametrize("text", ["=" * LONGEST_RUN, "Name\n----------\n\n    code", "1,000,000 of them " * 90])
def test_real_text_stays(text: str) -> None:
    assert fold_runs(text) == clean(text) == text


def test_cleaning_folds() -> None:
    assert clean("é" * 500) == "é" * LONGEST_RUN
    assert clean_line("a" * 500) == "a" * LONGEST_RUN


@pytest.mark.parametrize("row", [{"name": LONG}, {"name": "Tent", "brand": LONG}, {"name": "Tent", "aliases": [LONG]}])
def test_a_name_without_end_is_refused_with_both_figures(row: dict[str, object]) -> None:
    with pytest.raises(ValidationError) as refused:
        ProductRow.model_validate({"id": "p", **row})
    assert f"has 5,999 characters; at most {NAME_LIMIT} are read" in explain(refused.value)


def test_what_stands_beside_a_review_is_left_out_where_it_is_too_long() -> None:
    left_out = LeftOut()
    row = ReviewRow.model_validate({"id": "r", "product_id": "p", "text": "Fine.", "title": LONG}, context=left_out)
    assert row.title is None
    assert left_out == [f"title is left out: has 5,999 characters; at most {NAME_LIMIT} are read"]


def test_an_attribute_without_end_is_left_out_and_told() -> None:
    left_out = LeftOut()
    given = {"id": "p", "name": "Tent", "attributes": {"Weight": "2 kg", "Notes": LONG}}
    assert ProductRow.model_validate(given, context=left_out).attributes == {"Weight": "2 kg"}
    assert f"at most {CELL_LIMIT:,} are read" in left_out[0]


def test_a_review_may_be_as_long_as_a_cell() -> None:
    text = "Fine. " * (DEFAULT_LIMITS.cell_characters // 6)
    assert ReviewRow.model_validate({"id": "r", "product_id": "p", "text": text}).text == text.strip()
