"""The shop's products as a visitor browses them: found by a text, and each with what the shop and its customers say."""

from dataclasses import dataclass

from graph.answering.reviews import average_rating
from graph.parts import Context
from ingestion.evidence import Product


@dataclass(frozen=True, slots=True)
class ProductDetails:
    """A product with more than its catalog entry.

    Attributes:
        product: The catalog's entry.
        rating: The mean of its customers' stars, 1 to 5; None where nobody gave any.
        ratings: How many gave some.
        description: The seller's own words, in paragraphs.
    """

    product: Product
    rating: float | None
    ratings: int
    description: tuple[str, ...]


def details_of(product: Product, context: Context) -> ProductDetails:
    """A product with what else the index holds of it."""
    own = [
        one
        for one in context.knowledge.product_evidence(product.id, {"review", "description", "feature"})
        if one.product_id == product.id
    ]
    average = average_rating([one for one in own if one.source_type == "review"], product)
    derived = next((span.derived for segment in average.segments for span in segment.spans), None) if average else None
    return ProductDetails(
        product,
        rating=float(derived.value) if derived else None,
        ratings=len(derived.of) if derived else 0,
        description=tuple(one.text for one in own if one.source_type != "review"),
    )


def products_found(text: str, context: Context) -> list[Product]:
    """The products that a text names, may mean, or whose kind it names; likeliest first."""
    products, found = context.knowledge.products, context.catalog.find(text, [], [])
    ids = [match.id for match in (*found.matches, *found.tied, *found.nearest)]
    kind = found.category
    ids += [product.id for product in products.values() if kind and product.category[: len(kind)] == kind]
    return [products[key] for key in dict.fromkeys(ids)]
