"""The SQLite files: opened for all threads of a process, and readable by nobody else on the machine."""

import os
import sqlite3
from contextlib import AbstractContextManager, closing, suppress
from pathlib import Path
from typing import Any, cast

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session, sessionmaker

from app.errors import UnwritableRecordsError

OWN_FILE, OWN_FOLDER = 0o600, 0o700
WAIT_S = 30
"""How long one who writes waits for another."""
MIGRATIONS = Path(__file__).parent / "migrations"


def open_database(path: Path) -> sqlite3.Connection:
    """Open a SQLite file for all threads of this process and beside other processes.

    What is deleted from it is overwritten, and only the user that we run as can read it.

    Raises:
        UnwritableRecordsError: The folder or file cannot be written, or is no database.
    """
    try:
        _make_private(path)
        connection = sqlite3.connect(path, timeout=WAIT_S, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise UnwritableRecordsError(path, str(error)) from error
    try:
        _prepare(connection)
    except sqlite3.Error as error:
        connection.close()
        raise UnwritableRecordsError(path, str(error)) from error
    return connection


class Store:
    """The database of the records, in sessions of SQLAlchemy. Safe to share among the threads of a process."""

    def __init__(self, engine: Engine) -> None:
        self._readers = sessionmaker(engine, expire_on_commit=False)
        self._writers = sessionmaker(engine.execution_options(writes=True), expire_on_commit=False)
        self._engine = engine

    def reading(self) -> AbstractContextManager[Session]:
        """A session that sees one state of the file."""
        return self._readers.begin()

    def writing(self) -> AbstractContextManager[Session]:
        """A session that holds the file for writing from its beginning on; what it did stands once it ends well."""
        return self._writers.begin()

    def vacuum(self) -> bool:
        """Write the file anew without what was deleted from it; whether nobody was in the way.

        Raises:
            sqlite3.OperationalError: Somebody else writes.
        """
        with closing(self._engine.raw_connection()) as pooled:
            return vacuum(cast("sqlite3.Connection", pooled.driver_connection))

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()


def vacuum(connection: sqlite3.Connection) -> bool:
    """As `Store.vacuum`; the log of changes is emptied, too."""
    connection.execute("VACUUM")
    return not connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]


def open_records(path: Path) -> Store:
    """Open the file of the records as `open_database` does, with the tables of today: older files are brought to them.

    Raises:
        UnwritableRecordsError: The folder or file cannot be written, is no database, or was made by a later version.
    """
    try:
        _make_private(path)
    except OSError as error:
        raise UnwritableRecordsError(path, str(error)) from error
    engine = create_engine(URL.create("sqlite", database=str(path)), connect_args={"timeout": WAIT_S})
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _on_begin)
    try:
        with engine.execution_options(writes=True).begin() as connection:
            _migrate(connection)
    except (SQLAlchemyError, sqlite3.Error, CommandError) as error:
        engine.dispose()
        raise UnwritableRecordsError(path, str(getattr(error, "orig", error))) from error
    return Store(engine)


def _migrate(connection: Connection) -> None:
    """Bring the tables to those of today; alembic is asked only where they are not."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    latest = ScriptDirectory.from_config(config).get_current_head()
    if MigrationContext.configure(connection).get_current_revision() != latest:
        command.upgrade(config, "head")


def _on_connect(connection: Any, _: object) -> None:  # noqa: ANN401 - of whatever driver
    # Transactions begin where SQLAlchemy says so, not where the driver guesses.
    connection.isolation_level = None
    _prepare(connection)
    connection.execute("PRAGMA foreign_keys=ON")


def _on_begin(connection: Connection) -> None:
    # Held for writing from its first statement on, nobody has to begin anew.
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _prepare(connection: Any) -> None:  # noqa: ANN401 - of whatever driver
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA secure_delete=ON")


def _make_private(path: Path) -> None:
    make_private_folder(path.parent)
    make_private_file(path)


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
    # A file that exists is not even opened: closing it would give up the locks that this process holds on it.
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, OWN_FILE))
    for file in (path, *(path.with_name(path.name + suffix) for suffix in ("-wal", "-shm", "-journal"))):
        # A file of somebody else, who let us write it, is theirs to close; one may go between two looks.
        with suppress(PermissionError, FileNotFoundError):
            file.chmod(OWN_FILE)
