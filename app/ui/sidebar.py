"""The sidebar: who asks and what they look at, and the conversations so far."""

from dataclasses import dataclass
from functools import cache
from itertools import islice

import streamlit as st

from app.presentation import plain_name
from app.settings import Settings
from app.ui.markup import card_html, kept_html
from app.ui.places import browse, go_to, look_at, open_thread
from app.ui.threads import draw_threads
from app.ui.visit import Visit
from graph.turn import Page, Role, Style, User

EXPERIENCE_NAMES = {"followups": "What to ask next", "blurb": "Product card", "judge": "A judge's grades"}
SHOWN_PRODUCTS = 2000
ROLES: tuple[Role, ...] = ("buyer", "seller")


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, and how they are answered.

    Attributes:
        experiences: What else is asked for beside each answer.
    """

    user: User
    style: Style
    experiences: list[str]


def sidebar(visit: Visit) -> Asker:
    """Draw the sidebar and return what it says of the visitor."""
    with st.sidebar:
        st.html('<div class="brand">Footnote<sup>1</sup></div><div class="claim">Every sentence has its source.</div>')
        st.button("New chat", key="new-chat", icon=":material/edit_square:", width="stretch", on_click=open_thread)
        st.button("Products", key="products", icon=":material/storefront:", width="stretch", on_click=browse)
        user = _visitor(visit)
        style: Style = "voice" if st.toggle("Answers to listen to", key="aloud", persist_state="session") else "text"
        experiences = _experiences(visit)
        draw_threads(visit)
        st.html(kept_html(visit.owner, _kept_days()))
    return Asker(user, style, experiences)


@cache
def _kept_days() -> int:
    """As the page began; with other settings it begins anew."""
    return Settings.load().retention_days


def _visitor(visit: Visit) -> User:
    product_id = _product_page(visit)
    with st.expander("About you", key="about-you"):
        role = st.segmented_control(
            "Role",
            ROLES,
            format_func=str.capitalize,
            key="role",
            persist_state="session",
            help="Buyers and sellers get different help articles.",
        )
        region = st.selectbox(
            "Region or postal code",
            list(visit.regions),
            index=None,
            key="region",
            persist_state="session",
            placeholder="Not said",
            accept_new_options=True,
        )
        membership = st.text_input("Membership", key="membership", persist_state="session", placeholder="Such as gold")
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
        persist_state="session",
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
        persist_state="session",
        format_func=lambda product_id: products[product_id].name,
        placeholder="No product page",
        on_change=lambda: look_at(st.session_state["product"]),
    )
    if product_id is not None:
        st.html(card_html(visit.details(product_id)))
        st.button("All about it", key="all-about", type="tertiary", on_click=go_to, args=("products",))
    return product_id
