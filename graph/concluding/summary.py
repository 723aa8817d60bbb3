"""Summary: what the team must know to take a conversation over."""

from collections.abc import Iterator

from graph.draft import Draft
from graph.state import TurnState

EARLIER = 3
"""Questions before the last one that are told."""
LONGEST = 400
"""Characters of the answer that is told."""


def summary_of(state: TurnState, draft: Draft) -> str:
    """What was asked lately, what the customer was told, and what is missing or was withheld; a line each."""
    return "\n".join(f"{name}: {text}" for name, text in _lines(state, draft) if text)


def _lines(state: TurnState, draft: Draft) -> Iterator[tuple[str, str]]:
    earlier = [turn["query"] for turn in state["discourse"].get("turns", [])][-EARLIER:]
    yield "Asked", " / ".join([*earlier, state["query"]])
    yield "Products", ", ".join(match["name"] for match in state.get("catalog", {}).get("matches", []))
    told = " ".join(one.text for block in draft.blocks for one in block.sentences if one.factual)
    yield "Told", told if len(told) <= LONGEST else f"{told[:LONGEST].rsplit(' ', 1)[0]} ..."
    yield "Missing", "; ".join(draft.missing)
    yield "To be confirmed", "; ".join(draft.issues)
    user = state.get("user", {})
    yield "Customer", ", ".join(str(user[key]) for key in ("role", "region", "membership") if user.get(key))
