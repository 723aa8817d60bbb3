"""Phrasing: what the shop's information does not say, in the words of the question."""

from graph.language.indirect import whether
from graph.language.sentences import the
from ingestion.evidence import Product

COUNTS = {"is": "counts as", "are": "count as", "was": "counted as", "were": "counted as"}


def gap(clause: str, product: Product | None) -> str:
    """Say that primary sources do not settle a question; nothing else is said of it, neither yes nor no."""
    about = f" on {the(product.name)}" if product else ""
    told = _whether(" ".join(clause.split()).strip(" ?!."))
    if told:
        return f"The shop's own information{about} does not say whether {told}, so I can't confirm it."
    return f"The shop's own information{about} does not settle that, so I can't confirm it."


def _whether(clause: str) -> str:
    """`Is it fire retardant` as `it counts as fire retardant`; empty where a clause does not turn so.

    No clause of it says by itself what was asked, however it is quoted.
    """
    turned = whether(clause)
    if turned is None:
        return ""
    subject, verb, rest = turned
    return f"{subject} {COUNTS.get(verb, verb)} {rest}".strip()
