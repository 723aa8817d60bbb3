"""The SQLite files: opened for all threads of a process, and readable by nobody else on the machine."""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path

from app.errors import UnwritableRecordsError

OWN_FILE, OWN_FOLDER = 0o600, 0o700


def open_database(path: Path) -> sqlite3.Connection:
    """Open a SQLite file for all threads of this process and beside other processes.

    What is deleted from it is overwritten, and only the user that we run as can read it.

    Raises:
        UnwritableRecordsError: The folder or file cannot be written, or is no database.
    """
    try:
        make_private_folder(path.parent)
        make_private_file(path)
        connection = sqlite3.connect(path, timeout=30, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise UnwritableRecordsError(path, str(error)) from error
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA secure_delete=ON")
    except sqlite3.Error as error:
        connection.close()
        raise UnwritableRecordsError(path, str(error)) from error
    return connection


def make_private_folder(folder: Path) -> None:
    """Make a folder that only its owner enters; of those that exist, our own `.footnote` is tightened.

    Raises:
        OSError: It cannot be made.
    """
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=OWN_FOLDER, exist_ok=True)
    elif folder.name == ".footnote":
        with suppress(PermissionError):
            folder.chmod(OWN_FOLDER)


def make_private_file(path: Path) -> None:
    """Make a file that only its owner reads, or tighten one that exists, with what SQLite keeps beside it.

    Raises:
        OSError: It cannot be made.
    """
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, OWN_FILE))
    for file in (path, *(path.with_name(path.name + suffix) for suffix in ("-wal", "-shm", "-journal"))):
        # A file of somebody else, who let us write it, is theirs to close; one may go between two looks.
        with suppress(PermissionError, FileNotFoundError):
            file.chmod(OWN_FILE)
