"""A corpus of any size to search in: real chunks of the demo shop, and rows that differ from them as much as they do.

A row's vector is that of a real chunk plus noise. The noise has the covariance of the real vectors, so that the rows
fill the space that language fills and no more dimensions; and it is so strong that a row is as near to its chunk as
real chunks are to their nearest others (the median cosine). A row's text is the chunk's own sentences and those of two
others, shuffled. Every block has its seed: a corpus is the beginning of every larger one, and any part of it can be
made by itself.
"""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import overload

import numpy as np
from numpy.typing import NDArray

from graph.intents.entropy import SOURCES_BY_INTENT
from ingestion.encoder import DIMENSIONS, Vectors
from ingestion.evidence import Evidence
from ingestion.spans import sentence_spans

BLOCK = 10_000
_SEED = 20_260_601
_HELD_OUT = 1 << 40
_OTHERS = 2
_CHUNKS, _CHUNK_VECTORS, _VECTORS = "chunks.json", "chunks.npy", "vectors.f32"


@dataclass(frozen=True, slots=True)
class CorpusQuestion:
    """A held-out question: made like a row, but no row.

    Attributes:
        vector: Its embedding.
        text: A sentence of the chunk it comes from.
        source_types: What an intent reads that such a chunk can answer.
    """

    vector: Vectors
    text: str
    source_types: frozenset[str]


class RealChunks:
    """The chunks of the demo shop with their embeddings."""

    def __init__(self, source_types: list[str], titles: list[str], texts: list[str], vectors: Vectors) -> None:
        self.source_types = source_types
        self.titles = titles
        self.sentences = [[text[start:end] for start, end in sentence_spans(text)] or [text] for text in texts]
        self.vectors = vectors

    @cached_property
    def cosine(self) -> float:
        """The median cosine of a chunk to its nearest other."""
        cosines = self.vectors @ self.vectors.T
        np.fill_diagonal(cosines, -1.0)
        return float(np.median(cosines.max(axis=1)))

    def noisy(self, bases: NDArray[np.int64], source: np.random.Generator) -> Vectors:
        """Unit vectors around those of the chunks `bases`."""
        noise = source.standard_normal((len(bases), len(self._spread)), dtype=np.float32) @ self._spread
        noise /= np.linalg.norm(noise, axis=1, keepdims=True)
        rows = self.vectors[bases] + np.float32(np.sqrt(1 / self.cosine**2 - 1)) * noise
        unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    @cached_property
    def _spread(self) -> Vectors:
        """What turns white noise into noise with the covariance of the chunks."""
        _, scales, axes = np.linalg.svd(self.vectors - self.vectors.mean(axis=0), full_matrices=False)
        spread: Vectors = (scales[:, None] * axes).astype(np.float32)
        return spread


def real_chunks(folder: Path) -> RealChunks:
    """The real chunks that a folder's corpora are made of; embedded once and kept, so that a build can go on."""
    if not (folder / _CHUNKS).exists():
        _embed_demo_shop(folder)
    rows = json.loads((folder / _CHUNKS).read_text(encoding="utf-8"))
    source_types, titles, texts = (list(column) for column in zip(*rows, strict=True))
    return RealChunks(source_types, titles, texts, np.load(folder / _CHUNK_VECTORS))


class Corpus(Sequence[Evidence]):
    """The first rows of the endless corpus; a row is made when it is asked for."""

    def __init__(self, chunks: RealChunks, size: int) -> None:
        self._chunks = chunks
        blocks = [_bases(chunks, _generator(block)) for block in range(-(-size // BLOCK))]
        self._bases = np.concatenate(blocks)[:size]

    def __len__(self) -> int:
        return len(self._bases)

    @overload
    def __getitem__(self, key: int) -> Evidence: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Evidence]: ...
    def __getitem__(self, key: int | slice) -> Evidence | Sequence[Evidence]:
        if isinstance(key, slice):
            return [self[number] for number in range(*key.indices(len(self)))]
        base = int(self._bases[key])
        source_type = self._chunks.source_types[base]
        return Evidence(
            evidence_id=f"{source_type}:row-{key}",
            source_type=source_type,
            text=_shuffled(self._chunks, base, key),
            title=f"{self._chunks.titles[base]} {key}",
            row_id=f"row-{key}",
        )

    def source_types(self) -> NDArray[np.str_]:
        """The source type of each row."""
        return np.asarray(self._chunks.source_types)[self._bases]


def open_vectors(folder: Path, chunks: RealChunks, size: int) -> Vectors:
    """The vectors of a corpus, mapped from a file that is made, or made longer, where it is too short."""
    path = folder / _VECTORS
    block_bytes = BLOCK * DIMENSIONS * 4
    there = path.stat().st_size // block_bytes if path.exists() else 0
    with path.open("ab") as file:
        file.truncate(there * block_bytes)
        for block in range(there, -(-size // BLOCK)):
            source = _generator(block)
            file.write(chunks.noisy(_bases(chunks, source), source).tobytes())
    mapped: Vectors = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, DIMENSIONS)[:size]
    return mapped


def held_out(chunks: RealChunks, count: int) -> list[CorpusQuestion]:
    """Questions about what the corpus is about."""
    source = _generator(_HELD_OUT)
    bases = _bases(chunks, source)[:count]
    choice = random.Random(_SEED)  # noqa: S311 - nothing secret
    return [
        CorpusQuestion(vector, choice.choice(chunks.sentences[base]), _asked(chunks.source_types[base], choice))
        for base, vector in zip(bases.tolist(), chunks.noisy(bases, source), strict=True)
    ]


def _asked(source_type: str, choice: random.Random) -> frozenset[str]:
    reading = [types for types in SOURCES_BY_INTENT.values() if source_type in types]
    return choice.choice(reading) if reading else frozenset({source_type})


def _generator(block: int) -> np.random.Generator:
    return np.random.default_rng([_SEED, block])


def _bases(chunks: RealChunks, source: np.random.Generator) -> NDArray[np.int64]:
    return source.integers(0, len(chunks.vectors), BLOCK)


def _shuffled(chunks: RealChunks, base: int, seed: int) -> str:
    choice = random.Random(seed)  # noqa: S311 - nothing secret
    others = [choice.randrange(len(chunks.sentences)) for _ in range(_OTHERS)]
    sentences = [sentence for chunk in (base, *others) for sentence in chunks.sentences[chunk]]
    choice.shuffle(sentences)
    return " ".join(sentences)


def _embed_demo_shop(folder: Path) -> None:
    from app.demo import shop_path  # noqa: PLC0415 - heavy, with all below
    from evals.shops import read_folder  # noqa: PLC0415
    from ingestion.encoder import shared_encoder  # noqa: PLC0415

    evidence = read_folder(shop_path()).evidence
    np.save(folder / _CHUNK_VECTORS, shared_encoder().encode([f"{one.title}\n{one.text}" for one in evidence]))
    rows = [(one.source_type, one.title, one.text) for one in evidence]
    (folder / _CHUNKS).write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
