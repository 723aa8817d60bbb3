"""Clauses: a quotation loses the sensitive claim nobody asked about, and keeps what was asked."""

import pytest

from graph.options.sensitive import shipped_classes
from graph.sensitive.claims import clauses_without, tokens


def left(said: str, asked: str) -> str | None:
    found = clauses_without(f"The seller describes it so: “{said}”", str, shipped_classes(), frozenset(tokens(asked)))
    return found and found.removeprefix("The seller describes it so: ")


def test_the_clause_that_was_asked_for_stays_in_the_words_of_the_source() -> None:
    assert (
        left("Comes with 8 markers; choking hazard for toddlers.", "Does it come with markers?")
        == "“Comes with 8 markers”"
    )
    assert left("Choking hazard: small parts. Eight markers are included.", "are markers included") == (
        "“Eight markers are included.”"
    )


@pytest.mark.parametrize(
    "said",
    [
        "Comes with markers that are safe for toddlers.",
        "Eight markers, but only with adult supervision, choking hazard",
        "Choking hazard. The board folds flat.",
    ],
)
def test_a_clause_is_not_cut_out_of_what_limits_or_claims_it(said: str) -> None:
    assert left(said, "Does it come with markers?") is None
