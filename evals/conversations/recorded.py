"""From a recorded conversation to a fixture, which expects what happened until a tester corrects it."""

from collections.abc import Sequence
from typing import Any

import yaml

from app.storage.records import AuditRow
from graph.turn import Citation, Turn, User

WIDTH = 120


def as_fixture(rows: Sequence[AuditRow], index: str) -> str:
    """A conversation as the text of a fixture.

    Args:
        rows: Its turns, oldest first, at least one.
        index: What the fixture is to be held over.
    """
    first = rows[0]
    user = first.turn.user.model_dump(exclude_defaults=True)
    fixture = {
        "name": first.turn.query,
        "index": index,
        "now": first.at.isoformat(timespec="seconds"),
        **({"user": user} if first.turn.user != User() else {}),
        "turns": [_turn(row.turn) for row in rows],
    }
    return yaml.safe_dump(fixture, sort_keys=False, allow_unicode=True, width=WIDTH)


def _turn(turn: Turn) -> dict[str, Any]:
    style = {} if turn.style == "text" else {"style": turn.style}
    return {"user": turn.query, **style, "expect": _expected(turn)}


def _expected(turn: Turn) -> dict[str, Any]:
    """What a turn did: what was asked of what, what was told, and by which sources."""
    found: dict[str, Any] = {
        "outcome": turn.outcome,
        "products": [product.id for product in turn.products],
        "standalone_contains": [turn.standalone_query] if turn.standalone_query != turn.query else [],
        "answer_contains": [sentence.text for sentence in turn.sentences if sentence.factual],
        "cites": list({one.evidence_id: _cited(one) for one in turn.citations}.values()),
        "options": turn.clarification.options if turn.clarification else [],
        "live_agent": turn.live_agent,
        "escalation": turn.escalation.reason if turn.escalation else False,
    }
    return {key: value for key, value in found.items() if value}


def _cited(citation: Citation) -> dict[str, str]:
    return {"evidence_id": citation.evidence_id, "quote": citation.quote}
