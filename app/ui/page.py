"""The chat page: sidebar, conversation, input."""

import logging
import uuid
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.errors import AppError
from app.ui.conversation import answer_question, draw_turns, say
from app.ui.markup import literal
from app.ui.service import Service
from app.ui.sidebar import sidebar
from app.ui.welcome import example_questions
from graph.turn import User
from ingestion.errors import KnowledgeError

logger = logging.getLogger(__name__)


def main() -> None:
    """The page over the index that settings name."""
    st.set_page_config(page_title="Footnote", page_icon=":material/superscript:", layout="centered")
    try:
        service = _assistant()
    except (AppError, KnowledgeError) as error:
        st.error(literal(str(error)))
        st.stop()
    except Exception:
        logger.exception("The assistant could not be opened")
        st.error("The shop could not be opened. What went wrong stands in the log of the page.")
        st.stop()
    show(service)


def show(service: Service) -> None:
    """The page over any assistant."""
    st.html(f"<style>{(Path(__file__).parent / 'style.css').read_text(encoding='utf-8')}</style>")
    user, experiences = sidebar(service)
    welcome = st.empty()
    thread = st.query_params.get("thread")
    if thread:
        draw_turns(service, thread)
    typed = st.chat_input("Ask about a product, delivery, returns …", key="question")
    text = typed or st.session_state.pop("said", None)
    if text:
        thread = thread or uuid.uuid4().hex[:12]
        if answer_question(service, text, thread, user, experiences):
            st.query_params["thread"] = thread
            st.rerun()
    elif not thread:
        _welcome(welcome.container(), service, user)


@st.cache_resource(show_spinner="Opening the shop …")
def _assistant() -> Service:
    from app.assistant import Assistant  # noqa: PLC0415 - the graph and its models load behind the spinner

    return Assistant.open()


def _welcome(place: DeltaGenerator, service: Service, user: User) -> None:
    with place:
        st.html(
            '<div class="welcome"><h1>Ask the shop.</h1>'
            "<p>Answers come from the shop's own information. "
            "Press a number to read where a sentence comes from.</p></div>"
        )
        for number, question in enumerate(example_questions(service.products, user)):
            st.button(literal(question), key=f"example-{number}", on_click=say, args=(question,))
