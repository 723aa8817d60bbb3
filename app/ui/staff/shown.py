"""How the staff page shows turns, and who is signed in to it."""

from collections.abc import Sequence
from importlib.metadata import EntryPoints, entry_points

import streamlit as st

from app.errors import AppError
from app.staff import StaffDesk
from app.storage.records import AuditRow, StaffMessage
from app.ui.markup import literal, message_html, question_html, turn_html
from graph.options import SEVERITIES
from graph.turn import Turn
from ingestion.errors import KnowledgeError
from ingestion.evidence import Evidence

BY, DEFAULT_NAME = "by", "the shop"
SHOWN = 10
"""Turns at once, each with all that stands behind it."""
DAYS = {"Last week": 7, "Last month": 30, "Last quarter": 91, "Last year": 365}
"""The periods that a view may be of."""
TESTS = "Tests"
"""The view that makes tests, where the package that tests is installed."""
LANDING = "landing"
"""Stands in the session until a view that was opened from another one is drawn from its top."""
WHY = {
    "support": "no source bears it out",
    "sensitive": "a claim that only a person may let through",
}


def added_views() -> EntryPoints:
    """The views that other packages add to the staff page."""
    return entry_points(group="footnote.staff_views")


def plain_reason(reason: str) -> str:
    """Why a person should look at a turn, with no figure or grade in brackets."""
    what, opened, grade = reason.removesuffix(")").rpartition(" (")
    plain = reason
    if opened and grade in SEVERITIES:
        plain = f"a claim about {what}, of {grade} severity"
    elif opened and grade.replace(".", "", 1).isdecimal():
        plain = f"{what}: of 100 such answers, about {100 * float(grade):.0f} are right"
    return plain[:1].upper() + plain[1:]


def ask_name() -> None:
    """Ask who signs what is written into conversations."""
    told = "Stands under what you write to customers."
    st.sidebar.text_input("Your name", DEFAULT_NAME, key=BY, max_chars=60, help=told)


def by_name() -> str:
    """Who signs it."""
    return str(st.session_state[BY]).strip() or DEFAULT_NAME


def own_name() -> str | None:
    """Who is at work; None where they did not say."""
    return None if by_name() == DEFAULT_NAME else by_name()


class FindAny:
    """Looks up the sources of any turn; None for those that are gone.

    Args:
        desk: Where.
    """

    def __init__(self, desk: StaffDesk) -> None:
        self._desk = desk

    def __call__(self, evidence_id: str, generation: str) -> Evidence | None:
        """The evidence of an id and a generation."""
        try:
            return self._desk.source(evidence_id, generation)
        except (AppError, KnowledgeError):
            return None


def draw_turn(desk: StaffDesk, turn: Turn, messages: Sequence[StaffMessage] = ()) -> None:
    """A turn as its customer sees it, with what was written behind it."""
    find = FindAny(desk)
    st.html(question_html(turn.query) + turn_html(turn, find, desk.products))
    draw_messages(desk, turn, messages)


def draw_messages(desk: StaffDesk, turn: Turn, messages: Sequence[StaffMessage]) -> None:
    """What was written behind a turn, of all that was written into its conversation."""
    for message in messages:
        if message.turn_id == turn.turn_id:
            st.html(message_html(message, FindAny(desk), desk.products))


def draw_conversation(desk: StaffDesk, turns: Sequence[Turn], messages: Sequence[StaffMessage], key: str) -> None:
    """A whole conversation, to be opened.

    Args:
        desk: Where its sources are looked up.
        turns: Its turns, oldest first.
        messages: What people of the shop wrote into it.
        key: Names what is drawn.
    """
    with st.expander(f"The whole conversation, turns: {len(turns)}", key=key):
        for turn in turns:
            draw_turn(desk, turn, messages)


def draw_row(desk: StaffDesk, row: AuditRow) -> None:
    """A turn with what its customer did not see."""
    st.caption(f"{row.at:%d %B %Y, %H:%M} UTC", help=f"Turn {row.turn.turn_id}")
    draw_turn(desk, row.turn)
    for one in row.dropped:
        why = "; ".join(WHY.get(reason, reason.replace("_", " ")) for reason in one.reasons)
        instead = f" Shown instead: {one.instead}" if one.instead else ""
        st.caption(literal(f"Not shown ({why}): {one.text}{instead}"))
    if TESTS in added_views().names:
        key = f"test-of-{row.turn.turn_id}"
        st.button("Make a test of it", key=key, icon=":material/science:", type="tertiary", on_click=_test, args=(row,))


def _test(row: AuditRow) -> None:
    """Show the view that makes a test of a turn, with the conversation up to it."""
    st.session_state["view"], st.session_state[LANDING] = TESTS, "asked"
    st.query_params["test"] = row.turn.turn_id
