"""The inbox of hand-offs: conversations that wait for a person, with all that was said."""

import streamlit as st

from app.staff import StaffDesk
from app.storage.staff import Ticket
from app.ui.markup import literal
from app.ui.paging import paged
from app.ui.staff.shown import SHOWN, by_name, draw_conversation, plain_reason


def handoffs(desk: StaffDesk) -> None:
    """Draw the inbox; a reply appears in the customer's conversation."""
    closed = st.toggle("Show what is closed", key="tickets-closed")
    tickets = desk.records.tickets(closed=closed)
    if not tickets:
        st.info("Nobody waits for a person." if not closed else "Nothing has been closed yet.")
    for ticket in paged(tickets, SHOWN, "tickets-page"):
        with st.container(border=True, key=f"ticket-{ticket.ticket_id}"):
            _ticket(desk, ticket)


def _ticket(desk: StaffDesk, ticket: Ticket) -> None:
    st.markdown(f"**{literal(plain_reason(ticket.reason))}** · {literal(ticket.team)}")
    st.caption(f"{ticket.at:%d %B %Y, %H:%M} UTC · ticket {ticket.ticket_id}")
    st.text(ticket.summary)
    if ticket.conversation:
        draw_conversation(desk, ticket.conversation, ticket.messages, f"all-{ticket.ticket_id}")
    if ticket.closed is not None:
        st.caption(f"Closed {ticket.closed:%d %B %Y, %H:%M} UTC")
        return
    if ticket.turn_id is not None:
        _reply(desk, ticket, ticket.turn_id)
    if st.button("Close", key=f"close-{ticket.ticket_id}", icon=":material/done_all:"):
        desk.records.close_ticket(ticket.ticket_id)
        st.rerun()


def _reply(desk: StaffDesk, ticket: Ticket, turn_id: str) -> None:
    with st.form(f"reply-{ticket.ticket_id}", clear_on_submit=True, border=False):
        text = st.text_area("Reply into the conversation", key=f"text-{ticket.ticket_id}")
        if st.form_submit_button("Reply", icon=":material/send:"):
            if text.strip():
                desk.records.reply(turn_id, by_name(), text.strip())
                st.rerun()
            st.error("There is nothing to send. Write what the customer is to read.")
