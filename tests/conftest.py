"""What all tests share: one small shop, ingested once a run."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from ingestion.ingest import ingest
from ingestion.statement_encoder import shared_statement_encoder

pytest_plugins = ["evals.pytest_plugin"]

SHOP = Path(__file__).parent / "shop"

# No test depends on how fast the machine is; what happens at the limit is tested with one of its own.
os.environ.setdefault("FOOTNOTE_TURN_S", "600")
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")


@pytest.fixture(scope="session")
def shop() -> Path:
    """The small shop's files."""
    return SHOP


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the small shop, with the real embedding models."""
    folder = tmp_path_factory.mktemp("index")
    ingest([SHOP], folder, strict=True, statements=shared_statement_encoder())
    return folder
