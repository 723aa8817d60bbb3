"""Questions a visitor can start with, made from the shop's own catalog."""

from collections.abc import Mapping
from itertools import islice

from graph.turn import User
from ingestion.evidence import Product


def example_questions(products: Mapping[str, Product], user: User) -> list[str]:
    """A few questions of different kinds, about the open product page where there is one."""
    open_page = products.get(user.page.product_id or "")
    if open_page is not None:
        return [*_about(open_page), "Can I return it?"]
    shown = _one_of_each_kind(products)
    questions = [question for product in shown[:1] for question in _about(product)]
    questions += [f"What do customers say about the {product.name}?" for product in shown[1:2]]
    questions += [f"Compare the {a} and the {b}" for a, b in _siblings(products, shown[2:3])]
    return [*questions, "What is your return policy?"]


def _about(product: Product) -> list[str]:
    attributes = [name for name, value in product.attributes.items() if any(map(str.isdigit, value))]
    return [f"What is the {name.lower()} of the {product.name}?" for name in attributes[:1]]


def _one_of_each_kind(products: Mapping[str, Product]) -> list[Product]:
    """The first product of each department, at most three."""
    first: dict[str, Product] = {}
    for product in products.values():
        first.setdefault(product.category[0] if product.category else "", product)
    return list(islice(first.values(), 3))


def _siblings(products: Mapping[str, Product], chosen: list[Product]) -> list[tuple[str, str]]:
    """A chosen product with another one of its category."""
    return [
        (product.name, other.name)
        for product in chosen
        for other in islice((o for o in products.values() if o.category == product.category and o != product), 1)
    ]
