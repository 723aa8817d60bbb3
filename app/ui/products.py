"""The products: a grid to browse, and each on a page of its own, from which it can be asked about."""

from collections.abc import Iterable, Mapping

import streamlit as st

from app.storefront import ProductDetails
from app.ui.markup import card_html, literal, product_html, specifications_html
from app.ui.paging import paged
from app.ui.places import browse, go_to, look_at, open_thread, say
from app.ui.visit import Visit
from graph.turn import Page, User
from ingestion.evidence import Product

SHOWN = 24
"""Products at once."""
CARD_WIDTH = 160
"""Pixels that a card has at least."""


def draw_products(visit: Visit) -> None:
    """The product that the address names, or all of them."""
    named = st.query_params.get("product")
    if named is not None and named in visit.products:
        _draw_product(visit.details(named))
    else:
        _draw_all(visit)


def draw_cards(visit: Visit, products: Iterable[Product], key: str) -> None:
    """Products beside each other, each with a button that opens it.

    Args:
        visit: Whose page it is.
        products: Which.
        key: What tells these cards from others on the page.
    """
    cells = st.grid("auto", min_column_width=CARD_WIDTH, border=True, key=f"cards-{key}")
    for product in products:
        with cells.container(key=f"card-{key}-{product.id}"):
            name = f"look-{key}-{product.id}"
            st.button(literal(product.name), key=name, type="tertiary", on_click=_open, args=(product.id,))
            st.html(card_html(visit.details(product.id), named=False))


def example_questions(products: Mapping[str, Product], user: User) -> list[str]:
    """A few questions of different kinds, about the open product page where there is one."""
    open_page = products.get(user.page.product_id or "")
    if open_page is not None:
        return [*_about(open_page), "Can I return it?"]
    departments: dict[str, list[Product]] = {}
    for product in products.values():
        departments.setdefault(product.category[0] if product.category else "", []).append(product)
    first, second, third = [*departments.values(), [], [], []][:3]
    questions = [question for product in first[:1] for question in _about(product)]
    questions += [f"What do customers say about the {product.name}?" for product in second[:1]]
    siblings = [product for product in third if product.category == third[0].category]
    if len(siblings) > 1:
        questions.append(f"Compare the {siblings[0].name} and the {siblings[1].name}")
    return [*questions, "What is your return policy?"]


def _about(product: Product) -> list[str]:
    attributes = [name for name, value in product.attributes.items() if any(map(str.isdigit, value))]
    return [f"What is the {name.lower()} of the {product.name}?" for name in attributes[:1]]


def _draw_all(visit: Visit) -> None:
    st.html('<h1 class="page">Products</h1>')
    sought, kind = st.columns([3, 2])
    text = sought.text_input("Search products", key="sought", placeholder="A name or a kind", persist_state="session")
    found = visit.find_products(text) if text.strip() else list(visit.products.values())
    kinds = sorted({product.category for product in visit.products.values() if product.category})
    chosen = kind.selectbox(
        "Category",
        kinds,
        index=None,
        key="category",
        format_func=" › ".join,  # noqa: RUF001 - as on the cards
        placeholder="All",
        persist_state="session",
    )
    if chosen:
        found = [product for product in found if product.category == tuple(chosen)]
    if not found:
        st.caption("Nothing in the shop is called so. Try another word, or ask in the chat.")
        return
    draw_cards(visit, paged(found, SHOWN, "shown_page"), "all")


def _draw_product(details: ProductDetails) -> None:
    product = details.product
    st.button("All products", key="all-products", icon=":material/arrow_back:", type="tertiary", on_click=browse)
    st.html(product_html(details))
    st.button(
        "Ask about it", key="ask-about", icon=":material/chat:", type="primary", on_click=_ask, args=(product.id,)
    )
    user = User(page=Page(product_id=product.id))
    questions = [*example_questions({product.id: product}, user), *(["What do customers say?"] * bool(details.ratings))]
    with st.container(horizontal=True, key="product-examples"):
        for number, question in enumerate(questions):
            key = f"product-example-{number}"
            st.button(literal(question), key=key, on_click=_ask, args=(product.id, question))
    if product.attributes:
        st.html(specifications_html(product))


def _open(product_id: str) -> None:
    look_at(product_id)
    go_to("products")


def _ask(product_id: str, question: str | None = None) -> None:
    """Begin a conversation with the product's page open."""
    look_at(product_id)
    open_thread()
    if question is not None:
        say(question)
