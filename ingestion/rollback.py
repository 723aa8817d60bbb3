"""Letting an earlier generation answer again."""

from pathlib import Path

from ingestion.errors import explained
from ingestion.generations import answer_from, find_generation, generation_before, latest_generation
from ingestion.knowledge import check_readable
from ingestion.writer_lock import LOCK_WAIT_SECONDS, Waiting, silent, writing


def roll_back(
    index: Path, to: str | None = None, wait_seconds: float = LOCK_WAIT_SECONDS, waiting: Waiting = silent
) -> tuple[str, str]:
    """Let an earlier generation answer again; nothing is removed.

    The next ingest compares the files with the generation that answers then. Where they are still those of the
    generation that was left, they come back as a new one, and the run says what that changes.

    Args:
        index: The index folder.
        to: The generation; by default the one that answered before the present one.
        wait_seconds: How long to wait for a run that writes the index.
        waiting: Told about the wait.

    Returns:
        The generation that answered until now, and the one that answers now.

    Raises:
        MissingIndexError: There is no index.
        MissingGenerationError: It has no such generation, or no longer.
        NoEarlierGenerationError: Nothing answered before the present one.
        CorruptIndexError: The generation is damaged; the present one goes on answering.
        IngestError: The index cannot be written.
    """
    latest_generation(index)
    with explained(index), writing(index, wait_seconds, waiting):
        before = latest_generation(index)
        name = find_generation(index, to or generation_before(index, before)).name
        check_readable(index, name)
        answer_from(index, name)
    return before, name
