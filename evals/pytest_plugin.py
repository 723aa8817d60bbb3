"""A pytest plugin: every `*.conversation.yaml` is a test that replays it.

A run has one replayer, so that each index is opened once; the fixture `replayer` shares it with other tests.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest._code.code import TerminalRepr, TracebackStyle  # for the type checker alone; pytest exports neither

    from evals.conversations.fixtures import Conversation
    from evals.conversations.replay import ConversationResult, Replayer

SUFFIX = ".conversation.yaml"

_OPENED = pytest.StashKey[tuple["Replayer", ExitStack]]()


class ConversationFailedError(Exception):
    """Expectations of a fixture do not hold."""

    def __init__(self, result: "ConversationResult") -> None:
        from evals.conversations.replay_output import describe_failures  # noqa: PLC0415 - only when one fails

        super().__init__(describe_failures(result))


class ConversationFile(pytest.File):
    """A fixture file."""

    def collect(self) -> Iterator["ConversationItem"]:
        """Read the fixture; a malformed one is a collection error."""
        from app.errors import AppError  # noqa: PLC0415 - only where there are fixtures
        from evals.conversations.fixtures import load_fixture  # noqa: PLC0415

        try:
            conversation = load_fixture(self.path)
        except AppError as error:
            raise self.CollectError(str(error)) from error
        yield ConversationItem.from_parent(self, name=conversation.name, conversation=conversation)


class ConversationItem(pytest.Item):
    """One conversation.

    Attributes:
        conversation: The fixture.
        result: What its replay came to; None before.
    """

    def __init__(self, *, conversation: "Conversation", name: str, parent: pytest.Collector) -> None:
        super().__init__(name=name, parent=parent)
        self.conversation = conversation
        self.result: ConversationResult | None = None

    def runtest(self) -> None:
        """Replay it."""
        self.result = result = opened_replayer(self.config).run(self.path, self.conversation)
        if result.skipped:
            pytest.skip(result.skipped)
        if result.failures:
            raise ConversationFailedError(result)

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: "TracebackStyle | None" = None
    ) -> "str | TerminalRepr":
        """What failed, in the fixture's own terms."""
        if isinstance(excinfo.value, ConversationFailedError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where it stands."""
        return self.path, None, self.name


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect fixtures."""
    if file_path.name.endswith(SUFFIX):
        return ConversationFile.from_parent(parent, path=file_path)
    return None


def opened_replayer(config: pytest.Config) -> "Replayer":
    """The replayer of this run."""
    if _OPENED not in config.stash:
        from evals.conversations.replay import replaying  # noqa: PLC0415 - heavy

        stack = ExitStack()
        config.stash[_OPENED] = stack.enter_context(replaying()), stack
    return config.stash[_OPENED][0]


def pytest_unconfigure(config: pytest.Config) -> None:
    """Close what was opened."""
    if _OPENED in config.stash:
        config.stash[_OPENED][1].close()


@pytest.fixture(scope="session")
def replayer(pytestconfig: pytest.Config) -> "Replayer":
    """The replayer of this run."""
    return opened_replayer(pytestconfig)
