"""The review queue: turns with something that a person must decide."""

import streamlit as st

from app.staff import StaffDesk, withheld
from app.storage.staff import Decision, ReviewItem, Worded
from app.ui.markup import literal
from app.ui.paging import paged
from app.ui.staff.shown import SHOWN, by_name, draw_messages, draw_row, plain_reason

RIGHT = "We have checked this answer: it is right."
TAKEN_BACK = "We have checked this answer and take it back. Please do not rely on it."
DONE = "Somebody else has just decided this one."


def reviews(desk: StaffDesk) -> None:
    """Draw the queue; what is decided appears in the customer's conversation."""
    decided = st.toggle("Show what was decided", key="reviews-decided")
    items = desk.records.reviews(decided=decided)
    st.caption(
        "What Footnote itself asks you to check: it was unsure, or held something back. What customers found bad is "
        f"under Feedback. First comes {'what was decided last' if decided else 'what has waited longest'}."
    )
    if not items:
        st.info("Nothing waits for a review." if not decided else "Nothing has been decided yet.")
    for item in paged(items, SHOWN, "reviews-page"):
        with st.container(border=True, key=f"review-{item.row.turn.turn_id}"):
            _review(desk, item)


def _review(desk: StaffDesk, item: ReviewItem) -> None:
    turn = item.row.turn
    st.markdown(f"**{literal('; '.join(map(plain_reason, item.issues)))}**")
    draw_row(desk, item.row)
    if item.decision:
        st.caption(literal(f"{item.decision.capitalize()} by {item.by}. Sent to the customer:"))
        draw_messages(desk, turn, desk.records.messages(turn.thread_id))
        return
    _undecided(desk, item, turn.turn_id)


def _undecided(desk: StaffDesk, item: ReviewItem, turn_id: str) -> None:
    held = " ".join(withheld(item.row))
    text = st.text_area(
        "The withheld words, not sent yet" if held else "Your own words, if the answer needs others",
        held,
        key=f"edit-{turn_id}",
        help="Each sentence must be borne out by the sources of this turn, as in any answer.",
    )
    approved = "the withheld words, under their sources." if held else RIGHT
    st.caption(f"Nothing is sent until you press a button. “Approve” sends: {approved} “Reject” sends: {TAKEN_BACK}")
    approve, edit, reject = st.columns(3)
    if approve.button("Approve", key=f"approve-{turn_id}", icon=":material/check:", width="stretch"):
        _decide(desk, item, "approved", held)
    if edit.button("Send my words", key=f"send-{turn_id}", icon=":material/edit:", width="stretch"):
        _decide(desk, item, "edited", text)
    if reject.button("Reject", key=f"reject-{turn_id}", icon=":material/close:", width="stretch"):
        _settle(desk, item, "rejected", Worded(TAKEN_BACK))


def _decide(desk: StaffDesk, item: ReviewItem, decision: Decision, text: str) -> None:
    """Send a text if the evidence bears it out, else say what does not hold; an approval may need no text."""
    if not text.strip():
        if decision == "approved":
            _settle(desk, item, decision, Worded(RIGHT))
        else:
            st.error("There is nothing to send. Write what the customer is to be told.")
        return
    found = desk.check(item.row, text)
    if found.said is not None:
        _settle(desk, item, decision, found.said)
        return
    for sentence in found.refused:
        st.error(literal(f"No source of this turn bears this out: {sentence}"))
    st.caption("If it is true, write it as a fact (Gaps, or Knowledge), and answer with that.")


def _settle(desk: StaffDesk, item: ReviewItem, decision: Decision, said: Worded) -> None:
    if desk.records.decide(item.row.turn.turn_id, decision, by_name(), said):
        st.rerun()
    st.warning(DONE)
