"""A scripted endpoint, clients of it, and assistants that ask it."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app import Assistant
from app.llm.client import ServedModel
from app.llm.options import LlmOptions
from app.settings import Settings
from tests.app.llm.asking import KEY, Open, Scripted
from tests.app.llm.sensible import sensible
from tests.app.llm.turns import Open as OpenAssistant
from tests.llm_server.server import LlmServer

PATIENT = {"connect_s": 60, "first_token_s": 60, "total_s": 120}
"""A busy machine takes its time; tests of haste say how much."""


class FixedClock:
    """It is always noon of a day in June."""

    def now(self) -> datetime:
        return datetime(2026, 6, 1, 12, tzinfo=UTC)


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
        opened.append(ServedModel(LlmOptions.model_validate(given | PATIENT | changes)))
        return opened[-1]

    yield opens
    for one in opened:
        one.close()


@pytest.fixture(scope="session")
def shared_endpoint() -> Iterator[LlmServer]:
    """The endpoint of all assistants."""
    with LlmServer(Scripted()) as server:
        yield server


@pytest.fixture
def endpoint(shared_endpoint: LlmServer) -> LlmServer:
    """The same, which knows of nothing that was asked before."""
    shared_endpoint.answer = sensible
    for kept in (shared_endpoint.requests, shared_endpoint.headers, shared_endpoint.left, shared_endpoint.finished):
        kept.clear()
    return shared_endpoint


@pytest.fixture(scope="session")
def opens(index: Path, shared_endpoint: LlmServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenAssistant]:
    """Opens assistants over the small shop, one for the same options; None for no model."""
    with ExitStack() as stack:
        opened: dict[str, Assistant] = {}

        def opens(served: bool = True, **options: object) -> Assistant:  # noqa: FBT001, FBT002 - reads well by name
            key = f"{served} {sorted(options.items())}"
            if key not in opened:
                folder = tmp_path_factory.mktemp("assistant")
                given = {"base_url": shared_endpoint.url, "model": shared_endpoint.model, "failures": 10_000, **PATIENT}
                settings = Settings(
                    records=folder / "records.sqlite",
                    threads=folder / "threads.sqlite",
                    llm=LlmOptions.model_validate(given | options if served else {}),
                )
                opened[key] = stack.enter_context(Assistant.open(str(index), settings, FixedClock()))
            return opened[key]

        yield opens


@pytest.fixture
def local(opens: OpenAssistant) -> Assistant:
    """An assistant without a model."""
    return opens(served=False)


@pytest.fixture
def assistant(opens: OpenAssistant, endpoint: LlmServer) -> Assistant:
    """An assistant whose model has all the time it needs."""
    del endpoint
    return opens()


@pytest.fixture
def hasty(opens: OpenAssistant, endpoint: LlmServer) -> Assistant:
    """An assistant that waits for its model no longer than it must."""
    del endpoint
    return opens(first_token_s=0.2, total_s=0.4)
