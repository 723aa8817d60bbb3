"""The running of a turn: in a thread of its own, one after the other in a conversation, and over in time.

Nothing can end a thread of Python from outside. So nobody waits for one that takes too long: it is abandoned, ends at
the next place where it asks (`graph.budget`), and what it would still write is thrown away.
"""

import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any
from weakref import WeakValueDictionary

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.sqlite import SqliteSaver

from app.errors import BusyThreadError
from graph.budget import TurnAbandonedError, abandoned_when
from graph.draft import Dropped
from graph.parts import Context, Recorder
from graph.state import AnswerDelta, TurnInput
from graph.turn import Confidence, Escalation, Intent, Retrieved, ShownSentence, Turn, User
from ingestion.evidence import Evidence

THREAD_NAME = "footnote-turn"
SWITCH_INTERVAL_S = 5e-4
"""How long one thread keeps the interpreter from the others: with Python's 5 ms, a turn that loops stalls each library
call of the others that long."""

SORRY = "Sorry, this took too long and I had to stop."
BROKEN_OFF = "Sorry, the rest took too long and I had to stop here."
NEXT_STEP = "Please ask again, in fewer words if you can, or tell me that you would like to talk to a person."


@dataclass(frozen=True, slots=True)
class Understood:
    """What a question means by itself, and what it is about; next, it is looked up.

    Attributes:
        question: The standalone question.
        intents: The selected intents; none where nothing is looked up.
    """

    question: str
    intents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Searched:
    """The search is over; next, what is said is held to what was found.

    Attributes:
        found: How many pieces of evidence there are to answer from.
    """

    found: int


Stage = Understood | Searched
"""How far a turn has come that says nothing yet."""


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    """The next piece of the answer; all pieces joined are `Turn.answer`."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The turn is over and recorded."""

    turn: Turn


TurnEvent = Stage | AnswerPiece | Finished


def stages(updates: Mapping[str, Mapping[str, Any]], question: str) -> Iterator[Stage]:
    """What the nodes that just ended tell of a turn.

    Args:
        updates: What each changed in the state, by its name.
        question: The standalone question, as it is known.
    """
    for node, changed in updates.items():
        if node == "intent":
            yield Understood(question, tuple(changed["intent"].selected))
        elif node == "reduce":
            yield Searched(len(changed["retrieved"]))


class OverrunError(Exception):
    """The turn's time is over and its thread is abandoned."""


class TurnRun:
    """One turn: running, then either settled or abandoned, whichever comes first."""

    def __init__(self, work: "Callable[[TurnRun], Turn]") -> None:
        """Begin.

        Args:
            work: Runs the turn, hands each piece to `tell` and calls `settle` before it writes anything.
        """
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        self._lock = threading.Lock()
        self._settled = self._abandoned = False
        self._said: SimpleQueue[AnswerDelta | Stage | Turn | BaseException] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, args=(work,), name=THREAD_NAME, daemon=True)
        self._thread.start()

    def tell(self, piece: AnswerDelta | Stage) -> None:
        """Hand out a piece or a stage; a piece that says so settles the turn.

        Raises:
            TurnAbandonedError: Nobody waits for it.
        """
        if isinstance(piece, AnswerDelta) and piece.settled:
            self.settle()
        self._said.put(piece)

    def settle(self) -> None:
        """From here on the turn is sure to end soon, and will be waited for.

        Raises:
            TurnAbandonedError: Nobody waits for it.
        """
        with self._lock:
            if self._abandoned:
                raise TurnAbandonedError
            self._settled = True

    def abandon(self) -> bool:
        """Wait for the turn no longer; false where it is settled, and will be recorded."""
        with self._lock:
            self._abandoned = not self._settled
        return self._abandoned

    def events(self, seconds: float) -> Generator[AnswerDelta | Stage | Turn]:
        """The stages and pieces as they come, then the turn.

        Raises:
            OverrunError: It was not settled in so many seconds, and is abandoned.
        """
        end = time.monotonic() + seconds
        while True:
            try:
                said = self._said.get(timeout=max(end - time.monotonic(), 0))
            except Empty:
                if self.abandon():
                    raise OverrunError from None
                said = self._said.get()
            if isinstance(said, BaseException):
                raise said
            yield said
            if isinstance(said, Turn):
                return

    def leave(self) -> None:
        """Wait no longer than it takes to write a settled turn."""
        if not self.abandon():
            self._thread.join()

    def _run(self, work: "Callable[[TurnRun], Turn]") -> None:
        try:
            with abandoned_when(lambda: self._abandoned):
                self._said.put(work(self))
        except BaseException as error:  # noqa: BLE001 - it is raised again where the turn is waited for
            self._said.put(error)


def some_still_run() -> bool:
    """Whether a turn still runs in this process, such as one that was abandoned."""
    return any(thread.name == THREAD_NAME for thread in threading.enumerate())


class ConversationLocks:
    """A lock for each conversation that somebody holds or waits for, and none for the others.

    Args:
        wait_s: How long the next turn of a conversation waits for the one before.
    """

    def __init__(self, wait_s: float) -> None:
        self._wait_s = wait_s
        self._guard = threading.Lock()
        self._locks: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()

    @contextmanager
    def alone_in(self, thread_id: str) -> Iterator[None]:
        """Hold a conversation.

        Raises:
            BusyThreadError: Another turn holds it all the time that is waited.
        """
        with self._guard:
            lock = self._locks.setdefault(thread_id, threading.Lock())
        if not lock.acquire(timeout=self._wait_s):
            raise BusyThreadError(thread_id)
        try:
            yield
        finally:
            lock.release()


class HeldCheckpoints(SqliteSaver):
    """Reads what another saver reads, and writes nothing until it is told to."""

    def __init__(self, saver: SqliteSaver) -> None:
        super().__init__(saver.conn, serde=saver.serde)
        self.lock, self.is_setup = saver.lock, saver.is_setup
        self._held: list[Callable[[], object]] = []

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Hold a checkpoint."""
        self._held.append(partial(super().put, config, checkpoint, metadata, new_versions))
        return {"configurable": {**config["configurable"], "checkpoint_id": checkpoint["id"]}}

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Hold what a step wrote."""
        self._held.append(partial(super().put_writes, config, writes, task_id, task_path))

    def write(self) -> None:
        """Write what was held, in its order."""
        for write in self._held:
            write()
        self._held.clear()


class HeldRecord:
    """Takes the audit row of a turn, and writes nothing until it is told to."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._held: tuple[Turn, Sequence[Evidence], Sequence[Dropped]] | None = None

    def record(self, turn: Turn, sources: Sequence[Evidence], dropped: Sequence[Dropped]) -> None:
        """Hold a turn with its sources, and what was dropped."""
        self._held = (turn, sources, dropped)

    def write(self) -> Turn:
        """Write the turn, and return it."""
        assert self._held is not None, "the graph ended without a record"
        self._recorder.record(*self._held)
        return self._held[0]


class KeepsNothing:
    """A desk and an audit for turns of which nothing is kept."""

    def open_ticket(self, reason: str, summary: str, team: str | None = None) -> Escalation:
        """Say what would be opened."""
        return Escalation(reason=reason, ticket_id="none", to=team or "nobody", summary=summary)

    def record(self, turn: Turn, sources: Sequence[Evidence], dropped: Sequence[Dropped]) -> None:
        """Let it go."""
        del turn, sources, dropped


def apology(shown: AnswerDelta) -> str:
    """What is said after what was shown."""
    return f"\n\n{BROKEN_OFF} {NEXT_STEP}" if shown.text else f"{SORRY} {NEXT_STEP}"


def overrun_turn(thread_id: str, asked: TurnInput, context: Context, shown: AnswerDelta, seconds: float) -> Turn:
    """The turn in place of one that ran past its limit; it states nothing but what was shown before.

    Args:
        thread_id: The conversation's.
        asked: The turn's id, and the question.
        context: The parts that were to answer.
        shown: What the user has seen, which is not taken back.
        seconds: The limit.
    """
    words = (BROKEN_OFF if shown.text else SORRY, NEXT_STEP)
    said = [ShownSentence(text=text, citations=[], support=0.0, factual=False) for text in words]
    stated = any(sentence.factual for sentence in shown.sentences)
    cited = dict.fromkeys(citation.evidence_id for citation in shown.citations)
    return Turn(
        thread_id=thread_id,
        turn_id=asked["turn_id"],
        query=asked["query"],
        user=asked.get("user", User()),
        style=asked["style"],
        standalone_query=asked["query"],
        rewritten_by="none",
        searchable=True,
        live_agent=False,
        products=[],
        intent=Intent(distribution={}, entropy=0.0, selected=[], branch="focused"),
        outcome="clear" if stated else "no_answer",
        answer=shown.text + apology(shown),
        sentences=[*shown.sentences, *said],
        citations=list(shown.citations),
        retrieved=[Retrieved(evidence_id=key, score=0.0) for key in cited],
        confidence=Confidence(score=0.0, label="low"),
        answered_by="llm" if shown.text else "local",
        degraded=f"turn: no answer within {seconds:g} s",
        generation=context.knowledge.generation,
        prompt_hash="",
        config_hash=context.config_hash,
        variant=context.variant,
    )
