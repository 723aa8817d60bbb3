"""Feedback to look at: answers that customers found bad, the worst first: those that were given the most surely."""

from datetime import timedelta

import streamlit as st

from app.staff import StaffDesk
from app.storage.staff import LABELS, Complaint
from app.ui.markup import literal
from app.ui.paging import paged
from app.ui.staff.shown import DAYS, SHOWN, draw_row

MOST_EARLIER = 3


def feedback(desk: StaffDesk) -> None:
    """Draw the thumbs down, each with what the customer said and a label for what it turns out to be."""
    when, which = st.columns([1, 1], vertical_alignment="bottom")
    period = when.selectbox("Answers of the", list(DAYS), key="feedback-period", format_func=str.lower)
    labelled = which.toggle("Show what has a label", key="feedback-labelled")
    found = desk.records.complaints(desk.now() - timedelta(days=DAYS[period]), labelled=labelled)
    if not found:
        st.info("No answer waits to be looked at." if not labelled else "Nothing has a label yet.")
        return
    st.caption("The worst come first: the surer an answer that a customer finds wrong, the more it misleads.")
    for complaint in paged(found, SHOWN, "feedback-page"):
        with st.container(border=True, key=f"complaint-{complaint.row.turn.turn_id}"):
            _complaint(desk, complaint)


def _complaint(desk: StaffDesk, complaint: Complaint) -> None:
    turn = complaint.row.turn
    own = complaint.said.comment and f"“{complaint.said.comment}”"
    said = " · ".join(filter(None, (complaint.said.reason, own))) or "No reason was given"
    st.markdown(f"**{literal(said)}** · {turn.confidence.label} confidence ({turn.confidence.score:.2f})")
    earlier = [row.turn.query for row in desk.turns(turn.thread_id) if row.at < complaint.row.at]
    if earlier:
        st.caption(literal(f"Asked before it: {' / '.join(earlier[-MOST_EARLIER:])}"))
    draw_row(desk, complaint.row)
    key = f"label-{turn.turn_id}"

    def keep() -> None:
        if chosen := st.session_state[key]:
            desk.records.label(turn.turn_id, chosen)

    default = complaint.label if complaint.label in LABELS else None
    st.pills("What it is", LABELS, default=default, format_func=str.capitalize, key=key, on_change=keep)
