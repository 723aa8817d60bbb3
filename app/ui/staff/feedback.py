"""Feedback to look at: answers that customers found bad, the worst first."""

from datetime import timedelta

import streamlit as st

from app.staff import StaffDesk
from app.storage.staff import LABELS, Complaint
from app.ui.markup import literal
from app.ui.paging import paged
from app.ui.staff.shown import DAYS, SHOWN, draw_conversation, draw_row

MOST_EARLIER = 3


def feedback(desk: StaffDesk) -> None:
    """Draw the thumbs down, each with what the customer said and a label for what it turns out to be."""
    when, which = st.columns([1, 1], vertical_alignment="bottom")
    period = when.selectbox("Period", list(DAYS), key="feedback-period")
    labelled = which.toggle("Show those already looked at", key="feedback-labelled")
    found = desk.records.complaints(desk.now() - timedelta(days=DAYS[period]), labelled=labelled)
    if not found:
        st.info("No answer waits to be looked at." if not labelled else "None has been looked at yet.")
        return
    st.caption(
        "The surest come first: a sure answer that is wrong misleads the most. What was handed over to a person is no "
        "answer and comes last."
    )
    for complaint in paged(found, SHOWN, "feedback-page"):
        with st.container(border=True, key=f"complaint-{complaint.row.turn.turn_id}"):
            _complaint(desk, complaint)


def _complaint(desk: StaffDesk, complaint: Complaint) -> None:
    turn = complaint.row.turn
    own = complaint.said.comment and f"“{complaint.said.comment}”"
    said = " · ".join(filter(None, (complaint.said.reason, own))) or "No reason was given"
    st.markdown(f"**{literal(said)}** · {turn.confidence.label} confidence")
    rows = desk.turns(turn.thread_id)
    earlier = [row.turn.query for row in rows if row.at < complaint.row.at]
    if earlier:
        st.caption(literal(f"Asked before it: {' / '.join(earlier[-MOST_EARLIER:])}"))
    draw_row(desk, complaint.row)
    messages = desk.records.messages(turn.thread_id)
    draw_conversation(desk, [row.turn for row in rows], messages, f"all-{turn.turn_id}")
    key = f"label-{turn.turn_id}"

    def keep() -> None:
        if chosen := st.session_state[key]:
            desk.records.label(turn.turn_id, chosen)

    default = complaint.label if complaint.label in LABELS else None
    st.pills("What went wrong", LABELS, default=default, format_func=str.capitalize, key=key, on_change=keep)
