"""Opening a stranger's files: regular ones alone, and no more of them, or of a line, than the limits allow."""

import os
import stat
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import TextIO

from ingestion.limits import SETTING, ReadingLimits

MEBIBYTE = 2**20
SMALL_FILE_BYTES = MEBIBYTE
"""Most bytes of a file that says how others are to be read: a sidecar, `shop.toml`, `.footnoteignore`."""


class RefusedFileError(Exception):
    """A file that is not read; the message says why and what to do."""


def open_regular(path: Path) -> BufferedReader:
    """Open a file that may have become something else since it was found; a pipe or device is closed unread.

    Raises:
        OSError: It is gone or may not be read.
        RefusedFileError: It is no regular file.
    """
    # Without waiting: a named pipe has an end that nobody may ever open.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        problem = "it is no regular file"
        raise RefusedFileError(problem)
    return os.fdopen(descriptor, "rb")


def read_small(path: Path) -> bytes:
    """Read a file that says how others are to be read.

    Raises:
        OSError: It is gone or may not be read.
        RefusedFileError: It is no regular file, or larger than such files are.
    """
    with open_regular(path) as file:
        data = file.read(SMALL_FILE_BYTES + 1)
    if len(data) > SMALL_FILE_BYTES:
        problem = "it is larger than the 1 MiB of such a file; shorten it"
        raise RefusedFileError(problem)
    return data


def read_bytes(path: Path, limits: ReadingLimits, name: str) -> bytes:
    """Read a whole file, whatever size it was when it was found.

    Args:
        path: The file.
        limits: The limits.
        name: That of its size.

    Raises:
        OSError: It is gone or may not be read.
        RefusedFileError: It is no regular file, or beyond the limit.
    """
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        check_size(size, limits, name)
        return file.read(size)


def check_size(size: int, limits: ReadingLimits, name: str, what: str = "it is {:,.1f} MiB large") -> None:
    """Refuse what is larger than a limit.

    Args:
        size: Its bytes.
        limits: The limits.
        name: That of its size.
        what: Says it, with a place for the mebibytes.

    Raises:
        RefusedFileError: It is larger.
    """
    if size > getattr(limits, name) * MEBIBYTE:
        raise RefusedFileError(limits.beyond(name, what.format(size / MEBIBYTE)))


def text_lines(stream: TextIO, limits: ReadingLimits) -> Iterator[str | None]:
    """The lines with their ends; None for one that is too long, which is passed over."""
    most = limits.row_characters
    while line := stream.readline(most):
        whole = len(line) < most or _ends(line)
        while not whole and (rest := stream.readline(most)):
            line, whole = "", len(rest) < most or _ends(rest)
        yield line if whole and line else None


def long_line(limits: ReadingLimits, what: str = "line") -> str:
    """What is wrong with a line that is too long."""
    return f"a {what} of more than {limits.row_characters:,} characters, ten cells of {SETTING}.cell_characters"


def _ends(line: str) -> bool:
    return line.endswith(("\n", "\r"))
