"""The assistant: questions in, finished turns out; threads, sources and feedback beside them. Also as a Runnable."""

import sqlite3
import uuid
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any, Self, cast

from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda
from langgraph.checkpoint.sqlite import SqliteSaver

from app.access import LOCAL
from app.errors import UnknownSourceError, UnknownThreadError
from app.question import clean_question, known_experiences, known_thread, read_user
from app.settings import Settings, index_path
from app.staff import StaffDesk
from app.storage.databases import open_database
from app.storage.masking import MaskingSerializer
from app.storage.records import SystemClock
from app.storage.retention import open_archive, prune
from app.storefront import ProductDetails, details_of, products_found
from app.turns import (
    AnswerPiece,
    ConversationLocks,
    Finished,
    HeldCheckpoints,
    HeldRecord,
    OverrunError,
    Stage,
    TurnEvent,
    TurnRun,
    apology,
    overrun_turn,
    stages,
)
from app.variants import assigned
from app.wiring import Wiring
from graph.build import build_graph
from graph.parts import Clock
from graph.state import AnswerDelta, TurnInput
from graph.turn import Style, Turn, User
from ingestion.errors import UnknownEvidenceError
from ingestion.evidence import Evidence, Product

SECONDS_TO_WAIT_FOR_A_BUSY_THREAD = 30.0


class Assistant:
    """A shop assistant over one index. Safe to share among the threads of a process.

    Attributes:
        records: What is kept of conversations: turns, feedback, questions that were never answered.
    """

    def __init__(self, parts: Wiring, threads: sqlite3.Connection) -> None:
        """Assemble one from its parts, which it owns; `Assistant.open` does so from settings.

        Args:
            parts: What turns are made from.
            threads: Where conversations are remembered.
        """
        self._parts = parts
        self.records = parts.records
        self._threads = threads
        self._saver = SqliteSaver(threads, serde=MaskingSerializer())
        self._graph = build_graph(self._saver)
        self._conversations = ConversationLocks(SECONDS_TO_WAIT_FOR_A_BUSY_THREAD)

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
        try:
            threads = open_database(settings.threads)
            prune(settings, clock or SystemClock())
            return cls(wiring, threads)
        except BaseException:
            wiring.close()
            raise

    def ask(
        self,
        text: str,
        thread: str | None = None,
        style: Style = "text",
        user: User | Mapping[str, Any] | None = None,
        experiences: Collection[str] = (),
        owner: str = LOCAL,
    ) -> Turn:
        """Answer one question.

        Args:
            text: The user's words.
            thread: The conversation it belongs to; a new one when absent.
            style: How the answer is worded.
            user: Who asks; what the thread knows of them when absent.
            experiences: What else a served model is asked for, on the same prompt (`graph.llm.multi_ux`).
            owner: Whose conversation it is, and stays.

        Raises:
            InvalidUserError: The user has unknown, wrong or too long fields.
            InputError: The question is empty or too long, the thread is no name, or an experience does not exist.
            UnknownThreadError: The owner has no such conversation.
        """
        for event in self.stream(text, thread, style, user, experiences, owner):
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
        owner: str = LOCAL,
    ) -> Generator[TurnEvent]:
        """Answer one question: stages, the answer in pieces, the turn; arguments and errors as in `ask`."""
        turn = TurnInput(
            query=clean_question(text, self._parts.current.options.max_query_chars),
            style=style,
            turn_id=uuid.uuid4().hex,
            experiences=known_experiences(experiences),
        )
        if (known := read_user(user)) is not None:
            turn["user"] = known
        thread = known_thread(thread) or uuid.uuid4().hex
        held = self.records.claim(thread, owner, assigned(thread, self._parts.settings.variants))
        if held is None:
            raise UnknownThreadError(thread)
        return self._run(turn, thread, held.variant)

    def as_runnable(
        self, style: Style = "text", user: User | Mapping[str, Any] | None = None
    ) -> Runnable[str, AIMessage]:
        """This assistant as a LangChain Runnable from a question to its answer; arguments and errors as in `ask`.

        The message's `response_metadata["turn"]` is the finished turn, citations included; of a stream the last message
        has it. The conversation is that of `config["configurable"]["thread_id"]`, or a new one.
        """

        def answer(question: str, config: RunnableConfig) -> Iterator[AIMessage]:
            thread = config.get("configurable", {}).get("thread_id")
            for event in self.stream(question, thread, style, user):
                if isinstance(event, AnswerPiece):
                    yield AIMessageChunk(content=event.text)
                elif isinstance(event, Finished):
                    yield AIMessageChunk(content="", response_metadata={"turn": event.turn.model_dump(mode="json")})

        # What a lambda takes beside its input, LangChain finds out; its types know of no generator that takes a config.
        return RunnableLambda(cast("Any", answer))

    def _run(self, turn: TurnInput, thread_id: str, variant: str | None) -> Generator[TurnEvent]:
        shown = AnswerDelta("")
        with (
            self._conversations.alone_in(thread_id),
            self.records.answering(turn["turn_id"], thread_id, turn["query"]),
        ):
            run = TurnRun(partial(self._answer, turn, thread_id, variant))
            try:
                for said in run.events(self._parts.turn_limit_s):
                    if isinstance(said, Turn):
                        finished = said
                    elif isinstance(said, Stage):
                        yield said
                    else:
                        shown = replace(said, text=shown.text + said.text)
                        yield AnswerPiece(said.text)
            except OverrunError:
                finished = self._overrun(turn, thread_id, variant, shown)
                yield AnswerPiece(apology(shown))
            finally:
                run.leave()
        yield Finished(finished)

    def _answer(self, turn: TurnInput, thread_id: str, variant: str | None, run: TurnRun) -> Turn:
        """Run the graph, and write what it would have written once that is settled."""
        config = self._remembered(thread_id)
        with self._parts.reading(variant) as context:
            checkpoints, record = HeldCheckpoints(self._saver), HeldRecord(context.recorder)
            parts = self._graph.copy({"checkpointer": checkpoints}).stream(
                turn,
                config,
                context=replace(context, recorder=record),
                stream_mode=["custom", "updates"],
                version="v2",
                durability="exit",
            )
            question = turn["query"]
            with closing(cast("Generator[Any]", parts)) as pieces:
                for part in pieces:
                    if part["type"] == "custom":
                        run.tell(part["data"])
                        continue
                    question = part["data"].get("rewrite", {}).get("standalone_query", question)
                    for stage in stages(part["data"], question):
                        run.tell(stage)
            run.settle()
            # In this order a process that is killed between them leaves a turn that is interrupted and not remembered.
            checkpoints.write()
            return record.write()

    def _overrun(self, turn: TurnInput, thread_id: str, variant: str | None, shown: AnswerDelta) -> Turn:
        finished = overrun_turn(thread_id, turn, self._parts.under(variant), shown, self._parts.turn_limit_s)
        self.records.record(finished, shown.sources, [])
        return finished

    def _remembered(self, thread_id: str) -> RunnableConfig:
        """From where a conversation goes on: its latest turn, or the one before where that was never recorded."""
        config: RunnableConfig = {"configurable": {"thread_id": thread_id}}
        latest = self._saver.get_tuple(config)
        if latest is None or self.records.holds(latest.checkpoint["channel_values"].get("turn_id", "")):
            return config
        if latest.parent_config is None:
            self._saver.delete_thread(thread_id)
        return latest.parent_config or config

    def forget(self, thread: str, owner: str = LOCAL) -> None:
        """Delete a conversation for good, with all that it remembers.

        Raises:
            UnknownThreadError: The owner has no such conversation.
            BusyThreadError: A question of it is being answered.
        """
        if self.records.claim(thread, owner) is None:
            raise UnknownThreadError(thread)
        with self._conversations.alone_in(thread), open_archive(self._parts.settings) as archive:
            archive.forget_threads([thread])

    def desk(self) -> StaffDesk:
        """What the shop's people see of its conversations, and do about them."""
        return StaffDesk(self._parts)

    @property
    def products(self) -> Mapping[str, Product]:
        """The catalog by id."""
        return self._parts.current.knowledge.products

    def find_products(self, text: str) -> list[Product]:
        """The products that a text names, may mean, or whose kind it names."""
        with self._parts.reading() as context:
            return products_found(text, context)

    def details(self, product_id: str) -> ProductDetails:
        """A product with what the index holds of it; it must be of the catalog."""
        with self._parts.reading() as context:
            return details_of(context.knowledge.products[product_id], context)

    @property
    def regions(self) -> Sequence[str]:
        """The regions the shop names."""
        return list(self._parts.current.knowledge.regions)

    @property
    def experiences(self) -> Sequence[str]:
        """What else a served model can be asked for beside an answer; nothing without one."""
        writer = self._parts.current.writer
        return list(writer.offered) if writer is not None else []

    def source(self, evidence_id: str, generation: str, owner: str = LOCAL) -> Evidence:
        """What a citation points to, as it was when it was cited.

        Raises:
            UnknownSourceError: None of the owner's answers cites it and the index no longer has it.
        """
        if source := self.records.source(evidence_id, generation, owner):
            return source
        try:
            with self._parts.reading() as context:
                if context.knowledge.generation == generation:
                    return context.knowledge.evidence([evidence_id])[0]
        except UnknownEvidenceError as error:
            raise UnknownSourceError(evidence_id, generation) from error
        raise UnknownSourceError(evidence_id, generation)

    def close(self) -> None:
        """Close the index and the databases."""
        self._parts.close()
        self._threads.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
