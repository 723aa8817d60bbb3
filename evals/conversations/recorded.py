"""From a recorded conversation to a fixture, which expects what happened until a tester corrects it.

Of an answer that its customer disliked, it expects that it is not given again.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from app.storage.records import AuditRow
from evals.conversations.fixtures import read_yaml
from graph.turn import Citation, Turn, User

WIDTH = 120
IN_CONTEXT = ("outcome", "products", "standalone_contains", "live_agent")
"""What a turn is expected to be about, whatever it says."""


def held(find: Callable[[str], Sequence[AuditRow]], name: str) -> Sequence[AuditRow]:
    """A conversation, or as much of it as a turn goes on from; nothing where nothing has this name.

    Args:
        find: The rows of a conversation or of a turn.
        name: The id of either.
    """
    named = find(name)
    if not named or named[0].turn.thread_id == name:
        return named
    rows = find(named[0].turn.thread_id)
    return rows[: [row.turn.turn_id for row in rows].index(name) + 1]


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
        "turns": [_turn(row) for row in rows],
    }
    return _written(fixture)


def with_expectation(text: str, file: Path, turn: int, key: str, value: object) -> str:
    """A fixture's text with one expectation changed.

    Args:
        text: The fixture.
        file: Where it is to stand.
        turn: Number of the turn, from 1.
        key: The key of `expect`.
        value: What is expected, as plain data; where it is empty, the key is taken out.

    Raises:
        MalformedFixtureError: The text is no YAML.
    """
    fixture, _ = read_yaml(text, file)
    turns = list(fixture["turns"])
    expect = dict(turns[turn - 1].get("expect") or {})
    expect.pop(key, None) if value in (None, "", []) else expect.update({key: value})
    turns[turn - 1] = turns[turn - 1] | {"expect": expect}
    return _written(fixture | {"turns": turns})


def _written(fixture: Mapping[str, Any]) -> str:
    return yaml.safe_dump(fixture, sort_keys=False, allow_unicode=True, width=WIDTH)


def _turn(row: AuditRow) -> dict[str, Any]:
    turn, disliked = row.turn, row.feedback is not None and row.feedback.thumb == "down"
    style = {} if turn.style == "text" else {"style": turn.style}
    return {"user": turn.query, **style, "expect": _other_than(turn) if disliked else expected(turn)}


def _other_than(turn: Turn) -> dict[str, Any]:
    """What a turn was about, and that its answer is not given: its facts, or the words in which it gave none."""
    answered = turn.outcome == "clear"
    happened = expected(turn)
    kept = {key: happened[key] for key in IN_CONTEXT if key in happened and (answered or key != "outcome")}
    said = [sentence.text for sentence in turn.sentences if sentence.factual == answered]
    return kept | {"answer_excludes": said or [sentence.text for sentence in turn.sentences]}


def expected(turn: Turn) -> dict[str, Any]:
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
