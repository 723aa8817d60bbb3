"""The state of a turn: plain, serialisable data; evidence travels as ids."""

from typing import Annotated, Any

from typing_extensions import TypedDict

from graph.turn import Style, Usage

Plain = dict[str, Any]
"""A shape of `graph.turn`, `graph.draft` or `graph.discourse`, dumped to plain data."""


class Hit(TypedDict):
    """One evidence found for one intent and product."""

    evidence_id: str
    score: float
    intent: str
    product_id: str | None


def extend(left: list[Hit], right: list[Hit]) -> list[Hit]:
    """Join what parallel retrievals found."""
    return [*left, *right]


class Recalled(TypedDict):
    """A text that is searched beside the question, such as one said before, and how much it counts, 0 to 1."""

    text: str
    weight: float


class LiveFact(TypedDict):
    """A fact of a live backend, which no index holds: the fields of its evidence, and its relevance (0 to 1)."""

    evidence: Plain
    score: float


def extend_calls(left: list[Plain], right: list[Plain]) -> list[Plain]:
    """Join the requests to live backends of a turn's retrievals."""
    return [*left, *right]


def add_facts(left: dict[str, LiveFact], right: dict[str, LiveFact]) -> dict[str, LiveFact]:
    """Join live facts, by evidence id."""
    return left | right


def add_times(left: dict[str, float], right: dict[str, float]) -> dict[str, float]:
    """Add milliseconds per node; parallel and repeated runs of a node add up."""
    return left | {name: round(left.get(name, 0.0) + ms, 3) for name, ms in right.items()}


def add_usage(left: Plain, right: Plain) -> Plain:
    """Add what calls of a served model cost, each a `graph.turn.Usage`."""
    return (Usage(**left) + Usage(**right)).model_dump()


def join_reasons(left: list[str], right: list[str]) -> list[str]:
    """Join what a turn had to do without, as `PART: why`."""
    return [*left, *right]


class TurnInput(TypedDict, total=False):
    """What a caller gives: the words, and optionally who asks, how to answer, and what else to ask a model for."""

    query: str
    user: Plain
    style: Style
    turn_id: str
    experiences: list[str]


class TurnState(TurnInput, total=False):
    """Everything between the nodes; `discourse` is what remains for the next turn."""

    discourse: Plain
    standalone_query: str
    rewritten_by: str
    searchable: bool
    live_agent: bool
    resolved: list[str]
    continues: float | None
    recalled: list[Recalled]
    refined: list[Recalled]
    catalog: Plain
    intent: Plain
    widened: bool
    hits: Annotated[list[Hit], extend]
    live_calls: Annotated[list[Plain], extend_calls]
    live_facts: Annotated[dict[str, LiveFact], add_facts]
    retrieved: list[Plain]
    draft: Plain
    streamed: str
    beside: Plain
    dropped: list[Plain]
    turn: Plain
    timings_ms: Annotated[dict[str, float], add_times]
    usage: Annotated[Plain, add_usage]
    degraded: Annotated[list[str], join_reasons]


class DueCall(TypedDict):
    """A request to make: which backend, about which product."""

    backend: str
    product_id: str | None


class LiveTask(TypedDict):
    """All requests to live backends of one retrieval, made at once."""

    query: str
    standalone_query: str
    calls: list[DueCall]
    products: list[str]
    user: Plain


class RetrieveTask(TypedDict):
    """One parallel retrieval: what is asked, for which intent and product."""

    query: str
    before: str
    standalone_query: str
    intent: str
    product_id: str | None
    products: list[str]
    user: Plain
    recalled: list[Recalled]


def said_before(state: TurnState) -> str:
    """What the customer said in the turn before; empty in the first."""
    turns = state.get("discourse", {}).get("turns", [])
    return str(turns[-1]["query"]) if turns else ""


def products_in_question(state: TurnState) -> list[str]:
    """Products the question names; where it names none, the one the conversation is about, else that of the open page.

    The rewrite leaves "do you ship to Canada?" alone, yet a rule for the product at hand comes before the general one.
    """
    named: list[str] = [match["id"] for match in state["catalog"]["matches"]]
    if named or state["catalog"]["unknown"]:
        return named
    page = state["user"]["page"]["product_id"]
    focus: list[str] = state["discourse"]["focus"]
    return focus[:1] or ([page] if page else [])
