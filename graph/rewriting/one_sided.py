"""One-sided comparisons: what is named is compared with the product at hand ("the difference to the Kestrel 3")."""

import re
from collections.abc import Sequence

from graph.catalog import Mention
from graph.rewriting.words import Edit, appended, edited
from ingestion.evidence import Product

_DETERMINED = r"(?:the |your |a )?$"
_DIFFERENCE = re.compile(r"\b(?:differences?|comparison)\b", re.IGNORECASE)
_LINK = re.compile(rf"\s(?P<link>(?:compared )?(?:to|from|with)) {_DETERMINED}", re.IGNORECASE)
_COMPARE = re.compile(
    rf"^\W*(?:and |so |please |can you |could you |how does (?:that|this) )*compared?(?P<place>) (?:to|with|against) "
    rf"{_DETERMINED}",
    re.IGNORECASE,
)
_VERSUS = re.compile(rf"^\W*(?:and |or |so |what about )*(?P<place>)(?:vs\.?|versus) {_DETERMINED}", re.IGNORECASE)
_SUBJECT = re.compile(rf"\bhow (?:much )?(?:does|do|is|are|different (?:is|are)) {_DETERMINED}", re.IGNORECASE)
_DIFFERS = re.compile(r"\s*(?:differ|different|compare)?\W*", re.IGNORECASE)


def with_other_side(query: str, mentions: Sequence[Mention], product: Product) -> str | None:
    """A comparison with the product at hand put in as its other side; None where both are named or nothing is compared.

    Args:
        query: The user's words.
        mentions: The products they name, in their order.
        product: The product at hand.
    """
    if any(fit.surface.product_id == product.id for mention in mentions for fit in mention.fits[:1]):
        return None
    before, after = query[: mentions[0].start], query[mentions[-1].end :]
    if (found := _LINK.search(before)) and _names_difference(before[: found.start()]):
        return edited(query, [Edit(*found.span("link"), f"between {product.name} and")])
    if found := _COMPARE.search(before):
        return edited(query, [Edit(*found.span("place"), f" {product.name}")])
    if found := _VERSUS.search(before):
        return edited(query, [Edit(*found.span("place"), f"{product.name} ")])
    compared = "differ" in before.lower() or re.search(r"differ|compare", after, re.IGNORECASE)
    if len(mentions) == 1 and compared and _SUBJECT.search(before) and _DIFFERS.fullmatch(after):
        return appended(query, f"{'to' if 'compare' in after.lower() else 'from'} {product.name}")
    return None


def _names_difference(text: str) -> bool:
    """Whether the last sentence of a text names a difference."""
    return _DIFFERENCE.search(text, max(text.rfind("?"), text.rfind("!")) + 1) is not None
