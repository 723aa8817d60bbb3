"""The SQLite files, as several in one process and several processes open them."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path

from app.storage.databases import open_database

CLOSE = """
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as connection:
    connection.execute("SELECT * FROM said")
connection.close()
"""


def test_another_process_does_not_end_what_is_open_twice_here(tmp_path: Path) -> None:
    path = tmp_path / "threads.sqlite"
    with closing(open_database(path)) as first:
        first.execute("CREATE TABLE said (text)")
        first.commit()
        with closing(open_database(path)) as second:
            second.execute("SELECT * FROM said")
        # The last to close removes the log; it can only tell by the locks of the others.
        subprocess.run([sys.executable, "-c", CLOSE, str(path)], check=True)  # noqa: S603 - our own program
        assert path.with_name("threads.sqlite-wal").exists()
        first.execute("INSERT INTO said VALUES ('it')")
        first.commit()
    with closing(open_database(path)) as later:
        assert later.execute("SELECT text FROM said").fetchall() == [("it",)]
