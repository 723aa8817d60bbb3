"""The yes or no before what is quoted, where the evidence decides it."""

from graph.answering.asked import Asked
from graph.language.terms import terms
from graph.parts import Encoder
from graph.polarity import Polarity
from ingestion.evidence import Product

ADVERTISED = frozenset({"description", "feature"})


def verdict_of(asked: Asked, statement: str, source_type: str, product: Product | None, encoder: Encoder) -> str | None:
    """`Yes.` or `No.` where a statement decides a yes/no clause surely enough; None where it does not.

    What holds on a condition ("if it was opened") is left to the words of the source.
    """
    if not asked.yes_no or asked.conditional:
        return None
    found = Polarity(encoder).verdict(asked.text, statement, source_type, product.name if product else "")
    if source_type in ADVERTISED and not asked.specific & frozenset(terms(statement)):
        # An advertisement that is silent on a matter neither confirms nor denies it.
        return None
    return None if found.said is None else "Yes." if found.said else "No."
