"""Embeddings by the hash of their text, so that a re-run embeds only what changed."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ingestion.cache_file import CacheFile, Pieces, opened
from ingestion.encoder import DIMENSIONS, Vectors
from ingestion.evidence import Evidence
from ingestion.generations import Progress, silent

BATCH = 512
"""Texts embedded between two steps of the progress, and between two commits."""


class TextEncoder(Protocol):
    """What ingestion needs of an embedding model."""

    @property
    def fingerprint(self) -> str:
        """Name and revision of the model."""
        ...

    @property
    def max_tokens(self) -> int:
        """Length of the model's window, special tokens included."""
        ...

    def count_tokens(self, text: str) -> int:
        """Tokens of a text."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Embed texts as unit vectors."""
        ...


@dataclass(frozen=True, slots=True)
class Recipe:
    """How evidence becomes vectors.

    Attributes:
        encoder: The embedding model.
        texts: The texts whose mean stands for an evidence.
        version: Changes whenever `texts` gives other texts for the same evidence.
    """

    encoder: TextEncoder
    texts: Callable[[Evidence], Sequence[str]]
    version: str

    def key(self, evidence: Evidence) -> bytes:
        """Hash of all that decides what is embedded of an evidence; the rest of it may change freely."""
        parts = (self.encoder.fingerprint, self.version, evidence.title, evidence.section, evidence.keywords)
        return hashlib.sha256(repr((*parts, evidence.text)).encode()).digest()

    def text_key(self, text: str) -> bytes:
        """Hash that decides the vector of a text."""
        return hashlib.sha256(f"{self.encoder.fingerprint}\n{text}".encode()).digest()

    def pieces(self, evidence: Evidence, texts: Sequence[str]) -> Pieces:
        """How an evidence is embedded."""
        tokens = self.encoder.count_tokens(evidence.text)
        return Pieces(self.key(evidence), tokens, [self.text_key(text) for text in texts])


@dataclass(frozen=True, slots=True)
class EmbeddedStatements:
    """The statements of a sequence of evidence, embedded.

    Attributes:
        vectors: Of each evidence the vectors of its statements, in half precision, one behind the other.
        keys: Under which the cache knows them.
    """

    vectors: Sequence[bytes]
    keys: Sequence[bytes]


@dataclass(frozen=True, slots=True)
class Embedded:
    """A sequence of evidence, embedded.

    Attributes:
        vectors: Unit vectors, one for each.
        tokens: Tokens of their own texts.
        keys: Under which the cache knows them.
        fresh: Number of texts that had to be embedded.
        statements: Its statements; where None, they are embedded when they are first read.
    """

    vectors: Vectors
    tokens: NDArray[np.int32]
    keys: Sequence[bytes]
    fresh: int
    statements: EmbeddedStatements | None = None


def embed(cache: CacheFile, evidence: Sequence[Evidence], recipe: Recipe, progress: Progress) -> Embedded:
    """Embed evidence through the cache of an index.

    Each batch is kept as soon as it is done: a run that is killed goes on where it stopped.

    Args:
        cache: The cache.
        evidence: What to embed.
        recipe: How to.
        progress: Called with the texts embedded and those to embed in all.
    """
    keys = [recipe.key(one) for one in evidence]
    distinct = dict(zip(keys, evidence, strict=True))
    rows = {key: row for row, key in enumerate(distinct)}
    vectors = np.zeros((len(rows), DIMENSIONS), dtype=np.float32)
    tokens = np.zeros(len(rows), dtype=np.int32)

    def fill(wanted: Mapping[bytes, Evidence]) -> dict[bytes, Evidence]:
        """Fill in what the cache knows; the rest is left."""
        unknown = dict(wanted)
        for key, count, pieces in cache.embedded(list(wanted)):
            if pieces.shape[1] != DIMENSIONS:
                continue  # another model's
            del unknown[key]
            tokens[rows[key]] = count
            vectors[rows[key]] = pieces[0] if len(pieces) == 1 else _mean(pieces)
        return unknown

    unknown = fill(distinct)
    fresh = embed_texts(cache, list(unknown.values()), recipe, progress)
    fill(unknown)
    if len(rows) == len(keys):
        return Embedded(vectors, tokens, keys, fresh)
    order = [rows[key] for key in keys]
    return Embedded(vectors[order], tokens[order], keys, fresh)


def embed_texts(cache: CacheFile, evidence: Sequence[Evidence], recipe: Recipe, progress: Progress = silent) -> int:
    """Put the embeddings of all texts of evidence into the cache; returns how many had to be made."""
    groups = [recipe.texts(one) for one in evidence]
    cache.keep_pieces(map(recipe.pieces, evidence, groups))
    keys = {text: recipe.text_key(text) for group in groups for text in group}
    known = cache.known_texts(list(keys.values()))
    # Long texts come first, so that batches are even and the time that is left is not underestimated.
    missing = sorted((text for text, key in keys.items() if key not in known), key=len, reverse=True)
    with ThreadPoolExecutor(1) as background:  # one batch is written while the next is embedded
        written: Future[None] | None = None
        for start in range(0, len(missing), BATCH):
            batch = missing[start : start + BATCH]
            vectors = recipe.encoder.encode(batch)
            if written:
                written.result()
            written = background.submit(partial(cache.keep_vectors, [keys[text] for text in batch], vectors))
            progress(start + len(batch), len(missing))
        if written:
            written.result()
    return len(missing)


def _mean(vectors: Vectors) -> Vectors:
    total: Vectors = vectors.sum(axis=0)
    return total / np.float32(max(float(np.linalg.norm(total)), 1e-12))


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
