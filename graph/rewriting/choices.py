"""Choices: questions that compare products without naming them ("which one is lighter?")."""

import re
from collections.abc import Sequence

from graph.rewriting.comparatives import is_comparing
from graph.rewriting.scene import Scene
from graph.rewriting.words import appended, words_of
from ingestion.evidence import Product

_MAX_CHOICES = 5
_ASKS_FOR_BEST = frozenset(
    {"better", "best", "worse", "difference", "differences", "compare", "comparison", "recommend"}
)
_OPENING = re.compile(r"^\W*(?:and\s+|so\s+|ok\s+)?(?:which|who|what)\b|\bdifferences?\b|\bcompare\b", re.IGNORECASE)
_KIND = re.compile(
    r"\bwhich\s+(?:of\s+(?:them|these|those)|ones?|is|are|has|would|should|will|do|does|can|was)\b", re.IGNORECASE
)


def find_choice(query: str, scene: Scene) -> tuple[str, Sequence[Product]] | None:
    """The question with the products to choose from, where it leaves them out."""
    products = scene.focus if len(scene.focus) > 1 else scene.listed or scene.last_two
    words = [word.text for word in words_of(query)]
    asks = not _ASKS_FOR_BEST.isdisjoint(words) or any(is_comparing(word) for word in words)
    if not 1 < len(products) <= _MAX_CHOICES or not asks or not _OPENING.search(query):
        return None
    if words[0] == "which" and not _KIND.search(query):
        return None
    names = [product.name for product in products]
    return _with_names(query, words, names), products


def _with_names(query: str, words: Sequence[str], names: Sequence[str]) -> str:
    all_but_last = ", ".join(names[:-1])
    if not {"difference", "differences"}.isdisjoint(words):
        return appended(query, f"between {all_but_last} and {names[-1]}")
    if "compare" in words:
        return appended(query, f"{all_but_last} and {names[-1]}")
    return appended(query, f"{all_but_last} or {names[-1]}", joint=", ")
