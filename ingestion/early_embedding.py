"""Embedding in the background what has been read while more is being read, into an index that knows nothing yet."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from ingestion.cache_file import opened
from ingestion.embedding_cache import BATCH, Recipe, embed_texts
from ingestion.evidence import Evidence


class EarlyEmbedding:
    """Takes evidence as it is read, and puts its embeddings into the cache batch by batch.

    Attributes:
        fresh: Texts that were embedded; it stands when the last batch is done.
    """

    def __init__(self, index: Path, recipe: Recipe, background: ThreadPoolExecutor | None) -> None:
        self._index, self._recipe, self._background = index, recipe, background
        self._waiting: list[Evidence] = []
        self._batches: list[Future[int]] = []
        self.fresh = 0

    def take(self, evidence: Evidence) -> None:
        """Take one that was read."""
        if self._background is None:
            return
        self._waiting.append(evidence)
        if len(self._waiting) >= BATCH:
            self._batches.append(self._background.submit(self._embed, self._waiting))
            self._waiting = []

    def settle(self) -> None:
        """Let what is under way come to its end; what has not begun is left to the run itself."""
        self.fresh = sum(batch.result() for batch in self._batches if not batch.cancel())

    def _embed(self, evidence: list[Evidence]) -> int:
        with opened(self._index) as cache:
            return embed_texts(cache, evidence, self._recipe)


@contextmanager
def early_embedding(index: Path, recipe: Recipe, *, active: bool) -> Iterator[EarlyEmbedding]:
    """Embed early until the block ends.

    Args:
        index: The index folder.
        recipe: How evidence becomes vectors.
        active: Whether to; where most is known already, asking for it piece by piece would cost more than it saves.
    """
    with ThreadPoolExecutor(1) as background:
        early = EarlyEmbedding(index, recipe, background if active else None)
        try:
            yield early
            early.settle()
        finally:
            background.shutdown(cancel_futures=True)
