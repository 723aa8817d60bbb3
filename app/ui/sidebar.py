"""The sidebar: who asks and what they look at, and the conversations so far."""

from itertools import islice

import streamlit as st

from app.presentation import plain_name
from app.storage.records import ThreadSummary
from app.ui.markup import card_html, literal
from app.ui.visit import Visit
from graph.turn import Page, Role, User

EXPERIENCE_NAMES = {"followups": "What to ask next", "blurb": "Product card", "judge": "A judge's grades"}
SHOWN_THREADS = 20
SHOWN_PRODUCTS = 2000
TITLE_LENGTH = 44
ROLES: tuple[Role, ...] = ("buyer", "seller")


def sidebar(visit: Visit) -> tuple[User, list[str]]:
    """Draw the sidebar and return who asks, and what else is asked for beside each answer."""
    with st.sidebar:
        st.html('<div class="brand">Footnote<sup>1</sup></div><div class="claim">Every sentence has its source.</div>')
        st.button("New chat", key="new-chat", icon=":material/edit_square:", width="stretch", on_click=open_thread)
        user = _visitor(visit)
        experiences = _experiences(visit)
        _threads(visit.threads())
    return user, experiences


def open_thread(thread_id: str | None = None) -> None:
    """Show another conversation, or an empty one."""
    if thread_id is None:
        st.query_params.pop("thread", None)
    else:
        st.query_params["thread"] = thread_id


def _visitor(visit: Visit) -> User:
    product_id = _product_page(visit)
    with st.expander("About you", key="about-you"):
        role = st.segmented_control(
            "Role",
            ROLES,
            format_func=str.capitalize,
            key="role",
            help="Buyers and sellers get different help articles.",
        )
        region = st.selectbox(
            "Region or postal code",
            list(visit.regions),
            index=None,
            key="region",
            placeholder="Not said",
            accept_new_options=True,
        )
        membership = st.text_input("Membership", key="membership", placeholder="Such as gold")
    return User(role=role, region=region, membership=membership.strip() or None, page=Page(product_id=product_id))


def _experiences(visit: Visit) -> list[str]:
    if not visit.experiences:
        return []
    return st.pills(
        "Beside each answer",
        list(visit.experiences),
        selection_mode="multi",
        format_func=lambda name: EXPERIENCE_NAMES.get(name, plain_name(name)),
        key="experiences",
        help="The model writes these on the prompt it has just read.",
    )


def _product_page(visit: Visit) -> str | None:
    products = visit.products
    if "product" not in st.session_state and st.query_params.get("product") in products:
        st.session_state["product"] = st.query_params["product"]
    offered = dict.fromkeys(islice(products, SHOWN_PRODUCTS))
    if chosen := st.session_state.get("product"):
        offered[chosen] = None
    product_id = st.selectbox(
        "You are looking at",
        list(offered),
        index=None,
        key="product",
        format_func=lambda product_id: products[product_id].name,
        placeholder="No product page",
        on_change=lambda: look_at(st.session_state["product"]),
    )
    if product_id is not None:
        st.html(card_html(products[product_id]))
    return product_id


def look_at(product_id: str | None) -> None:
    """Open a product page; the address keeps it, so that it survives a reload and can be linked to."""
    st.session_state["product"] = product_id
    if product_id is None:
        st.query_params.pop("product", None)
    else:
        st.query_params["product"] = product_id


def _threads(threads: list[ThreadSummary]) -> None:
    if not threads:
        return
    st.html('<div class="heading">Conversations</div>')
    current = st.query_params.get("thread")
    for thread in threads[:SHOWN_THREADS]:
        st.button(
            literal(_short(thread.title)),
            key=f"thread-{thread.thread_id}",
            type="secondary" if thread.thread_id == current else "tertiary",
            width="stretch",
            on_click=open_thread,
            args=(thread.thread_id,),
        )


def _short(title: str) -> str:
    return title if len(title) <= TITLE_LENGTH else f"{title[: TITLE_LENGTH - 1].rstrip()}…"
