"""The styles of an answer: each words the same verified sentences, and cites the same."""

import re

from graph.draft import Draft
from graph.parts import Context
from graph.rendering.attribution import Attribution
from graph.rendering.markers import MarkerBook
from graph.rendering.spoken import SpokenAnswer
from graph.rendering.written import WrittenAnswer
from graph.state import TurnState
from graph.turn import Confidence
from ingestion.evidence import Product


def writer_of(
    draft: Draft, confidence: Confidence, book: MarkerBook, state: TurnState, parts: Context
) -> SpokenAnswer | WrittenAnswer:
    """Who writes or speaks a draft in the style that was asked for."""
    if state["style"] != "voice":
        return WrittenAnswer(book, marked=state["style"] == "text")
    # What stands near an answer that was not found is no less sure for it.
    label = "high" if draft.outcome == "no_answer" else confidence.label
    attribution = Attribution(book, parts.clock.now().date(), label)
    return SpokenAnswer(book, attribution, names=_names(draft, state, parts), clarification=draft.clarification)


def _names(draft: Draft, state: TurnState, parts: Context) -> set[str]:
    """The names of products that an answer may speak of."""
    catalog = state["catalog"]
    found = [match["name"] for kind in ("matches", "tied", "nearest") for match in catalog[kind]]
    ids = {sentence.product_id for block in draft.blocks for sentence in block.sentences} | set(draft.listed)
    products = parts.knowledge.products
    ids |= {match["id"] for kind in ("matches", "tied", "nearest") for match in catalog[kind]}
    named = [name for key in ids if key and key in products for name in _called(products[key])]
    return {*found, *named, *catalog["unknown"], *(suggestion.name for suggestion in draft.suggestions)}


def _called(product: Product) -> list[str]:
    """What a product is called: by its full name, without its maker's, or otherwise."""
    names = [product.name, product.name.removeprefix(product.brand or "").strip(), *product.aliases]
    return [name for name in names if re.search(r"[^\W\d_]", name)]
