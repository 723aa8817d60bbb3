"""A served model that says nothing true, started once a run."""

import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from tests.system.vllm.server import PYTHON, VllmServer


@pytest.fixture(scope="session")
def random_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a small model with random weights."""
    from tests.system.vllm.random_model import build_random_model  # noqa: PLC0415 - heavy

    folder = tmp_path_factory.mktemp("model")
    build_random_model(folder)
    return folder


@pytest.fixture(scope="session")
def vllm_process(random_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[VllmServer]:
    """The server of all tests, with prefix caching."""
    if not PYTHON.exists():
        missing = "vLLM is not installed (make .venv-vllm/installed)"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    server = VllmServer(random_model, tmp_path_factory.mktemp("vllm") / "server.log")
    try:
        server.start()
        yield server
    finally:
        server.stop()


@pytest.fixture
def vllm(vllm_process: VllmServer) -> VllmServer:
    """The server, started again if the test before left it dead."""
    if not vllm_process.alive:
        vllm_process.start()
    return vllm_process


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    server = getattr(item, "funcargs", {}).get("vllm")
    if report.failed and isinstance(server, VllmServer):
        report.sections.append(("vLLM log", server.log_tail()))
    return report
