"""Swaps made from a shop: they are the same every time, false in one thing, and told from true sentences."""

from collections import Counter
from pathlib import Path

import pytest

from evals.shops.swaps import Swap, support_rows, swaps_of_shop

SHOP = Path(__file__).parents[2] / "shop"


@pytest.fixture(scope="module")
def swapped() -> list[Swap]:
    return swaps_of_shop(SHOP)


def test_every_kind_of_swap_is_made_and_always_the_same(swapped: list[Swap]) -> None:
    assert Counter(one.kind for one in swapped).keys() == {"true", "number", "unit", "negation", "product"}
    assert swaps_of_shop(SHOP) == swapped
    assert swaps_of_shop(SHOP, seed=12) != swapped


def test_a_swap_differs_from_the_true_sentence_of_its_evidence(swapped: list[Swap]) -> None:
    true = {(one.claim, one.evidence) for one in swapped if one.label}
    assert not [one for one in swapped if not one.label and (one.claim, one.evidence) in true]


def test_rows_are_those_that_support_is_evaluated_on(swapped: list[Swap]) -> None:
    first = support_rows(swapped)[0]
    assert first.keys() == {"id", "claim", "evidence", "label", "group"}
    assert (first["group"], first["label"]) == ("true", True)
