"""The yes or no before what is quoted, where the evidence decides it."""

from graph.answering.asked import Asked
from graph.language.terms import terms
from graph.parts import Encoder
from graph.polarity import Polarity
from ingestion.evidence import Product

TOLD = 0.5
"""More than this share of what was asked a statement must speak of to confirm or deny it."""


def verdict_of(asked: Asked, statement: str, source_type: str, product: Product | None, encoder: Encoder) -> str | None:
    """`Yes.` or `No.` where a statement decides a yes/no clause surely enough; None where it does not.

    What holds on a condition ("if it was opened") is left to the words of the source.
    """
    if not asked.yes_no or asked.conditional:
        return None
    if len(asked.specific & frozenset(terms(statement))) <= TOLD * len(asked.specific):
        return None
    found = Polarity(encoder).verdict(asked.text, statement, source_type, product.name if product else "")
    return None if found.said is None else "Yes." if found.said else "No."
