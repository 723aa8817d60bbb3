"""The conversation: turns so far, and the one that is being answered."""

import logging
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from typing import cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.errors import AppError, BusyThreadError, InputError, SettingsError
from app.presentation import for_customer
from app.storage.records import Feedback, Interrupted, StaffMessage
from app.storage.tables import Thumb
from app.turns import AnswerPiece, Finished, Stage, TurnEvent
from app.ui.markup import FindSource, coming_html, literal, message_html, question_html, tools_html, turn_html
from app.ui.places import say
from app.ui.products import draw_cards
from app.ui.sidebar import Asker
from app.ui.visit import Visit
from graph.turn import Turn
from ingestion.errors import KnowledgeError
from ingestion.evidence import Evidence

THUMBS: tuple[Thumb, ...] = ("down", "up")
"""In the order of Streamlit's feedback values."""
REASONS = ("It is not right", "It is not what I asked", "Something is missing", "It is hard to understand")
"""What may be the matter with an answer."""
LONGEST_COMMENT = 1000
SORRY = "Something went wrong on our side. Nothing of this conversation is lost: please ask again."
POLL_S = 1.0
MOST_CARDS = 3
"""Of the products that a turn is about."""

logger = logging.getLogger(__name__)


def draw_turns(visit: Visit, thread: str, *, asking: bool) -> Sequence[str] | None:
    """Draw a conversation as it is on record; only what stands last in it, with no question behind, offers replies.

    Args:
        visit: Whose conversation it is.
        thread: Which.
        asking: Whether a question comes behind it.

    Returns:
        The products that were shown last as cards; None where there is no such conversation.
    """
    turns = visit.history(thread)
    feedback = visit.feedback(thread)
    unanswered = visit.interrupted(thread)
    messages: dict[str, list[StaffMessage]] = {}
    for message in visit.messages(thread):
        messages.setdefault(message.turn_id, []).append(message)
    known = {turn.turn_id for turn in turns}
    shown: list[Turn | Interrupted] = [one for one in unanswered if one.after_turn not in known]
    for turn in turns:
        shown += [turn, *(one for one in unanswered if one.after_turn == turn.turn_id)]
    told: Sequence[str] = []
    for entry in shown:
        last = entry is shown[-1] and not asking
        with _exchange(entry.query):
            if isinstance(entry, Interrupted):
                _draw_interrupted(entry, last=last)
                continue
            st.html(_turn(visit, entry))
            for message in messages.get(entry.turn_id, ()):
                st.html(message_html(message, _finder(visit), visit.products))
            told = _draw_beside(visit, entry, told, feedback.get(entry.turn_id))
            if last:
                _draw_replies(entry)
    going_on = visit.being_answered(thread)
    for question in going_on:
        with _exchange(question.query):
            _await_answer(visit, thread, question.turn_id)
    return told if shown or going_on else None


def _draw_beside(visit: Visit, turn: Turn, told: Sequence[str], said: Feedback | None) -> Sequence[str]:
    """What belongs to an answer beside its words; the products that were shown last as cards come back."""
    if cards := _cards(visit, turn, told):
        draw_cards(visit, [visit.products[key] for key in cards], turn.turn_id)
    _draw_below(visit, turn, said)
    return cards or told


@st.fragment(run_every=POLL_S)
def _await_answer(visit: Visit, thread: str, turn_id: str) -> None:
    """Stand for the answer to a question that was asked before this visit of the page, until it is there."""
    if all(question.turn_id != turn_id for question in visit.being_answered(thread)):
        st.rerun()
    st.html(coming_html("", []))


def answer_question(visit: Visit, text: str, thread: str, asker: Asker, told: Sequence[str]) -> bool:
    """Stream the answer to a question, and draw it as it will stand on record: the page need not run again for it.

    Args:
        visit: Who asks.
        text: The question.
        thread: Its conversation, which may be a new one.
        asker: How it is answered.
        told: The products that were shown last as cards.

    Returns:
        Whether it was answered; if not, the page says why.
    """
    with _exchange(text):
        place = st.empty()
        place.html(coming_html("", []))
        try:
            with closing(visit.stream(text, thread, asker.style, asker.user, asker.experiences)) as events:
                turn = _draw_events(visit, events, place)
        except Exception as error:
            # Others, such as that a file cannot be written, are for those who run the shop.
            theirs = isinstance(error, InputError | BusyThreadError) and not isinstance(error, SettingsError)
            if not theirs:
                logger.exception("A turn failed")
            place.error(literal(str(error)) if theirs else SORRY)
            return False
        _draw_beside(visit, turn, told, None)
        _draw_replies(turn)
    return True


def _draw_events(visit: Visit, events: Iterator[TurnEvent], place: DeltaGenerator) -> Turn:
    """Draw a turn as it comes about, all of it in one place: each event takes that of what stood there before."""
    shown = ""
    done: list[Stage] = []
    for event in events:
        if isinstance(event, Finished):
            place.html(_turn(visit, event.turn))
            return event.turn
        if isinstance(event, AnswerPiece):
            shown += event.text
        else:
            done.append(event)
        place.html(coming_html(shown, done))
    message = "the events ended without a turn"
    raise RuntimeError(message)


def _turn(visit: Visit, turn: Turn) -> str:
    """A finished turn as HTML, with the sources that are still kept and what can be done with it."""
    return turn_html(for_customer(turn), _finder(visit), visit.products) + tools_html(turn)


def _finder(visit: Visit) -> FindSource:
    def find(evidence_id: str, generation: str) -> Evidence | None:
        try:
            return visit.source(evidence_id, generation)
        except (AppError, KnowledgeError):
            return None

    return find


def _exchange(question: str) -> DeltaGenerator:
    """A place of its own for a question and what answers it; few elements, as each run draws all of them."""
    place = st.container()
    place.html(question_html(question))
    return place


def _draw_interrupted(question: Interrupted, *, last: bool) -> None:
    """That a question was never answered; as the last one it can be asked again."""
    st.html('<div class="waiting">This was interrupted before there was an answer.</div>')
    if last:
        st.button(
            "Ask again",
            key=f"again-{question.turn_id}",
            icon=":material/refresh:",
            on_click=say,
            args=(question.query,),
        )


def _cards(visit: Visit, turn: Turn, told: Collection[str]) -> list[str]:
    """The products that a turn offers, else those it is about, unless the cards before show them already."""
    offered = [one.product_id for one in turn.suggestions] or [one.id for one in turn.products][:MOST_CARDS]
    known = [key for key in dict.fromkeys(offered) if key in visit.products]
    return [] if set(known) <= set(told) else known


def _draw_replies(turn: Turn) -> None:
    """What the user may say next, as buttons: options of a question back, then follow-ups."""
    options = turn.clarification.options if turn.clarification else []
    if not (options or turn.followups):
        return
    with st.container(horizontal=True, key=f"replies-{turn.turn_id}"):
        for number, reply in enumerate([*options, *turn.followups]):
            st.button(literal(reply), key=f"reply-{turn.turn_id}-{number}", on_click=say, args=(reply,))


@st.fragment
def _draw_below(visit: Visit, turn: Turn, said: Feedback | None) -> None:
    """What can be said of an answer; what is pressed here draws nothing else anew."""
    thumb = st.feedback(
        "thumbs",
        key=f"feedback-{turn.turn_id}",
        default=None if said is None else THUMBS.index(said.thumb),
        on_change=_keep_thumb,
        args=(visit, turn.turn_id),
    )
    if thumb is None or THUMBS[thumb] != "down":
        return
    if st.session_state.get(f"sent-{turn.turn_id}", bool(said and (said.reason or said.comment))):
        st.caption("Thank you. The people of the shop read this.")
    else:
        _draw_reasons(visit, turn.turn_id)


def _draw_reasons(visit: Visit, turn_id: str) -> None:
    """Ask what is the matter with an answer: one of a few reasons, and the customer's own words."""
    with st.form(f"matter-{turn_id}", border=False):
        st.pills("What is the matter?", REASONS, key=f"reason-{turn_id}")
        st.text_input("In your own words", key=f"comment-{turn_id}", max_chars=LONGEST_COMMENT)
        st.form_submit_button("Send", key=f"send-{turn_id}", on_click=_keep_reasons, args=(visit, turn_id))


def _keep_thumb(visit: Visit, turn_id: str) -> None:
    value = cast("int | None", st.session_state[f"feedback-{turn_id}"])
    st.session_state[f"sent-{turn_id}"] = False
    visit.record_feedback(turn_id, None if value is None else Feedback(THUMBS[value]))


def _keep_reasons(visit: Visit, turn_id: str) -> None:
    st.session_state[f"sent-{turn_id}"] = True
    words = str(st.session_state[f"comment-{turn_id}"]).strip()
    visit.record_feedback(turn_id, Feedback("down", st.session_state[f"reason-{turn_id}"], words or None))
