"""Roles: whether the user says on which side of a sale they stand."""

import re

from graph.turn import Role

_STATED = re.compile(
    r"\b(?:i\s+am|i'm|im|as|i’m)\s+(?:(?:actually|just|only)\s+)?(?:a|the|an?\s+\w+)\s+(?P<role>seller|merchant|vendor|buyer|customer|shopper)\b"
    r"|\bi\s+(?P<verb>sell)\s+(?:on|with|through|here|things|my|in)\b",
    re.IGNORECASE,
)
_SELLERS = frozenset({"seller", "merchant", "vendor", "sell"})


def stated_role(query: str) -> Role | None:
    """The role a user gives themself ("I'm a seller"); None where they do not."""
    match = _STATED.search(query)
    if match is None:
        return None
    return "seller" if (match["role"] or match["verb"]).casefold() in _SELLERS else "buyer"
