"""Product switch: the previous question asked again of another product ("and the X3?", "How about iPhone 14?")."""

import re
from collections.abc import Sequence

from graph.catalog import Mention
from graph.discourse import PastTurn
from graph.rewriting.scene import Scene
from graph.rewriting.words import Edit, appended, edited
from ingestion.evidence import Product

_FILLERS = re.compile(
    r"^(?:\W|\b(?:and|or|but|ok|okay|so|also|then|well|now|hmm|oh|plus|what|how|about|of|is|with|for|on|the|this|that|your|one"
    r"|instead|too|please|same|question|as|though|s|in|comparison|thing|case)\b)*$",
    re.IGNORECASE,
)
"""What may stand around the name of a product when nothing else is asked."""

_LEADING_ARTICLE = re.compile(r"^(?:the|your|this|that)\s+", re.IGNORECASE)


def is_bare(query: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a question says nothing but the names in these spans."""
    rest = edited(query, [Edit(start, end, " ") for start, end in spans])
    return bool(_FILLERS.match(rest))


def spoken_name(query: str, mention: Mention, scene: Scene) -> str:
    """How a mention is to be called: by the product's name, or as the user said where it is not clear which."""
    if mention.known and len(mention.fits) == 1:
        return scene.products[mention.fits[0].product_id].name
    return _LEADING_ARTICLE.sub("", query[mention.start : mention.end])


def asked_again(previous: PastTurn, names: Sequence[str], scene: Scene) -> str | None:
    """The previous question with other names in place of its product; None where that makes no new question.

    Of several products the last one is replaced: after "compare A and B", "and C?" compares A and C.
    """
    question = previous.standalone_query
    joined = " and ".join(names)
    about = {key: scene.products[key] for key in previous.products if key in scene.products}
    spans = _spans(question, about, scene)
    if len(spans) > 1 and any(name.casefold() in question.casefold() for name in names):
        return None
    if spans:
        return edited(question, [Edit(*spans[-1], joined)])
    return appended(question, f"for {joined}") if about else None


def _spans(question: str, about: dict[str, Product], scene: Scene) -> list[tuple[int, int]]:
    """Where the previous question names its products, also one that is not sold here."""
    mentions = scene.names.mentions(question, list(about))
    spans = [(m.start, m.end) for m in mentions if not m.known or any(fit.product_id in about for fit in m.fits)]
    for product in about.values():
        place = question.casefold().find(product.name.casefold())
        if place >= 0 and not any(start <= place < end for start, end in spans):
            spans.append((place, place + len(product.name)))
    return sorted(spans)
