"""Replay: conversation fixtures run through a real assistant, turn by turn."""

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol, Self

from app.errors import AppError
from app.settings import Settings
from evals.conversations.clock import SettableClock
from evals.conversations.expectations import Failure, check
from evals.conversations.fixtures import Conversation, FixtureTurn
from evals.conversations.indexes import Indexes, Ingest, ingest_silently
from evals.errors import UnsetVariableError
from evals.folding import contains, same
from graph.options import GraphOptions
from graph.parts import Clock
from graph.turn import Style, Turn, User
from ingestion.errors import IngestError, KnowledgeError
from ingestion.evidence import Evidence


class Answering(Protocol):
    """An assistant as replay sees it; `app.assistant.Assistant` is one."""

    def ask(self, text: str, thread: str | None = None, style: Style = "text", user: User | None = None) -> Turn:
        """Answer one question."""
        ...

    def source(self, evidence_id: str, generation: str) -> Evidence:
        """What a citation points to."""
        ...

    def close(self) -> None:
        """Let go of what it holds."""
        ...


OpenAssistant = Callable[[Path, Clock], Answering]
"""Opens an assistant over an index folder, with a clock."""


@dataclass(frozen=True, slots=True)
class TurnResult:
    """What came of one turn of a fixture.

    Attributes:
        number: Its number in the conversation, from 1.
        said: What was typed or clicked.
        asked: The turn as the fixture has it.
        turn: The answer; None when there was none.
        failures: What does not hold.
        ms: Milliseconds until the answer was whole.
    """

    number: int
    said: str
    asked: FixtureTurn
    turn: Turn | None
    failures: list[Failure]
    ms: float


@dataclass(frozen=True, slots=True)
class ConversationResult:
    """What came of a fixture.

    Attributes:
        file: The fixture.
        name: What it is about.
        turns: Its turns, in order.
        skipped: Why it was not run at all.
        unopened: What failed before its first turn: its index cannot be opened.
    """

    file: Path
    name: str
    turns: list[TurnResult] = field(default_factory=list)
    skipped: str | None = None
    unopened: Failure | None = None

    @property
    def failures(self) -> list[Failure]:
        """All that does not hold, in order."""
        before = [self.unopened] if self.unopened else []
        return [*before, *(failure for turn in self.turns for failure in turn.failures)]

    @property
    def passed(self) -> bool:
        """Whether it ran and everything held."""
        return self.skipped is None and not self.failures


class Replayer:
    """Runs fixtures; one assistant for each index, a fresh thread for each conversation.

    Attributes:
        clock: What all its assistants read the time from.
    """

    def __init__(self, indexes: Indexes, open_assistant: OpenAssistant) -> None:
        self._indexes = indexes
        self._open = open_assistant
        self._assistants: dict[Path, Answering] = {}
        self.clock = SettableClock()

    def run(self, file: Path, conversation: Conversation) -> ConversationResult:
        """Hold one conversation; a turn that fails does not stop it."""
        result = ConversationResult(file, conversation.name)
        try:
            assistant = self.assistant(conversation.index, file)
        except UnsetVariableError as error:
            return ConversationResult(file, conversation.name, skipped=f"its index needs a variable: {error}")
        except (AppError, IngestError, KnowledgeError) as error:
            unopened = Failure(0, "index", conversation.index, str(error))
            return ConversationResult(file, conversation.name, unopened=unopened)
        self.clock.set(conversation.now)
        thread, user, before = uuid.uuid4().hex, conversation.user, None
        for number, asked in enumerate(conversation.turns, start=1):
            if asked.now is not None:
                self.clock.set(asked.now)
            done = _turn(assistant, number, asked, before, _Asker(thread, user))
            result.turns.append(done)
            # From then on the thread knows who asks, and what the conversation changed about it.
            user, before = (None, done.turn) if done.turn else (user, before)
        return result

    def assistant(self, index: str | None, file: Path) -> Answering:
        """The assistant over the index that a fixture names.

        Raises:
            UnsetVariableError: The index needs an environment variable that is not set.
            AppError: The index is not known.
            IngestError: Its shop cannot be ingested.
            KnowledgeError: It cannot be opened.
        """
        folder = self._indexes.folder(index, file).resolve()
        if folder not in self._assistants:
            self._assistants[folder] = self._open(folder, self.clock)
        return self._assistants[folder]

    def close(self) -> None:
        """Close the assistants."""
        for assistant in self._assistants.values():
            assistant.close()
        self._assistants.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def replaying(
    index: str | None = None, ingest: Ingest = ingest_silently, options: GraphOptions | None = None
) -> Iterator[Replayer]:
    """A replayer over real assistants, whose threads and records are thrown away at the end.

    Args:
        index: The index that wins over what fixtures name.
        ingest: How a shop's folder becomes an index.
        options: Thresholds and budgets of a turn; those of the settings if None.

    Raises:
        SettingsError: The settings cannot be used.
    """
    from app.assistant import Assistant  # noqa: PLC0415 - heavy

    settings = Settings.load()
    with TemporaryDirectory(prefix="footnote-replay-") as scratch:
        kept = {"records": Path(scratch) / "records.sqlite", "threads": Path(scratch) / "threads.sqlite"}
        own = settings.model_copy(update=kept | ({"graph": options} if options else {}))
        indexes = Indexes(ingest, given=index, default=settings.index)
        with Replayer(indexes, lambda folder, clock: Assistant.open(str(folder), own, clock)) as replayer:
            yield replayer


@dataclass(frozen=True, slots=True)
class _Asker:
    """Who asks, in which thread."""

    thread: str
    user: User | None


def _turn(assistant: Answering, number: int, asked: FixtureTurn, before: Turn | None, asker: _Asker) -> TurnResult:
    said, failures = asked.user or "", list[Failure]()
    if asked.click is not None:
        said, failures = _clicked(number, asked.click, before)
    turn = None
    start = time.perf_counter()
    try:
        turn = assistant.ask(said, thread=asker.thread, style=asked.style, user=asker.user)
    except Exception as error:  # noqa: BLE001 - whatever breaks a turn is a failed turn, and the next one goes on
        kind = "" if isinstance(error, AppError) else f"{type(error).__name__}: "
        failures.append(Failure(number, "answer", "an answer", f"{kind}{error}"))
    ms = (time.perf_counter() - start) * 1000
    if turn is not None:
        failures += check(number, turn, asked.expect)
    return TurnResult(number, said, asked, turn, failures, ms)


def _clicked(number: int, option: str, before: Turn | None) -> tuple[str, list[Failure]]:
    """The label that is clicked: the option of this name, or the only one that holds it."""
    offered = [*(before.clarification.options if before and before.clarification else [])]
    offered += before.followups if before else []
    equal = [label for label in offered if same(label, option)]
    fitting = equal or [label for label in offered if contains(label, option)]
    if equal or len(fitting) == 1:
        return fitting[0], []
    return option, [Failure(number, "click", option, offered)]
