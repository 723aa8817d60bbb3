"""Of every turn of a fixture holds what always holds of a turn (contract, section 3), whatever the fixture expects."""

from collections.abc import Generator

import pytest

from evals.pytest_plugin import ConversationItem, opened_replayer
from tests.invariants import violations_of


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Look at what was just replayed."""
    done = yield
    assert isinstance(item, ConversationItem)
    assert item.result
    assert item.result.turns
    assistant = opened_replayer(item.config).assistant(item.conversation.index, item.path)
    broken = [
        f"{one.said}\n    {message}"
        for one in item.result.turns
        if one.turn
        for message in violations_of(assistant, one.turn, one.asked.style)
    ]
    assert not broken, "\n".join(broken)
    return done
