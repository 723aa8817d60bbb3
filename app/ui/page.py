"""The pages: the chat, the products, and that of the shop's people. Streamlit runs this at every visit and click."""

import logging
import uuid
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import Page as StreamlitPage

from app.access import COOKIE, ROLE_HEADER, STAFF, is_secret, new_secret, owner_of
from app.errors import AppError
from app.ui.answer_tools import answer_tools
from app.ui.conversation import answer_question, draw_turns
from app.ui.markup import literal
from app.ui.places import ADDRESSES, Place, said, say, wanted
from app.ui.products import draw_products, example_questions
from app.ui.shared import shared_assistant
from app.ui.sidebar import sidebar
from app.ui.staff.page import draw_closed, draw_staff
from app.ui.visit import Visit
from graph.turn import User
from ingestion.errors import KnowledgeError

if TYPE_CHECKING:
    from app.assistant import Assistant

NOT_FOUND = "This conversation was not found. Conversations open in the browser in which they were begun."

logger = logging.getLogger("app.ui.page")  # Streamlit runs this file under another name


def main() -> None:
    """The page that the address names, over the index that settings name."""
    show(lambda: Visit(_opened(), _owner()))


def show(visit: Callable[[], Visit]) -> None:
    """The page that the address names, to one visitor.

    Args:
        visit: Theirs; it may draw instead why there is none.
    """
    pages: dict[Place, StreamlitPage] = {
        "chat": st.Page(lambda: chat(visit()), title="Footnote", url_path=ADDRESSES["chat"], default=True),
        "products": st.Page(lambda: products(visit()), title="Products", url_path=ADDRESSES["products"]),
    }
    staff = st.Page(_staff, title="Footnote: staff", url_path=STAFF.strip("/"))
    page = st.navigation([*pages.values(), staff], position="hidden")
    st.set_page_config(page_icon=":material/superscript:", layout="wide" if page == staff else "centered")
    st.html(f"<style>{(Path(__file__).parent / 'style.css').read_text(encoding='utf-8')}</style>")
    place = wanted()
    if place and pages[place] != page:
        st.switch_page(pages[place], query_params=st.query_params.to_dict())
    page.run()


def _staff() -> None:
    if _is_staff():
        draw_staff(_opened().desk())
    else:
        draw_closed()


def _is_staff() -> bool:
    return st.context.headers.get(ROLE_HEADER) == "staff"


def _opened() -> "Assistant":
    """The assistant; where it cannot be opened, the page tells the shop's people why, says so to others, and ends."""
    try:
        with nullcontext() if shared_assistant.is_open else st.spinner("Opening the shop …"):
            return shared_assistant.get()
    except Exception as error:
        logger.exception("The assistant could not be opened")
        known = _is_staff() and isinstance(error, AppError | KnowledgeError)
        st.error(literal(str(error)) if known else "The shop cannot be opened now. Please try again later.")
    return st.stop()


def chat(visit: Visit) -> None:
    """The chat of one visitor."""
    asker = sidebar(visit)
    welcome = st.empty()
    text = st.chat_input("Ask about a product, delivery, returns …", key="question") or said()
    named = st.query_params.get("thread")
    answer_tools(named or "")
    told = draw_turns(visit, named, asking=bool(text)) if named else None
    if text:
        # Named before it is answered, so that a reload in between finds it.
        before = st.query_params.to_dict()
        thread = named if named and told is not None else uuid.uuid4().hex
        st.query_params["thread"] = thread
        answered = answer_question(visit, text, thread, asker, told or ())
        if answered and told is None:
            st.rerun()  # the sidebar names it now
        if not answered:
            st.query_params.from_dict(before)
    elif told is None:
        if named:
            st.info(NOT_FOUND)
        _welcome(welcome.container(), visit, asker.user)


def products(visit: Visit) -> None:
    """The products, to one visitor."""
    sidebar(visit)
    draw_products(visit)


def _owner() -> str:
    """Whose visit it is: that of the browser's cookie, or of this tab alone where the browser keeps none."""
    secret = st.context.cookies.get(COOKIE, "")
    if not is_secret(secret):
        secret = st.session_state.setdefault("secret", new_secret())
    return owner_of(secret)


def _welcome(place: DeltaGenerator, visit: Visit, user: User) -> None:
    with place:
        st.html(
            '<div class="welcome"><h1>Ask the shop.</h1>'
            "<p>Answers come from the shop's own information. "
            "Press a number to read where a sentence comes from.</p></div>"
        )
        for number, question in enumerate(example_questions(visit.products, user)):
            st.button(literal(question), key=f"example-{number}", on_click=say, args=(question,))


if __name__ == "__main__":
    main()
