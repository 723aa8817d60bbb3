"""The assistant of all visitors is opened once a process."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.assistant import Assistant
from app.errors import InputError
from app.ui.shared import SharedAssistant


def test_one_that_cannot_be_opened_is_tried_again_and_then_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([InputError("no index"), object()])
    tried = []

    def open_next() -> object:
        tried.append(next(answers))
        if isinstance(tried[-1], Exception):
            raise tried[-1]
        return tried[-1]

    monkeypatch.setattr(Assistant, "open", open_next)
    shared = SharedAssistant()
    with pytest.raises(InputError):
        shared.get()
    assert not shared.is_open
    with ThreadPoolExecutor(4) as visitors:
        found = list(visitors.map(lambda _: shared.get(), range(8)))
    assert shared.is_open
    assert all(one is tried[1] for one in found)
    assert len(tried) == 2
