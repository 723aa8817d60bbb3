"""The conversations in the sidebar: found, opened, named, taken along and deleted."""

import logging
import re
from contextlib import suppress
from functools import partial

import streamlit as st

from app.errors import BusyThreadError, UnknownThreadError
from app.export import as_json, as_markdown
from app.storage.records import ThreadSummary
from app.ui.markup import literal
from app.ui.places import open_thread
from app.ui.visit import Visit

SHOWN_THREADS = 20
SEARCHED_FROM = 5
"""From so many conversations on there is a search."""
TITLE_LENGTH = 44
LONGEST_NAME = 120
LONGEST_FILE_NAME = 60
WHILE_ANSWERED = "A question of it is still being answered. It was not deleted; try again in a moment."
NOT_DELETED = "It could not be deleted and is still here. Please try again later."

logger = logging.getLogger(__name__)


def draw_threads(visit: Visit) -> None:
    """The conversations, latest first; beside the open one a menu of what can be done with it."""
    holding = st.session_state.get("holding", "").strip()
    threads = visit.threads(limit=SHOWN_THREADS, holding=holding)
    if not (threads or holding):
        return
    st.html('<h2 class="heading">Conversations</h2>')
    if holding or len(threads) >= SEARCHED_FROM:
        st.text_input(
            "Search conversations",
            key="holding",
            placeholder="Search",
            icon=":material/search:",
            label_visibility="collapsed",
            persist_state="session",
        )
    if not threads:
        st.caption(literal(f'No conversation mentions "{holding}".'))
    for thread in threads:
        _draw_thread(visit, thread, current=thread.thread_id == st.query_params.get("thread"))


def file_name(thread: ThreadSummary) -> str:
    """A conversation's name, as far as it is letters and digits, with the day of its latest turn."""
    words = re.findall(r"[^\W_]+", thread.title.lower())
    name = "-".join(words)[:LONGEST_FILE_NAME].strip("-") or "conversation"
    return f"{name}-{thread.updated:%Y-%m-%d}"


def _draw_thread(visit: Visit, thread: ThreadSummary, *, current: bool) -> None:
    with st.container(horizontal=True, wrap=False, gap=None, key=f"conversation-{thread.thread_id}"):
        st.button(
            literal(_short(thread.title)),
            key=f"thread-{thread.thread_id}",
            type="secondary" if current else "tertiary",
            width="stretch",
            on_click=open_thread,
            args=(thread.thread_id,),
        )
        if current:
            with st.popover("Options", icon=":material/more_horiz:", type="tertiary", key=f"menu-{thread.thread_id}"):
                _draw_menu(visit, thread)


def _draw_menu(visit: Visit, thread: ThreadSummary) -> None:
    key = f"name-{thread.thread_id}"
    st.text_input(
        "Name",
        thread.title,
        key=key,
        max_chars=LONGEST_NAME,
        on_change=lambda: visit.name_thread(thread.thread_id, st.session_state[key]),
    )
    files = {"Markdown": (partial(_markdown, visit, thread), "md"), "JSON": (partial(_json, visit, thread), "json")}
    for name, (content, suffix) in files.items():
        st.download_button(
            f"Save as {name}",
            content,
            f"{file_name(thread)}.{suffix}",
            key=f"save-{suffix}-{thread.thread_id}",
            icon=":material/download:",
            type="tertiary",
            on_click="ignore",
        )
    _draw_deletion(visit, thread.thread_id)


def _draw_deletion(visit: Visit, thread_id: str) -> None:
    """A button that asks once more before anything is deleted."""
    asked = f"delete-{thread_id}"
    if not st.session_state.get(f"asked-{thread_id}"):
        st.button("Delete", key=asked, icon=":material/delete:", type="tertiary", on_click=_ask, args=(thread_id,))
        return
    if problem := st.session_state.pop(f"kept-{thread_id}", None):
        st.error(problem)
    st.caption("Delete this conversation with all its answers? It cannot be brought back.")
    with st.container(horizontal=True):
        st.button("Delete", key=f"surely-{thread_id}", type="primary", on_click=_forget, args=(visit, thread_id))
        st.button("Keep", key=f"keep-{thread_id}", on_click=_ask, args=(thread_id,), kwargs={"sure": False})


def _ask(thread_id: str, *, sure: bool = True) -> None:
    st.session_state[f"asked-{thread_id}"] = sure


def _forget(visit: Visit, thread_id: str) -> None:
    """Delete a conversation; where that fails, it stays open and the menu says so."""
    try:
        with suppress(UnknownThreadError):  # deleted already, in another tab
            visit.forget(thread_id)
    except BusyThreadError:
        st.session_state[f"kept-{thread_id}"] = WHILE_ANSWERED
    except Exception:
        logger.exception("A conversation could not be deleted")
        st.session_state[f"kept-{thread_id}"] = NOT_DELETED
    else:
        open_thread()


def _markdown(visit: Visit, thread: ThreadSummary) -> str:
    return as_markdown(thread.title, visit.history(thread.thread_id), visit.messages(thread.thread_id))


def _json(visit: Visit, thread: ThreadSummary) -> str:
    return as_json(visit.history(thread.thread_id))


def _short(title: str) -> str:
    return title if len(title) <= TITLE_LENGTH else f"{title[: TITLE_LENGTH - 1].rstrip()}…"
