"""Negation: what says no, what leaves something out, and what may be read as a no."""

import pytest

from graph.language.negation import denies, excludes, may_deny, opens_with_no


@pytest.mark.parametrize("text", ["It has no lid.", "It isn’t waterproof.", "It cannot fly."])
def test_a_word_that_says_no_denies(text: str) -> None:
    assert denies(text)
    assert not denies("It is dry.")


@pytest.mark.parametrize("text", ["plastic-free", "all days except Sunday", "excluding batteries", "without a lid"])
def test_what_leaves_something_out_excludes(text: str) -> None:
    assert excludes(text)


@pytest.mark.parametrize("text", ["Sold out in York.", "an unheated room", "non-stick", "Cover: N", "pegs only"])
def test_more_may_be_read_as_a_no_than_says_no(text: str) -> None:
    assert may_deny(text)
    assert not denies(text)


def test_under_and_until_are_no_opposites() -> None:
    assert not may_deny("It stands under the table until May.")


def test_a_text_opens_with_no_or_goes_on_with_it() -> None:
    assert opens_with_no("None of them")
    assert not opens_with_no("There is none")
