"""Limits: figures that a text holds something to, read once for questions, wishes and claims."""

import pytest

from graph.language.limits import Bound, limits_in


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("It weighs over 1.9 kg.", [(Bound.ABOVE, "over 1.9")]),
        ("No more than 5 people fit.", [(Bound.BELOW, "No more than 5")]),
        ("Orders at least €50 ship within 3 to 5 days.", [(Bound.ABOVE, "at least €50"), (Bound.WITHIN, "within 3")]),
        ("The sale runs from 1 May until 31 May.", [(Bound.FROM, "from 1"), (Bound.BEFORE, "until 31")]),
        ("Bags of 5 kg or less fit.", [(Bound.BELOW, "5")]),
        ("It takes between 3 and 5 days.", [(Bound.FROM, "between 3"), (Bound.UP_TO, "between 3 and 5")]),
        ("$100 to $250", [(Bound.FROM, "100"), (Bound.UP_TO, "100 to $250")]),
        ("It weighs 1.9 kg.", []),
    ],
)
def test_what_stands_before_a_figure_tells_its_limit(text: str, limits: list[tuple[Bound, str]]) -> None:
    assert [(one.bound, one.said) for one in limits_in(text)] == limits


@pytest.mark.parametrize(("text", "kept"), [("under 2 kg", False), ("at most 2 kg", True), ("2 kg or less", True)])
def test_a_limit_that_is_exclusive_leaves_its_figure_out(text: str, *, kept: bool) -> None:
    [limit] = limits_in(text)
    assert limit.holds(1.9)
    assert limit.holds(2) is kept
