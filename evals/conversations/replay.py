"""Replay: a fixture's turns over an index of its shop."""

import hashlib
import os
import re
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Self

from filelock import FileLock

from app import demo
from app.errors import AppError, InputError
from app.settings import HOME, Settings, index_path
from evals.conversations.expectations import Failure, check
from evals.conversations.fixtures import Conversation, FixtureTurn
from evals.metrics.texts import contains, same
from graph.llm.model import LanguageModel
from graph.parts import Clock, Context
from graph.turn import Turn, User
from ingestion.errors import CorruptIndexError, IngestError, KnowledgeError, MissingIndexError
from ingestion.generations import latest_generation

if TYPE_CHECKING:
    from app.assistant import Assistant


class UnsetVariableError(InputError):
    """A fixture names an environment variable that is not set; its conversation is skipped."""

    def __init__(self, variable: str) -> None:
        super().__init__(f"{variable} is not set")


class SettableClock:
    """Shows the machine's time until it is set, and the set time from then on."""

    def __init__(self) -> None:
        self._moment: datetime | None = None

    def set(self, moment: datetime | None) -> None:
        """Stop at a moment; None lets it run again."""
        self._moment = moment

    def now(self) -> datetime:
        """The set moment, or the present one, in UTC."""
        return (self._moment or datetime.now(UTC)).astimezone(UTC)


Ingest = Callable[[Path, Path], object]
"""Makes or brings up to date the index (second) of a shop's folder (first); quick where nothing has changed."""

BESIDE = "shop"
"""Name of the folder beside a fixture that is ingested for it."""

_VARIABLE = re.compile(r"\$\{?(\w+)\}?")


class Indexes:
    """Resolves what fixtures call their index to the folder of one that is ready."""

    def __init__(self, ingest: Ingest, *, given: str | None = None, default: str | None = None) -> None:
        """Prepare for one run.

        Args:
            ingest: How a shop's folder becomes an index.
            given: The index that wins over what fixtures say: a name or path.
            default: The index of fixtures that name none and have no shop beside them.
        """
        self._ingest = ingest
        self._given = given
        self._default = default
        self._made: dict[Path, Path] = {}

    def folder(self, name: str | None, fixture: Path) -> Path:
        """The index folder for a fixture.

        Args:
            name: What the fixture says after `index:`; `$VARIABLE` stands for an environment variable.
            fixture: The fixture's file.

        Raises:
            UnsetVariableError: The name holds a variable that is not set.
            InputError: It is neither an index nor a shop, and none lies beside the fixture.
        """
        if self._given is not None:
            return self._found(self._given, fixture) or index_path(self._given)
        if name is not None and (found := self._found(_expanded(name), fixture)):
            return found
        beside = fixture.parent / BESIDE
        if beside.is_dir():
            return self._of_shop(beside)
        if name is None and self._default is not None:
            return index_path(self._default)
        msg = (
            f"There is no index {name or ''!r}, and no folder shop/ beside the fixture in {fixture.parent} to make it "
            "from. Name a built index, a shop's folder or `demo`, or give --index."
        )
        raise InputError(msg)

    def _found(self, name: str, fixture: Path) -> Path | None:
        if name == demo.NAME:
            return self._made_from(demo.shop_path(), index_path(name))
        places = [index_path(name), Path(name), fixture.parent / name]
        if built := next((place for place in places if _is_index(place)), None):
            return built
        folder = next((place for place in places[1:] if place.is_dir()), None)
        return self._of_shop(folder) if folder else None

    def _of_shop(self, shop: Path) -> Path:
        shop = shop.resolve()
        digest = hashlib.sha256(str(shop).encode()).hexdigest()[:12]
        return self._made_from(shop, HOME / "shops" / f"{shop.name}-{digest}")

    def _made_from(self, shop: Path, folder: Path) -> Path:
        """The index of a shop, made at most once a run, and by one process while the others wait."""
        if folder not in self._made:
            folder.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(f"{folder}.lock"):
                self._ingest(shop, folder)
            self._made[folder] = folder
        return self._made[folder]


def ingest_silently(shop: Path, folder: Path) -> None:
    """Bring the index of a shop's folder up to date."""
    from app.cli.index import ingest_with_progress  # noqa: PLC0415 - heavy

    ingest_with_progress([shop], folder, quiet=True)


def _is_index(folder: Path) -> bool:
    try:
        latest_generation(folder)
    except MissingIndexError:
        return False
    except CorruptIndexError:
        return True  # opening it says what is wrong
    return True


def _expanded(name: str) -> str:
    for variable in _VARIABLE.findall(name):
        if not os.environ.get(variable):
            raise UnsetVariableError(variable)
    return os.path.expandvars(name)


OpenAssistant = Callable[[Path, Clock], "Assistant"]
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
        self._assistants: dict[Path, Assistant] = {}
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

    def assistant(self, index: str | None, file: Path) -> "Assistant":
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
    index: str | None = None, ingest: Ingest = ingest_silently, settings: Settings | None = None
) -> Iterator[Replayer]:
    """A replayer over real assistants, whose threads and records are thrown away at the end.

    Args:
        index: The index that wins over what fixtures name.
        ingest: How a shop's folder becomes an index.
        settings: What is answered with; those of the environment if None.

    Raises:
        SettingsError: The settings cannot be used.
    """
    from app.assistant import Assistant  # noqa: PLC0415 - heavy

    with (settings or Settings.load()).scratch() as scratch:
        indexes = Indexes(ingest, given=index, default=scratch.index)
        with Replayer(indexes, lambda folder, clock: Assistant.open(str(folder), scratch, clock)) as replayer:
            yield replayer


@contextmanager
def shop_context(folder: Path, model: LanguageModel | None = None, **changes: object) -> Iterator[Context]:
    """The parts of turns over a shop's folder, whose index and records are thrown away at the end.

    Args:
        folder: The files of the shop.
        model: The served model that is asked; that of the settings if None.
        changes: Settings that differ.
    """
    from app.wiring import Wiring  # noqa: PLC0415 - heavy

    with Settings.load().scratch(**changes) as settings:
        index = settings.records.parent / "index"
        ingest_silently(folder, index)
        with closing(Wiring(index, settings, model=model)) as wiring:
            yield wiring.current


@dataclass(frozen=True, slots=True)
class _Asker:
    """Who asks, in which thread."""

    thread: str
    user: User | None


def _turn(assistant: "Assistant", number: int, asked: FixtureTurn, before: Turn | None, asker: _Asker) -> TurnResult:
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
