"""The pages: the chat with its sidebar and input, and that of the shop's people. Streamlit runs it for every click."""

import logging
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.access import COOKIE, ROLE_HEADER, STAFF, is_secret, new_secret, owner_of
from app.errors import AppError
from app.ui.conversation import answer_question, draw_turns, say
from app.ui.markup import literal
from app.ui.sidebar import sidebar
from app.ui.staff.page import draw_closed, draw_staff
from app.ui.visit import Visit
from graph.turn import User
from ingestion.errors import KnowledgeError
from ingestion.evidence import Product

if TYPE_CHECKING:
    from app.assistant import Assistant

NOT_FOUND = "This conversation was not found. Conversations open in the browser in which they were begun."

logger = logging.getLogger("app.ui.page")  # Streamlit runs this file under another name


def main() -> None:
    """The page that the address names, over the index that settings name."""
    chat = st.Page(_chat, title="Footnote", default=True)
    staff = st.Page(_staff, title="Footnote: staff", url_path=STAFF.strip("/"))
    page = st.navigation([chat, staff], position="hidden")
    wide: Literal["wide", "centered"] = "wide" if page == staff else "centered"
    st.set_page_config(page_icon=":material/superscript:", layout=wide)
    st.html(f"<style>{(Path(__file__).parent / 'style.css').read_text(encoding='utf-8')}</style>")
    page.run()


def _chat() -> None:
    visit = Visit(_opened(), _owner())
    show(visit)
    st.sidebar.caption(f"Your conversations are kept under {visit.owner}, by which the shop deletes them on request.")


def _staff() -> None:
    if st.context.headers.get(ROLE_HEADER) == "staff":
        draw_staff(_opened().desk())
    else:
        draw_closed()


def _opened() -> "Assistant":
    """The assistant; where it cannot be opened, the page says why and ends."""
    try:
        return _assistant()
    except (AppError, KnowledgeError) as error:
        problem = literal(str(error))
    except Exception:
        logger.exception("The assistant could not be opened")
        problem = "The shop could not be opened. What went wrong stands in the log of the page."
    st.error(problem)
    return st.stop()


def show(visit: Visit) -> None:
    """The page of one visitor."""
    user, experiences = sidebar(visit)
    welcome = st.empty()
    thread = _thread(visit)
    typed = st.chat_input("Ask about a product, delivery, returns …", key="question")
    text = typed or st.session_state.pop("said", None)
    if text:
        thread = thread or uuid.uuid4().hex
        if answer_question(visit, text, thread, user, experiences):
            st.query_params["thread"] = thread
            st.rerun()
    elif not thread:
        if "thread" in st.query_params:
            st.info(NOT_FOUND)
        _welcome(welcome.container(), visit, user)


def _thread(visit: Visit) -> str | None:
    """Draw the conversation that the address names; None where the visitor has none of that name."""
    named = st.query_params.get("thread")
    return named if named and draw_turns(visit, named) else None


def _owner() -> str:
    """Whose visit it is: that of the browser's cookie, or of this tab alone where the browser keeps none."""
    secret = st.context.cookies.get(COOKIE, "")
    if not is_secret(secret):
        secret = st.session_state.setdefault("secret", new_secret())
    return owner_of(secret)


@st.cache_resource(show_spinner="Opening the shop …")
def _assistant() -> "Assistant":
    from app.assistant import Assistant  # noqa: PLC0415 - the graph and its models load behind the spinner

    return Assistant.open()


def _welcome(place: DeltaGenerator, visit: Visit, user: User) -> None:
    with place:
        st.html(
            '<div class="welcome"><h1>Ask the shop.</h1>'
            "<p>Answers come from the shop's own information. "
            "Press a number to read where a sentence comes from.</p></div>"
        )
        for number, question in enumerate(example_questions(visit.products, user)):
            st.button(literal(question), key=f"example-{number}", on_click=say, args=(question,))


def example_questions(products: Mapping[str, Product], user: User) -> list[str]:
    """A few questions of different kinds, about the open product page where there is one."""
    open_page = products.get(user.page.product_id or "")
    if open_page is not None:
        return [*_about(open_page), "Can I return it?"]
    departments: dict[str, list[Product]] = {}
    for product in products.values():
        departments.setdefault(product.category[0] if product.category else "", []).append(product)
    first, second, third = [*departments.values(), [], [], []][:3]
    questions = [question for product in first[:1] for question in _about(product)]
    questions += [f"What do customers say about the {product.name}?" for product in second[:1]]
    siblings = [product for product in third if product.category == third[0].category]
    if len(siblings) > 1:
        questions.append(f"Compare the {siblings[0].name} and the {siblings[1].name}")
    return [*questions, "What is your return policy?"]


def _about(product: Product) -> list[str]:
    attributes = [name for name, value in product.attributes.items() if any(map(str.isdigit, value))]
    return [f"What is the {name.lower()} of the {product.name}?" for name in attributes[:1]]


if __name__ == "__main__":
    main()
