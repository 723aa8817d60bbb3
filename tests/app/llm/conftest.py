"""A scripted endpoint and clients of it."""

from collections.abc import Iterator

import pytest

from app.llm.client import ServedModel
from app.llm.options import LlmOptions
from tests.app.llm.asking import KEY, Open, Scripted
from tests.llm_server.server import LlmServer


@pytest.fixture
def scripted() -> Scripted:
    return Scripted()


@pytest.fixture
def llm(scripted: Scripted) -> Iterator[LlmServer]:
    """An endpoint on loopback that wants a key."""
    with LlmServer(scripted, api_key=KEY) as server:
        yield server


@pytest.fixture
def model(llm: LlmServer) -> Iterator[Open]:
    """Opens clients of the endpoint, with changed options."""
    opened: list[ServedModel] = []

    def opens(**changes: object) -> ServedModel:
        given = {"base_url": llm.url, "model": llm.model, "api_key": KEY}
        opened.append(ServedModel(LlmOptions.model_validate(given | changes)))
        return opened[-1]

    yield opens
    for one in opened:
        one.close()
