"""Whole turns of the real application, each held to what must hold of any turn."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from app import Assistant
from app.errors import UnknownSourceError
from app.turns import AnswerPiece, Finished
from graph.turn import Style, Turn, User
from ingestion.errors import KnowledgeError
from tests.app.llm.sensible import task_of
from tests.invariants import violations
from tests.llm_server.script import Script
from tests.llm_server.server import Body

Open = Callable[..., Assistant]
"""Opens an assistant over the small shop, with changed options of the served model; the same for the same options."""

OWN = {"turn_id", "thread_id", "timings_ms", "usage", "degraded", "prompt_hash", "config_hash", "considered"}
"""Fields of a turn in which one that a model failed at may differ from one without a model."""


@dataclass(frozen=True, slots=True)
class Told:
    """A turn and the pieces in which its answer was given out."""

    turn: Turn
    pieces: list[str]


def tell(
    assistant: Assistant,
    text: str,
    thread: str | None = None,
    style: Style = "text",
    user: User | Mapping[str, Any] | None = None,
    experiences: Collection[str] = (),
) -> Told:
    """Ask, and check whatever must hold of every turn."""
    pieces, turn = [], None
    for event in assistant.stream(text, thread, style, user, experiences):
        if isinstance(event, AnswerPiece):
            pieces.append(event.text)
        elif isinstance(event, Finished):
            turn = event.turn
    assert turn is not None
    assert "".join(pieces) == turn.answer
    assert broken(assistant, turn, style) == []
    return Told(turn, pieces)


def ask(assistant: Assistant, text: str, **given: Any) -> Turn:  # noqa: ANN401 - as `tell`
    """The same for its turn alone."""
    return tell(assistant, text, **given).turn


def broken(assistant: Assistant, turn: Turn, style: Style = "text") -> list[str]:
    """What does not hold of a turn and must."""

    def lookup(evidence_id: str) -> Mapping[str, Any] | None:
        try:
            return asdict(assistant.source(evidence_id, turn.generation))
        except (UnknownSourceError, KnowledgeError):
            return None

    catalog = {one.id: [one.name, *one.aliases] for one in assistant.products.values()}
    return violations(turn, lookup, style, catalog)


def shown(turn: Turn) -> dict[str, Any]:
    """All of a turn that a customer or a colleague can see of its answer."""
    told = turn.model_dump(exclude=OWN)
    if told["escalation"]:
        del told["escalation"]["ticket_id"]
    return told


def answering(text: str, **fault: Any) -> Callable[[Body], Script]:  # noqa: ANN401 - as `Script`
    """A model that answers every question so, and finds nothing to repair."""
    return lambda body: Script(text, **fault) if task_of(body) == "answer" else Script("outcome: no_answer")


def tasks(requests: list[Body]) -> list[str]:
    """What was asked of a model, request by request."""
    return [task_of(body) for body in requests]
