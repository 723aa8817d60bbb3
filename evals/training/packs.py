"""Public data that parts learn from: named by each part, and not copied into this project."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")


class MissingTrainingDataError(Exception):
    """The data to train on are not where they were said to be, or are not what they should be."""


def read_rows(file: Path, make: Callable[[dict[str, Any]], T], split: str | None = None) -> list[T]:
    """Read the rows of a pack.

    Args:
        file: One JSON object a line.
        make: Makes of a row what is learnt from.
        split: Rows of this split alone; all where it is None.

    Raises:
        MissingTrainingDataError: The file is missing or malformed.
    """
    try:
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        return [make(row) for row in rows if split is None or row["split"] == split]
    except (OSError, ValueError, KeyError, IndexError) as error:
        message = (
            f"{file} cannot be used ({error!r}). Name the folder of the benchmark packs: --bench DIR or FOOTNOTE_BENCH."
        )
        raise MissingTrainingDataError(message) from error
