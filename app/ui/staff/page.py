"""The staff page: one view at a time, each with how much waits in it."""

from collections.abc import Callable

import streamlit as st

from app.access import SIGN_OUT, STAFF
from app.settings import Settings
from app.staff import StaffDesk
from app.ui.staff.feedback import feedback
from app.ui.staff.gaps import gaps
from app.ui.staff.handoffs import handoffs
from app.ui.staff.knowledge import knowledge
from app.ui.staff.quality import quality
from app.ui.staff.reviews import reviews
from app.ui.staff.shown import added_views, ask_name

View = Callable[[StaffDesk], None]


def views() -> dict[str, View]:
    """All views by name."""
    own: dict[str, View] = {
        "Reviews": reviews,
        "Hand-offs": handoffs,
        "Feedback": feedback,
        "Gaps": gaps,
        "Quality": quality,
        "Knowledge": knowledge,
    }
    return own | {one.name: one.load() for one in added_views()}


def draw_staff(desk: StaffDesk) -> None:
    """Draw the view that the address names, the first by default."""
    found, waiting = views(), desk.records.counts()
    counts = {"Reviews": waiting["reviews"], "Hand-offs": waiting["tickets"], "Feedback": waiting["feedback"]}

    def label(name: str) -> str:
        return f"{name} ({counts[name]})" if counts.get(name) else name

    st.html('<div class="brand staff">Footnote<sup>1</sup></div><div class="claim">For the people of the shop.</div>')
    named = st.query_params.get("view")
    if "view" not in st.session_state:
        st.session_state["view"] = named if named in found else next(iter(found))
    chosen = st.segmented_control(
        "View", list(found), required=True, format_func=label, key="view", label_visibility="collapsed", width="stretch"
    )
    ask_name()
    signed_in = desk.settings.serve.staff_password is not None
    leave = f' · <a href="{SIGN_OUT}" target="_self">Sign out</a>' if signed_in else ""
    st.sidebar.html(f'<div class="leave"><a href="/" target="_self">The chat</a>{leave}</div>')
    assert chosen is not None, "one is required"
    st.query_params["view"] = chosen
    found[chosen](desk)


def draw_closed() -> None:
    """Draw what somebody sees who is not signed in as one of the shop's people."""
    if Settings.load().serve.staff_password is None:
        st.info("The staff page has no password yet. Run `footnote password` and set FOOTNOTE_SERVE__STAFF_PASSWORD.")
    else:
        st.html(f'This page is for the people of the shop. <a href="{STAFF}" target="_self">Sign in</a>')
