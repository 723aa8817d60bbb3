"""Where a visitor is: the page, the conversation and the product, all of which the address keeps."""

from typing import Literal

import streamlit as st

Place = Literal["chat", "products"]
ADDRESSES: dict[Place, str] = {"chat": "", "products": "products"}
"""The pages' paths."""


def go_to(place: Place) -> None:
    """Show a page at the next run, with what the address holds."""
    st.session_state["going_to"] = place


def wanted() -> Place | None:
    """Where the last click leads, once."""
    place: Place | None = st.session_state.pop("going_to", None)
    return place


def open_thread(thread_id: str | None = None) -> None:
    """Show another conversation, or an empty one."""
    _keep("thread", thread_id)
    go_to("chat")


def look_at(product_id: str | None) -> None:
    """Open a product page; it survives a reload and can be linked to."""
    st.session_state["product"] = product_id
    _keep("product", product_id)


def browse() -> None:
    """Show all products."""
    look_at(None)
    go_to("products")


def say(text: str) -> None:
    """Send a text at the next run, as if it had been typed."""
    st.session_state["said"] = text
    go_to("chat")


def said() -> str | None:
    """What was sent so, once."""
    text: str | None = st.session_state.pop("said", None)
    return text


def _keep(name: str, value: str | None) -> None:
    if value is None:
        st.query_params.pop(name, None)
    else:
        st.query_params[name] = value
