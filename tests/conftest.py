"""What all tests share: one small shop, ingested once a run."""

from pathlib import Path

import pytest

from ingestion.ingest import ingest

pytest_plugins = ["evals.pytest_plugin"]

SHOP = Path(__file__).parent / "shop"


@pytest.fixture(scope="session")
def shop() -> Path:
    """The small shop's files."""
    return SHOP


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the small shop, with the real embedding model."""
    folder = tmp_path_factory.mktemp("index")
    ingest([SHOP], folder, strict=True)
    return folder
