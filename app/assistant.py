"""The assistant: questions in, finished turns out; threads, sources and feedback beside them."""

import sqlite3
import threading
import uuid
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, Self
from weakref import WeakValueDictionary

from langgraph.checkpoint.sqlite import SqliteSaver

from app.errors import BusyThreadError, UnknownSourceError
from app.events import AnswerPiece, Finished, TurnEvent
from app.question import clean_question, known_experiences, read_user
from app.records import Records, ThreadSummary, Thumb, open_database
from app.settings import Settings, index_path
from app.wiring import Wiring
from graph.build import build_graph
from graph.parts import Clock, Context
from graph.state import TurnInput
from graph.turn import Style, Turn, User
from ingestion.errors import UnknownEvidenceError
from ingestion.evidence import Evidence, Product

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig

SECONDS_TO_WAIT_FOR_A_BUSY_THREAD = 30.0


class Parts(Protocol):
    """What turns are made from, over one index."""

    @property
    def records(self) -> Records:
        """The audit."""
        ...

    def context(self) -> Context:
        """The parts of the next turn, over the index as it is now."""
        ...

    def close(self) -> None:
        """Close everything."""
        ...


class Assistant:
    """A shop assistant over one index. Safe to share among the threads of a process."""

    def __init__(self, parts: Parts, threads: sqlite3.Connection) -> None:
        """Assemble one from its parts, which it owns; `Assistant.open` does so from settings.

        Args:
            parts: What turns are made from.
            threads: Where conversations are remembered.
        """
        self._parts = parts
        self._records = parts.records
        self._threads = threads
        self._graph = build_graph(SqliteSaver(threads))
        self._running: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()

    @classmethod
    def open(cls, index: str | None = None, settings: Settings | None = None, clock: Clock | None = None) -> Self:
        """Open an index, with everything a turn needs.

        Args:
            index: Name or path of the index; that of the settings when absent.
            settings: Read from environment and file when absent.
            clock: What "now" is; the machine's time when absent.

        Raises:
            SettingsError: The settings cannot be used.
            KnowledgeError: The index is missing or damaged.
            UnwritableRecordsError: A database cannot be opened.
        """
        settings = settings or Settings.load()
        wiring = Wiring(index_path(str(index or settings.index)), settings, clock)
        return cls(wiring, open_database(settings.threads))

    def ask(
        self,
        text: str,
        thread: str | None = None,
        style: Style = "text",
        user: User | Mapping[str, Any] | None = None,
        experiences: Collection[str] = (),
    ) -> Turn:
        """Answer one question.

        Args:
            text: The user's words.
            thread: The conversation it belongs to; a new one when absent.
            style: How the answer is worded.
            user: Who asks; what the thread knows of them when absent.
            experiences: What else a served model is asked for, on the same prompt (`graph.llm.experiences`).

        Raises:
            InvalidQuestionError: The question is empty or too long.
            InvalidUserError: The user has unknown or wrong fields.
            UnknownExperienceError: One of the experiences does not exist.
        """
        for event in self.stream(text, thread, style, user, experiences):
            if isinstance(event, Finished):
                return event.turn
        msg = "the graph ended without a turn"
        raise RuntimeError(msg)

    def stream(
        self,
        text: str,
        thread: str | None = None,
        style: Style = "text",
        user: User | Mapping[str, Any] | None = None,
        experiences: Collection[str] = (),
    ) -> Generator[TurnEvent]:
        """Answer one question piece by piece; arguments and errors as in `ask`."""
        context = self._parts.context()
        turn = TurnInput(
            query=clean_question(text, context.options.max_query_chars),
            style=style,
            turn_id=uuid.uuid4().hex,
            experiences=known_experiences(experiences),
        )
        if (known := read_user(user)) is not None:
            turn["user"] = known.model_dump()
        return self._run(turn, thread or uuid.uuid4().hex[:12], context)

    def _run(self, turn: TurnInput, thread_id: str, context: Context) -> Generator[TurnEvent]:
        config: RunnableConfig = {"configurable": {"thread_id": thread_id}}
        last: dict[str, Any] = {}
        with self._alone_in(thread_id):
            for part in self._graph.stream(
                turn, config, context=context, stream_mode=["custom", "values"], version="v2", durability="exit"
            ):
                if part["type"] == "custom":
                    yield AnswerPiece(part["data"]["text"])
                elif part["type"] == "values":
                    last = dict(part["data"])
        yield Finished(Turn.model_validate(last["turn"]))

    @contextmanager
    def _alone_in(self, thread_id: str) -> Iterator[None]:
        """Let the turns of one conversation follow each other: each needs what the one before remembered."""
        lock = self._running.setdefault(thread_id, threading.Lock())
        if not lock.acquire(timeout=SECONDS_TO_WAIT_FOR_A_BUSY_THREAD):
            raise BusyThreadError(thread_id)
        try:
            yield
        finally:
            lock.release()

    @property
    def products(self) -> Mapping[str, Product]:
        """The catalog by id."""
        return self._parts.context().knowledge.products

    @property
    def regions(self) -> Sequence[str]:
        """The regions the shop names."""
        return list(self._parts.context().knowledge.regions)

    @property
    def experiences(self) -> Sequence[str]:
        """What else a served model can be asked for beside an answer; nothing without one."""
        writer = self._parts.context().writer
        return list(writer.offered) if writer is not None else []

    def threads(self) -> list[ThreadSummary]:
        """The latest conversations, latest first."""
        return self._records.threads()

    def history(self, thread: str) -> list[Turn]:
        """The turns of a conversation, oldest first; empty when there is none."""
        return self._records.history(thread)

    def source(self, evidence_id: str, generation: str) -> Evidence:
        """What a citation points to, as it was when it was cited.

        Raises:
            UnknownSourceError: It was never cited and the index no longer has it.
        """
        if source := self._records.source(evidence_id, generation):
            return source
        knowledge = self._parts.context().knowledge
        try:
            if knowledge.generation == generation:
                return knowledge.evidence([evidence_id])[0]
        except UnknownEvidenceError as error:
            raise UnknownSourceError(evidence_id, generation) from error
        raise UnknownSourceError(evidence_id, generation)

    def feedback(self, thread: str) -> dict[str, Thumb]:
        """What the user thought of the turns of a conversation, by turn id."""
        return self._records.feedback(thread)

    def record_feedback(self, turn_id: str, thumb: Thumb | None) -> None:
        """Keep what the user thought of a turn; None takes it back."""
        self._records.record_feedback(turn_id, thumb)

    def close(self) -> None:
        """Close the index and the databases."""
        self._parts.close()
        self._threads.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
