"""Where the benchmark packs lie."""

import os
from pathlib import Path

from app.errors import InputError

VARIABLE = "FOOTNOTE_BENCH"


class MissingPackError(InputError):
    """A benchmark pack is needed and not there."""

    def __init__(self, name: str) -> None:
        where = os.environ.get(VARIABLE)
        found = f"{where} holds no {name}" if where else f"{VARIABLE} is not set"
        super().__init__(f"{found}. Set {VARIABLE} to the folder that holds the benchmark pack {name}.")


def pack(name: str) -> Path:
    """The folder of a pack.

    Raises:
        MissingPackError: There is none.
    """
    folder = os.environ.get(VARIABLE)
    if not folder or not (Path(folder) / name).is_dir():
        raise MissingPackError(name)
    return Path(folder) / name


def packs(pattern: str) -> list[Path]:
    """The folders of all packs whose names match a pattern such as `ranking-*`, by name.

    Raises:
        MissingPackError: There is none.
    """
    folder = os.environ.get(VARIABLE)
    found = sorted(path for path in Path(folder).glob(pattern) if path.is_dir()) if folder else []
    if not found:
        raise MissingPackError(pattern)
    return found
