"""The conversation: turns so far, and the one that is being answered."""

import logging
from collections.abc import Collection, Iterator
from contextlib import closing
from typing import cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.errors import AppError
from app.storage.records import Feedback, Interrupted, Message
from app.storage.tables import Thumb
from app.turns import AnswerPiece, TurnEvent
from app.ui.markup import FindSource, answer_html, literal, message_html, question_html, turn_html
from app.ui.sidebar import look_at
from app.ui.visit import Visit
from graph.turn import Turn, User
from ingestion.errors import KnowledgeError
from ingestion.evidence import Evidence

THUMBS: tuple[Thumb, ...] = ("down", "up")
"""In the order of Streamlit's feedback values."""
REASONS = ("It is not right", "It is not what I asked", "Something is missing", "It is hard to understand")
"""What may be the matter with an answer."""
LONGEST_COMMENT = 1000

logger = logging.getLogger(__name__)


def draw_turns(visit: Visit, thread: str) -> bool:
    """Draw a conversation as it is on record; only what stands last in it offers replies.

    Returns:
        Whether there is one.
    """
    turns = visit.history(thread)
    feedback = visit.feedback(thread)
    unanswered = visit.interrupted(thread)
    messages: dict[str, list[Message]] = {}
    for message in visit.messages(thread):
        messages.setdefault(message.turn_id, []).append(message)
    known = {turn.turn_id for turn in turns}
    shown: list[Turn | Interrupted] = [one for one in unanswered if one.after_turn not in known]
    for turn in turns:
        shown += [turn, *(one for one in unanswered if one.after_turn == turn.turn_id)]
    for entry in shown:
        last = entry is shown[-1]
        if isinstance(entry, Interrupted):
            _draw_interrupted(entry, last=last)
            continue
        _draw_question(entry.query)
        with st.chat_message("assistant"):
            st.html(_turn(visit, entry))
            for message in messages.get(entry.turn_id, ()):
                st.html(message_html(message, _finder(visit), visit.products))
            if last:
                _draw_replies(entry)
            _draw_feedback(visit, entry, feedback.get(entry.turn_id))
    return bool(shown)


def answer_question(visit: Visit, text: str, thread: str, user: User, experiences: Collection[str] = ()) -> bool:
    """Stream the answer to a question.

    Returns:
        Whether it was answered; if not, the page says why.
    """
    _draw_question(text)
    with st.chat_message("assistant"):
        place = st.empty()
        place.html('<div class="waiting">Reading the shop&rsquo;s information …</div>')
        try:
            with closing(visit.stream(text, thread=thread, user=user, experiences=experiences)) as events:
                _draw_events(visit, events, place)
        except (AppError, KnowledgeError) as error:
            place.error(literal(str(error)))
            return False
        except Exception:
            logger.exception("A turn failed")
            place.error("Something went wrong on our side. Nothing of this conversation is lost: please ask again.")
            return False
    return True


def _draw_events(visit: Visit, events: Iterator[TurnEvent], place: DeltaGenerator) -> None:
    shown = ""
    for event in events:
        if isinstance(event, AnswerPiece):
            shown += event.text
            place.html(f'<div class="answer">{answer_html(shown)}</div>')
        else:
            place.html(_turn(visit, event.turn))


def _turn(visit: Visit, turn: Turn) -> str:
    """A finished turn as HTML, with the sources that are still kept."""
    return turn_html(turn, _finder(visit), visit.products)


def _finder(visit: Visit) -> FindSource:
    def find(evidence_id: str, generation: str) -> Evidence | None:
        try:
            return visit.source(evidence_id, generation)
        except (AppError, KnowledgeError):
            return None

    return find


def _draw_question(text: str) -> None:
    with st.chat_message("user"):
        st.html(question_html(text))


def _draw_interrupted(question: Interrupted, *, last: bool) -> None:
    """A question that was never answered; as the last one it can be asked again."""
    _draw_question(question.query)
    with st.chat_message("assistant"):
        st.html('<div class="waiting">This was interrupted before there was an answer.</div>')
        if last:
            st.button(
                "Ask again",
                key=f"again-{question.turn_id}",
                icon=":material/refresh:",
                on_click=say,
                args=(question.query,),
            )


def _draw_replies(turn: Turn) -> None:
    """What the user may say next, as buttons: options of a question back, then follow-ups, then products."""
    options = turn.clarification.options if turn.clarification else []
    if not (options or turn.followups or turn.suggestions):
        return
    with st.container(horizontal=True, key=f"replies-{turn.turn_id}"):
        for number, reply in enumerate([*options, *turn.followups]):
            st.button(
                literal(reply),
                key=f"reply-{turn.turn_id}-{number}",
                type="secondary" if number < len(options) else "tertiary",
                on_click=say,
                args=(reply,),
            )
        for suggestion in turn.suggestions:
            key = f"look-{turn.turn_id}-{suggestion.product_id}"
            icon = ":material/visibility:"
            st.button(literal(suggestion.name), key=key, icon=icon, on_click=look_at, args=(suggestion.product_id,))


def say(text: str) -> None:
    """Send a text at the next run, as if it had been typed."""
    st.session_state["said"] = text


def _draw_feedback(visit: Visit, turn: Turn, said: Feedback | None) -> None:
    """Thumbs; below a thumb down what is the matter, by one of a few reasons and in the customer's own words."""
    thumb, reason, comment = (f"{name}-{turn.turn_id}" for name in ("feedback", "reason", "comment"))

    def keep() -> None:
        value = cast("int | None", st.session_state[thumb])
        told = None if value is None else Feedback(THUMBS[value])
        if told and told.thumb == "down":
            words = str(st.session_state.get(comment, "")).strip()
            told = Feedback("down", st.session_state.get(reason), words or None)
        visit.record_feedback(turn.turn_id, told)

    shown = None if said is None else THUMBS.index(said.thumb)
    st.feedback("thumbs", key=thumb, default=shown, on_change=keep)
    if said is None or said.thumb != "down":
        return
    why = said.reason if said.reason in REASONS else None
    st.pills("What is the matter?", REASONS, key=reason, default=why, on_change=keep)
    st.text_input("In your own words", said.comment or "", key=comment, max_chars=LONGEST_COMMENT, on_change=keep)
