"""Assistants over a served model that is watched; what they remember and record is thrown away."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from app.assistant import Assistant
from app.llm.options import LlmOptions
from app.llm.wiring import served_model
from app.settings import Settings, index_path
from app.storage.databases import open_database
from app.wiring import Wiring
from evals.rows.model_readings import NoModelError
from evals.served.observed_model import ObservedModel


@contextmanager
def observed_assistant(index: str, llm: LlmOptions, lead: str = "") -> Iterator[tuple[Assistant, ObservedModel]]:
    """Open one.

    Args:
        index: Name or folder of the index.
        llm: The endpoint.
        lead: Begins each prompt.

    Raises:
        NoModelError: The settings name no endpoint.
        SettingsError: The settings cannot be used.
        KnowledgeError: The index is missing or damaged.
    """
    served = served_model(llm)
    if served is None:
        raise NoModelError
    model = ObservedModel(served, lead)
    with TemporaryDirectory(prefix="footnote-served-") as scratch:
        kept = {"records": Path(scratch) / "records.sqlite", "threads": Path(scratch) / "threads.sqlite", "llm": llm}
        settings = Settings.load().model_copy(update=kept)
        wiring = Wiring(index_path(index), settings, model=model)
        with Assistant(wiring, open_database(settings.threads)) as assistant:
            yield assistant, model
