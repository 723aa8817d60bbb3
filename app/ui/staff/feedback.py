"""Feedback to look at: answers that customers found bad, the surest first, as these mislead most."""

import streamlit as st

from app.staff import StaffDesk
from app.storage.staff import LABELS, Complaint
from app.ui.markup import literal
from app.ui.staff.shown import draw_row


def feedback(desk: StaffDesk) -> None:
    """Draw the thumbs down, each with what the customer said and a label for what it turns out to be."""
    labelled = st.toggle("Show what has a label", key="feedback-labelled")
    found = desk.records.complaints(labelled=labelled)
    if not found:
        st.info("No answer waits to be looked at." if not labelled else "Nothing has a label yet.")
        return
    st.caption("The surest answers come first: a sure answer that a customer finds wrong may be made up.")
    for complaint in found:
        with st.container(border=True, key=f"complaint-{complaint.row.turn.turn_id}"):
            _complaint(desk, complaint)


def _complaint(desk: StaffDesk, complaint: Complaint) -> None:
    turn = complaint.row.turn
    said = " · ".join(filter(None, (complaint.said.reason, complaint.said.comment))) or "No reason was given"
    st.markdown(f"**{literal(said)}** · {turn.confidence.label} confidence ({turn.confidence.score:.2f})")
    draw_row(desk, complaint.row)
    key = f"label-{turn.turn_id}"

    def keep() -> None:
        if chosen := st.session_state[key]:
            desk.records.label(turn.turn_id, chosen)

    default = complaint.label if complaint.label in LABELS else None
    st.pills("What it is", LABELS, default=default, format_func=str.capitalize, key=key, on_change=keep)
