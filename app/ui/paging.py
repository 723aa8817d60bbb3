"""Long lists, a page at a time."""

from collections.abc import Iterator, Sequence
from math import ceil
from typing import TypeVar

import streamlit as st

T = TypeVar("T")


def paged(found: Sequence[T], size: int, key: str) -> Iterator[T]:
    """What is looked at now of a list; once all of that is drawn, the way to the rest is drawn below.

    Args:
        found: The list.
        size: Of a page.
        key: Under which the session keeps the number of the page.
    """
    pages = ceil(len(found) / size)
    page = min(st.session_state.get(key, 1), pages)
    yield from found[size * (page - 1) : size * page]
    if pages > 1:
        st.pagination(pages, key=key)
