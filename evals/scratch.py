"""Settings under which nothing that is asked leaves a trace."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from app.settings import Settings


@contextmanager
def scratch_settings(**changes: object) -> Iterator[Settings]:
    """The settings with some changes, threads and records in a folder of its own, which is gone at the end.

    Raises:
        SettingsError: They cannot be used.
    """
    with TemporaryDirectory(prefix="footnote-") as folder:
        kept = {name: Path(folder) / f"{name}.sqlite" for name in ("records", "threads")}
        yield Settings.load().model_copy(update=kept | changes)
