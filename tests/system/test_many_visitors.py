"""Ten visitors at once, and somebody of the shop beside them: nothing crosses and nothing is lost."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.system.load import visited
from tests.system.visits import Serve

pytestmark = pytest.mark.system

VISITORS, SECONDS = 10, 20.0


@pytest.mark.usefixtures("chromium")
def test_ten_visitors_keep_their_own_conversations_and_all_their_thumbs(
    index: Path, serve: Serve, tmp_path: Path
) -> None:
    records = tmp_path / "records.sqlite"
    address = serve(index, FOOTNOTE_RECORDS=str(records), FOOTNOTE_THREADS=str(tmp_path / "threads.sqlite"))
    load = asyncio.run(visited(address, visitors=VISITORS, seconds=SECONDS))
    assert load.crossed == []
    with closing(sqlite3.connect(records)) as kept:
        (thumbs,) = kept.execute("SELECT count(*) FROM feedback WHERE thumb = 'down'").fetchone()
        (owners,) = kept.execute("SELECT count(DISTINCT owner) FROM threads").fetchone()
    assert (thumbs, owners) == (load.thumbs, VISITORS)
