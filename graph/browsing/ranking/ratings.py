"""Ratings: products by the average of the stars that customers gave."""

from graph.answering.review_counts import average_rating
from graph.answering.reviews import voices
from graph.browsing.ranking.scope import Scope
from graph.draft import Sentence
from graph.parts import Context
from ingestion.evidence import Evidence, Product

_REVIEW = frozenset({"review"})
_FEWEST = 2

Rated = tuple[Product, Sentence, float, list[Evidence]]
"""A product, its average in a sentence, the same as a number, and its reviews."""


def rated(scope: Scope, direction: int, parts: Context) -> list[Rated]:
    """Products with ratings by their average, of equal ones those with more ratings first; none for fewer than two."""
    found: list[Rated] = []
    for product in scope.products:
        reviews = [
            item
            for item in parts.knowledge.product_evidence(product.id, _REVIEW)
            if item.product_id == product.id and item.rating is not None
        ]
        sentence = average_rating(reviews, product)
        if sentence is not None:
            stars = [chunks[0].rating or 0.0 for chunks in voices(reviews)]
            found.append((product, sentence, sum(stars) / len(stars), reviews))
    found.sort(key=lambda one: (-direction * round(one[2], 1), -len(voices(one[3]))))
    return found if len(found) >= _FEWEST else []
