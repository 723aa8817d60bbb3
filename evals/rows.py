"""The rows that a component is scored on, one JSON object a line, and the packs that hold them."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.errors import InputError

VARIABLE = "FOOTNOTE_BENCH"
"""Names the folder of the benchmark packs."""


def pack(name: str) -> Path:
    """The folder of a pack.

    Raises:
        InputError: There is none.
    """
    folder = os.environ.get(VARIABLE)
    if not folder or not (Path(folder) / name).is_dir():
        found = f"{folder} holds no {name}" if folder else f"{VARIABLE} is not set"
        message = f"{found}. Set {VARIABLE} to the folder that holds the benchmark pack {name}."
        raise InputError(message)
    return Path(folder) / name


@dataclass(frozen=True, slots=True)
class Request:
    """What to evaluate on.

    Attributes:
        data: A file of rows, or a folder of fixtures.
        index: Name or path of the index, where the component needs one.
        split: Only the rows with this `split`.
        train: Rows to fit a fresh model on, where the component is a model.
        val: Rows to calibrate that model on.
    """

    data: Path
    index: str | None = None
    split: str | None = None
    train: Path | None = None
    val: Path | None = None

    def needed_index(self, component: str) -> str:
        """The index, for a component that reads one.

        Raises:
            InputError: None is named.
        """
        if self.index is None:
            message = (
                f"The {component} evaluation reads an index. Name one with --index. "
                "Make one with: footnote ingest PATH --index DIR"
            )
            raise InputError(message)
        return self.index


_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Row(BaseModel):
    """What rows of all components may have; columns that nobody asked for are left out.

    Attributes:
        split: The part of the data the row belongs to, such as `train` or `test`.
    """

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    split: str | None = None


class Message(BaseModel):
    """What was said before a question; `role` is `user`, or whoever answers."""

    model_config = ConfigDict(frozen=True)

    role: str
    content: str


FULL = 2
"""Relevance of evidence that answers the question alone; 1 helps, 0 does not."""


class Lookup(Row):
    """A name or a whole question, and the products it means; empty where none is sold here."""

    id: str
    query: str
    gold: list[str]


class Utterance(Row):
    """A text and its label; `oos` where none applies."""

    text: str
    label: str


class RewritingRow(Row):
    """A question, what was said before it, and how people say it alone.

    Attributes:
        gold: Standalone questions; the likest one counts, for BLEU the first.
        context: Titles of the open page.
    """

    id: str
    query: str
    history: list[Message] = Field(default_factory=list)
    gold: list[str] = Field(min_length=1)
    context: list[str] = Field(default_factory=list)


class Candidate(BaseModel):
    """Evidence that may answer the question."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    id: str
    text: str
    source_type: str | None = None


class RankingRow(Row):
    """A question, its candidates, and how relevant each is.

    Attributes:
        relevance: Candidate id to relevance; a candidate that is not named has 0.
    """

    id: str
    query: str
    candidates: list[Candidate]
    relevance: dict[str, Annotated[int, Field(ge=0, le=FULL)]]


def said_in(history: Sequence[Message]) -> list[dict[str, str]]:
    """The same as plain data, which the graph reads."""
    return [message.model_dump() for message in history]


R = TypeVar("R", bound=Row)


def read_rows(file: Path, kind: type[R], split: str | None = None) -> list[R]:
    """Read rows of one kind, in the file's order.

    Args:
        file: One JSON object a line; blank lines are passed over.
        kind: The columns a row has.
        split: Only the rows with this `split`; all rows are checked all the same.

    Raises:
        InputError: There is no such file; it is a folder, may not be read, or is empty; a line is no JSON object, lacks
            a column or has a wrong value in one; or no row has the split.
    """
    rows = list(_parsed(file, kind))
    if not rows:
        message = f"{file} has no rows. Name a file with one JSON object a line."
        raise InputError(message)
    chosen = [row for row in rows if split is None or row.split == split]
    if split is not None and not chosen:
        known = sorted({row.split for row in rows if row.split is not None})
        there = f"Its splits are: {', '.join(known)}." if known else "Its rows have no splits; leave --split out."
        message = f"No row of {file} has the split {split!r}. {there}"
        raise InputError(message)
    return chosen


def _parsed(file: Path, kind: type[R]) -> Iterator[R]:
    # Bytes, because a line of text may also end where a JSON string holds a Unicode line separator.
    for number, line in enumerate(_content(file).split(b"\n"), start=1):
        if line.strip():
            try:
                yield kind.model_validate_json(line)
            except ValidationError as error:
                message = f"{file}:{number}: {_reason(error)}. A row has {_columns(kind)}."
                raise InputError(message) from error


def _content(file: Path) -> bytes:
    if not file.exists():
        message = f"{file} does not exist. Name the rows to evaluate on with --data."
        raise InputError(message)
    try:
        return file.read_bytes().removeprefix(_BYTE_ORDER_MARK)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        message = f"{file} cannot be read: {reason}. Name a file with one JSON object a line."
        raise InputError(message) from error


def _reason(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    place = ".".join(map(str, first["loc"]))
    reason = first["msg"].replace("at line 1 column", "at column")
    return f"{place}: {reason}" if place else reason


def _columns(kind: type[Row]) -> str:
    """The columns in words: what a row must have, and what it may."""
    needed = [name for name, field in kind.model_fields.items() if field.is_required()]
    free = [name for name, field in kind.model_fields.items() if not field.is_required()]
    return f"{', '.join(needed)}, and may have {', '.join(free)}"
