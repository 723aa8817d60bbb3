"""A turn as HTML, by the templates of `markup.html`, which escape every word."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from app.presentation import (
    answer_layout,
    answer_with_sources,
    decisions,
    in_plain_words,
    inline,
    likeliest_intents,
    plain_name,
    source_name,
)
from app.storage.records import StaffMessage
from app.storefront import ProductDetails
from app.turns import Stage
from graph.turn import Turn
from ingestion.evidence import Evidence, Product

FindSource = Callable[[str, str], Evidence | None]
"""The evidence of an id and generation, or None where it is gone."""
LONG_SOURCE = 600
"""From this many characters on, the quote also stands above the text, so that nobody has to look for it."""
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")


templates = Environment(
    loader=FileSystemLoader(Path(__file__).parent),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)
"""The page's templates; whatever is put into one is escaped."""
_USED = (answer_layout, inline, in_plain_words, decisions, likeliest_intents, plain_name, source_name)
templates.globals.update({one.__name__: one for one in _USED}, long_source=LONG_SOURCE)
_macros: Any = templates.get_template("markup.html").module


def coming_html(answer: str, stages: Sequence[Stage]) -> str:
    """A turn as far as it has come: its stages until it says something; its sources do not open yet."""
    return str(_macros.coming(answer, [(type(stage).__name__, stage) for stage in stages]))


def turn_html(turn: Turn, find: FindSource, products: Mapping[str, Product]) -> str:
    """A finished turn: what was understood, the answer with its sources, how sure it is, how it came about.

    Args:
        turn: The turn.
        find: Looks up a cited source.
        products: The catalog, for names.
    """
    return str(_macros.whole(turn, find, products))


def tools_html(turn: Turn) -> str:
    """What can be done with an answer, if anything; `answer_tools` lets its buttons do it."""
    copied = answer_with_sources(turn) if turn.citations else None
    spoken = turn.answer if turn.style == "voice" else None
    return str(_macros.tools(copied, spoken)) if copied or spoken else ""


def kept_html(owner: str, days: int) -> str:
    """For how many days a visitor's conversations are kept, 0 being for good, and how they have them deleted."""
    return str(_macros.kept(owner, days))


def question_html(text: str) -> str:
    """What a customer asked."""
    return str(_macros.question(text))


def message_html(message: StaffMessage, find: FindSource, products: Mapping[str, Product]) -> str:
    """What a person of the shop wrote, with the sources behind it where it has some."""
    return str(_macros.message(message, find, products))


def card_html(details: ProductDetails, *, named: bool = True) -> str:
    """A product, with what it costs and how it is rated.

    Args:
        details: The product.
        named: Whether its name is told, too.
    """
    return str(_macros.card(details, named))


def product_html(details: ProductDetails) -> str:
    """A product in the seller's words, with what it costs and how it is rated."""
    return str(_macros.product_head(details))


def specifications_html(product: Product) -> str:
    """A product's attributes as a table."""
    return str(_macros.specifications(product))


def literal(text: str) -> str:
    """Text for a place that reads Markdown, such as a button's label, with every sign meaning itself."""
    return _PUNCTUATION.sub(r"\\\g<0>", " ".join(text.split()))
