"""What a thread remembers between turns: typed, plain, and small enough for a checkpoint."""

from typing import Literal

from pydantic import Field

from graph.turn import Outcome, Role, Shape

REMEMBERED_TURNS = 12


class PastTurn(Shape):
    """One earlier turn, as later turns need it."""

    query: str
    standalone_query: str
    answer: str
    products: list[str] = Field(default_factory=list)
    intents: list[str] = Field(default_factory=list)
    outcome: Outcome
    attributes: list[str] = Field(default_factory=list)
    continues: float | None = None
    """How far it went on from the turn before it, 0 to 1; None where that was not looked at."""


class Pending(Shape):
    """A clarifying question that waits for its reply."""

    kind: Literal["product", "role", "region", "slot"]
    question: str
    standalone_query: str
    options: dict[str, str]
    """Label of an option to what it means: a product id, a role, a place, or a slot's value."""


class Discourse(Shape):
    """The state of a conversation.

    Attributes:
        turns: The latest turns, oldest first, at most `REMEMBERED_TURNS`.
        focus: Ids of the products the last product turn was about.
        listed: Ids of the products last shown as a list, in order ("the second one").
        mentioned: Ids of every product of the thread, latest first.
        category: The category last browsed or asked about.
        pending: The open clarifying question.
        role: The role the user stated in this thread.
        region: The place the user gave when asked for it.
    """

    turns: list[PastTurn] = Field(default_factory=list)
    focus: list[str] = Field(default_factory=list)
    listed: list[str] = Field(default_factory=list)
    mentioned: list[str] = Field(default_factory=list)
    category: str | None = None
    pending: Pending | None = None
    role: Role | None = None
    region: str | None = None
