"""Fragments: shops write `Aurora X2: 1 year warranty.`; an answer says it in a sentence."""

import re

from graph.language.sentences import capitalised, ended, plural, the, with_article
from graph.language.terms import fold
from ingestion.evidence import Evidence, Product

STATES = {
    "stock": ("is", "are"),
    "offer": ("has", "have"),
    "return_policy": ("has", "have"),
    "warranty": ("has", "have"),
}
"""The verb that joins a product and a noun phrase of a kind of evidence."""
VERB = re.compile(
    r"(ships?|arrives?|comes?|includes?|costs?|has|have|is|are|can|will|takes?|leaves?|qualifies|supports?)\b",
    re.IGNORECASE,
)
CONTINUES = re.compile(r"(no|free|in|out|on|at|from|up|only|limited)\b", re.IGNORECASE)


def completed(text: str, evidence: Evidence, product: Product | None) -> str | None:
    """The sentence a fragment stands for; None where the text is a sentence already.

    Only text of the form `<product's name>: <fragment>` is completed, and only by a verb: the words stay the shop's.
    """
    if product is None or evidence.product_id != product.id:
        return None
    name, colon, rest = text.partition(": ")
    if not colon or fold(name.strip()) != fold(product.name):
        return None
    fragment = rest.strip()
    subject = capitalised(the(product.name))
    if VERB.match(fragment):
        return ended(f"{subject} {fragment[:1].lower()}{fragment[1:]}")
    if evidence.source_type not in STATES or not fragment:
        return None
    one, many = STATES[evidence.source_type]
    verb = many if plural(product.name) else one
    phrase = re.sub(r"^[A-Z](?=[a-z])", lambda first: first.group().lower(), fragment)
    if evidence.source_type == "stock":
        status, comma, rest_of_it = phrase.partition(",")
        phrase = f"{status.lower()}{comma}{rest_of_it}"
    if verb in ("has", "have") and not CONTINUES.match(phrase):
        phrase = with_article(phrase)
    return ended(f"{subject} {verb} {phrase}")
