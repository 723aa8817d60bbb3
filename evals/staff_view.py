"""The view Tests of the staff page: a recorded conversation becomes a test, and reviewed turns rows to learn from.

The address names what the fixture is made of: `?view=Tests&test=` and the id of a turn or a conversation.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import streamlit as st

from app.settings import index_path
from app.staff import StaffDesk
from app.storage.records import AuditRow
from app.storage.staff import Recent
from app.ui.markup import literal
from app.ui.staff.shown import LANDING, draw_turn
from evals.conversations.expectations import Failure, came, plain
from evals.conversations.fixtures import (
    SUFFIX,
    Conversation,
    FixtureTurn,
    MalformedFixtureError,
    parse_fixture,
)
from evals.conversations.recorded import as_fixture, expected, held, with_expectation
from evals.conversations.replay import ConversationResult, replaying
from evals.conversations.replay_output import as_words, demand
from evals.training.reviewed import ROWS, Kind, as_lines
from graph.turn import Outcome, Turn

NAMED = "test"
"""The parameter of the address."""
YAML, CHOSEN, LOADED = "test-yaml", "test-name", "test-loaded"
SHORT_S = 0.2
MOST_DRAFTS = 50
"""Fixtures in the making that are kept; of more, those go that were begun first."""
FIELDS = {
    "outcome": "Outcome",
    "products": "Products it is about, and no others",
    "standalone_contains": "The question as understood has",
    "answer_contains": "The answer has",
    "answer_excludes": "The answer must not say",
    "cites": "It cites",
    "options": "It offers to choose from",
    "live_agent": "The customer wants a person",
    "escalation": "It is handed over",
}
"""The keys of `expect` that have a field; of the others the whole fixture tells."""
CHOICES: Mapping[str, Sequence[str | bool]] = {
    "outcome": get_args(Outcome),
    "live_agent": (True, False),
    "escalation": (True, False),
}
LINES = frozenset({"standalone_contains", "answer_contains", "answer_excludes", "options"})
LEARNERS: Mapping[Kind, str] = {"intent": "intents", "rewriting": "the rewriting", "reader": "the reader"}


@dataclass
class Draft:
    """A fixture in the making.

    Attributes:
        rows: What it is made of.
        text: The fixture; what the page shows beside it is read from it, and what is changed there is written into it.
        result: What came when it was last run; None before.
        ran: Its text of then.
    """

    rows: Sequence[AuditRow]
    text: str
    result: ConversationResult | None = None
    ran: str = ""

    @property
    def file(self) -> Path:
        """What it is called when it is taken along: after the first question."""
        words = re.sub(r"[^a-z0-9]+", "-", self.rows[0].turn.query.lower()).strip("-")
        return Path(f"{words[:60].strip('-') or 'recorded'}{SUFFIX}")

    @property
    def failures(self) -> Sequence[Failure]:
        """What does not hold of it as it stands; nothing where it has been changed since it ran."""
        return self.result.failures if self.result and self.ran == self.text else ()

    def came(self, number: int) -> Turn | None:
        """What was answered to a turn, by its number from 1: when it was last run, else when it was recorded."""
        turns = [done.turn for done in self.result.turns] if self.result else [row.turn for row in self.rows]
        return turns[number - 1] if number <= len(turns) else None


def tests(desk: StaffDesk) -> None:
    """Draw what tests are made of, the one in the making, and what reviewed turns teach."""
    draft = _draft(desk)
    _choose(desk, draft)
    if LANDING in st.session_state:
        _short()
        return
    if draft is not None:
        _edit(desk, draft)
    if st.toggle("Show what can be learnt from reviewed turns", key="test-rows"):
        _rows(desk)


@st.fragment(run_every=SHORT_S)
def _short() -> None:
    """Keep the page short for a moment, so that it is at its top: a browser stays as far down as there is a page."""
    if st.session_state.get(LANDING) == "short":
        del st.session_state[LANDING]
        st.rerun()
    elif LANDING in st.session_state:
        st.session_state[LANDING] = "short"


def _choose(desk: StaffDesk, draft: Draft | None) -> None:
    """Draw the conversations, that of the test at hand chosen, and the tests in the making."""
    titles = {one.thread_id: _title(one) for one in desk.records.recent()}
    if draft is not None:
        first = draft.rows[0]
        titles.setdefault(first.turn.thread_id, first.turn.query)
        if st.session_state.get(LOADED) != st.query_params[NAMED]:
            st.session_state[LOADED], st.session_state[CHOSEN] = st.query_params[NAMED], first.turn.thread_id
    name = st.selectbox(
        "Conversation",
        list(titles),
        index=None,
        key=CHOSEN,
        format_func=lambda one: titles.get(one, one),
        placeholder="Choose one, or paste the id of a turn or a conversation",
        accept_new_options=True,
        help="Those with a thumb down come first. By a turn's id, the conversation as far as that turn.",
    )

    def make() -> None:
        if name:
            st.query_params[NAMED] = name

    st.button("Make a test of it", on_click=make, disabled=not name, key="test-make", icon=":material/science:")
    _made(desk)


def _made(desk: StaffDesk) -> None:
    """Draw the tests in the making, where there are several: the one that is opened now, and the way to the others."""
    made, key = _drafts(desk.index), "test-made"
    if len(made) < 2:  # noqa: PLR2004 - one is no choice
        return

    def load() -> None:
        if name := st.session_state[key]:
            st.query_params[NAMED] = name

    loaded = st.query_params.get(NAMED)
    st.session_state[key] = loaded if loaded in made else None
    titles = {name: f"{number}. {one.rows[-1].turn.query}" for number, (name, one) in enumerate(made.items(), start=1)}
    st.selectbox(
        "Tests in the making", list(made), index=None, key=key, format_func=lambda one: titles[one], on_change=load
    )


def _title(one: Recent) -> str:
    return f"{'👎 ' if one.disliked else ''}{one.question} ({one.at:%d %B, %H:%M})"


@st.cache_resource(show_spinner=False)
def _drafts(index: Path) -> dict[str, Draft]:
    """The fixtures in the making over an index, by what they are made of: one that is opened again has lost nothing."""
    del index
    return {}


def _draft(desk: StaffDesk) -> Draft | None:
    """The fixture of what the address names, made where there is none yet."""
    name = st.query_params.get(NAMED)
    if not name:
        return None
    drafts, rows = _drafts(desk.index), held(desk.turns, name)
    if not rows:
        drafts.pop(name, None)
        st.error(literal(f"Neither a turn nor a conversation {name} is recorded. It may have been deleted."))
        return None
    if name not in drafts:
        drafts[name] = Draft(rows, as_fixture(rows, _index_name(desk.index)))
        if len(drafts) > MOST_DRAFTS:
            del drafts[next(iter(drafts))]
    return drafts[name]


def _index_name(folder: Path) -> str:
    """How fixtures call an index: by its name where that is enough to find it."""
    return folder.name if index_path(folder.name).resolve() == folder.resolve() else str(folder)


def _edit(desk: StaffDesk, draft: Draft) -> None:
    try:
        fixture = parse_fixture(draft.text, draft.file)
    except MalformedFixtureError as error:
        st.error(literal(str(error)))
        fixture = None
    run, download, anew = st.columns(3)
    if run.button("Run it", key="test-run", disabled=fixture is None, icon=":material/play_arrow:") and fixture:
        _run(desk, draft, fixture)
    download.download_button(
        "Download", draft.text, draft.file.name, "text/yaml", key="test-download", icon=":material/download:"
    )
    anew.button("Start over", key="test-anew", on_click=_forget, args=(desk,), icon=":material/restart_alt:")
    _tell(draft)
    for number, asked in enumerate(fixture.turns if fixture else (), start=1):
        with st.container(border=True, key=f"test-turn-{number}"):
            _turn(desk, draft, asked, number)
    st.session_state[YAML] = draft.text

    def keep() -> None:
        draft.text = st.session_state[YAML]

    told = "Comments go when a field is changed."
    with st.expander("The whole fixture, as YAML", expanded=fixture is None, key="test-whole"):
        st.text_area("The whole fixture", key=YAML, height=400, on_change=keep, help=told)


def _forget(desk: StaffDesk) -> None:
    """Let go of what was changed in the test at hand: it is made again."""
    _drafts(desk.index).pop(st.query_params[NAMED], None)


def _run(desk: StaffDesk, draft: Draft, fixture: Conversation) -> None:
    with st.spinner("Holding the conversation …"), replaying(str(desk.index), settings=desk.settings) as replayer:
        draft.result, draft.ran = replayer.run(draft.file, fixture), draft.text


def _tell(draft: Draft) -> None:
    """Whether all holds, and what belongs to no turn."""
    st.caption(
        "It expects what happened, and of an answer that its customer disliked that it is not given again. Correct it, "
        "and run it over the index and the settings that answer now."
    )
    if draft.result is None:
        return
    if draft.ran != draft.text:
        st.info("It was changed since it ran. Run it again.")
    elif draft.result.passed:
        st.success("Everything holds.")
    else:
        many = len(draft.failures)
        st.error(f"{many} of its expectations {'does' if many == 1 else 'do'} not hold.")
    _tell_failures([one for one in draft.failures if not one.turn])


def _tell_failures(failures: Sequence[Failure]) -> None:
    for one in failures:
        expected = "" if one.key == "answer_excludes" else "expected "
        st.error(literal(f"{one.key}: {expected}{demand(one)}; came {as_words(one.got)}"))


def _turn(desk: StaffDesk, draft: Draft, asked: FixtureTurn, number: int) -> None:
    """What is expected of a turn beside what came, and below it what does not hold."""
    st.markdown(f"**{number}. {literal(asked.user or asked.click or '')}**")
    turn = draft.came(number)
    if turn is not None:
        draw_turn(desk, turn)
    failures = [one for one in draft.failures if one.turn == number]
    for key in FIELDS:
        field, beside = st.columns(2, vertical_alignment="center")
        with field:
            _field(draft, number, key, plain(getattr(asked.expect, key)), _offered(desk, turn, key))
        with beside:
            if turn is not None and not key.startswith("answer"):
                st.caption(literal(f"Came: {as_words(came(turn, key) or 'nothing')}"))
            _tell_failures([one for one in failures if one.key == key])
    _tell_failures([one for one in failures if one.key not in FIELDS])


def _offered(desk: StaffDesk, turn: Turn | None, key: str) -> list[Any]:
    """What may be picked: the catalog; of sources those that came and those that might have."""
    if key == "products":
        return list(desk.products)
    if key == "cites" and turn is not None:
        return [*expected(turn).get("cites", []), *({"evidence_id": one.evidence_id} for one in turn.retrieved)]
    return list(CHOICES.get(key, ()))


def _field(draft: Draft, number: int, key: str, value: Any, offered: Sequence[Any]) -> None:  # noqa: ANN401 - plain data
    """One expectation: it shows what the fixture's text says, and what is changed in it is written there."""
    label, widget = FIELDS[key], f"test-{number}-{key}"
    alternatives = isinstance(value, dict) or (key in LINES and not all(isinstance(one, str) for one in value or []))
    if alternatives:
        st.caption(literal(f"{label}: {as_words(value)} (to be changed in the whole fixture)"))
        return

    def keep(read: Callable[[Any], object]) -> None:
        with suppress(MalformedFixtureError):  # somebody has just broken the text, which stays as they wrote it
            draft.text = with_expectation(draft.text, draft.file, number, key, read(st.session_state[widget]))

    if key in CHOICES:
        options = list(dict.fromkeys([None, *offered, value]))
        st.session_state[widget] = value
        told: dict[Any, str] = {None: "Whatever it is", True: "Yes", False: "No"}
        st.selectbox(
            label,
            options,
            key=widget,
            format_func=lambda one: told.get(one, one),
            on_change=keep,
            args=(lambda it: it,),
        )
    elif key in LINES:
        st.session_state[widget] = "\n".join(map(as_words, value or []))
        st.text_area(label, key=widget, on_change=keep, args=(_lines,), help="One a line.", height="content")
    else:
        known = {_in_short(one): one for one in [*(value or []), *offered]}
        st.session_state[widget] = [_in_short(one) for one in value or []]
        made = (lambda one: {"evidence_id": one}) if key == "cites" else str
        st.multiselect(
            label,
            list(known),
            key=widget,
            on_change=keep,
            args=(lambda names: [known[one] if one in known else made(one) for one in names],),
            accept_new_options=True,
        )


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _in_short(entry: object) -> str:
    """A source that is expected, as its id and the words of it; anything else as it is written."""
    if isinstance(entry, dict) and entry.keys() <= {"evidence_id", "quote"}:
        quote = f" “{as_words(entry['quote'])}”" if "quote" in entry else ""
        return f"{entry.get('evidence_id', '')}{quote}".strip()
    return as_words(entry)


def _rows(desk: StaffDesk) -> None:
    reviewed = desk.records.reviewed()
    st.caption("Turns that were approved, edited or rejected, and thumbs down that have a label.")
    for column, kind in zip(st.columns(len(ROWS)), ROWS, strict=True):
        lines = as_lines(kind, reviewed)
        column.download_button(
            f"Rows for {LEARNERS[kind]} ({len(lines.splitlines())})",
            lines,
            f"{kind}.jsonl",
            "application/jsonl",
            key=f"test-rows-{kind}",
            disabled=not lines,
            icon=":material/download:",
        )
