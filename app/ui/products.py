"""The products: a grid to browse, and each on a page of its own, from which it can be asked about."""

from collections.abc import Mapping

import streamlit as st

from app.ui.visit import Visit
from graph.turn import User
from ingestion.evidence import Product


def draw_products(visit: Visit) -> None:
    """The products page."""
    st.write(len(visit.products))


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
