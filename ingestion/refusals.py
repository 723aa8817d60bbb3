"""Saying in our words what a disk refuses."""

import errno
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ingestion.errors import DiskFullError, IngestError, KnowledgeError, RefusedWriteError, UnwritableIndexError

_FULL = re.compile(r"disk is full|disk full|no space left|quota exceeded", re.IGNORECASE)
_REFUSED = re.compile(r"disk i/o error|file too large|input/output error", re.IGNORECASE)


@contextmanager
def explained(index: Path) -> Iterator[None]:
    """Turn what the disk refuses while an index is written into errors for people.

    Raises:
        DiskFullError: It is full.
        RefusedWriteError: It refuses a write for another reason, such as the size of the file.
        UnwritableIndexError: The folder cannot be written.
    """
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise DiskFullError(index) from error
        if error.errno in {errno.EFBIG, errno.EIO}:
            raise RefusedWriteError(index, (error.strerror or str(error)).lower()) from error
        raise UnwritableIndexError(index, error.strerror or str(error)) from error
    except (IngestError, KnowledgeError):
        raise
    except Exception as error:
        # SQLite, Chroma and tantivy have errors of their own for these, told apart by their words alone.
        if _FULL.search(str(error)):
            raise DiskFullError(index) from error
        if refused := _REFUSED.search(str(error)):
            raise RefusedWriteError(index, refused[0].lower()) from error
        if isinstance(error, sqlite3.OperationalError):
            raise UnwritableIndexError(index, str(error)) from error
        raise
