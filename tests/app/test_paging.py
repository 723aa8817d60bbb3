"""Long lists are shown a page at a time."""

import pytest

from tests.app.scripted_page import page_of


def script() -> None:
    """A page of letters."""
    import streamlit as st  # noqa: PLC0415 - this function is the page's script, with the next

    from app.ui.paging import paged  # noqa: PLC0415

    for one in paged(st.session_state["letters"], 2, "page"):
        st.text(one)


@pytest.mark.parametrize(("page", "shown"), [(1, ["a", "b"]), (2, ["c", "d"]), (3, ["e"])])
def test_each_page_shows_its_part(page: int, shown: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = page_of(script, monkeypatch, letters="abcde", page=page).run()
    assert not drawn.exception
    assert [one.value for one in drawn.text] == shown


def test_of_a_list_that_became_shorter_the_last_page_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = page_of(script, monkeypatch, letters="abc", page=9).run()
    assert [one.value for one in drawn.text] == ["c"]
