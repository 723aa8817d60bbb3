"""Statements: the sentences of the evidence, and their vectors."""

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ingestion.embedding_cache import Embedder, EmbeddingCache, embed
from ingestion.encoder import Vectors
from ingestion.evidence import ANSWER, Evidence
from ingestion.generations import Progress
from ingestion.spans import sentence_spans

Span = tuple[int, int]
REMEMBERED = 20_000
"""Evidence whose sentences are not looked for again: in each turn that of its product is read."""
LEAST_LETTERS = 3
"""Letters and digits from which on a sentence says something."""

_MARKS = re.compile(r"(?m)^ {0,9}(?:[-*•]|\d{1,3}[.)]) |[*`|]")


def plain(text: str) -> str:
    """A text without marks of lists, tables and emphasis, in single spaces."""
    return " ".join(_MARKS.sub(" ", text).split())


def as_read(item: Evidence, text: str) -> str:
    """A text of a source behind the source's title and section."""
    names = f"{item.title} > {item.section}" if item.section else item.title
    return f"{names}: {plain(text)}"


@lru_cache(REMEMBERED)
def statement_spans(item: Evidence) -> tuple[Span, ...]:
    """Where the statements of an evidence are: its sentences; of a Q&A the whole answer."""
    if item.source_type == "qa":
        start = item.text.find(ANSWER)
        return ((start + len(ANSWER) if start >= 0 else 0, len(item.text)),)
    spans = sentence_spans(item.text)
    return tuple(at for at in spans if sum(map(str.isalnum, item.text[slice(*at)])) >= LEAST_LETTERS)


def statement_texts(item: Evidence) -> list[str]:
    """The statements as they are read, in the order of their spans; an answer is read with its question."""
    if item.source_type == "qa":
        return [as_read(item, item.text)]
    return [as_read(item, item.text[start:end]) for start, end in statement_spans(item)]


def embed_statements(
    cache: EmbeddingCache, evidence: Sequence[Evidence], encoder: Embedder, progress: Progress
) -> list[bytes]:
    """The vectors of the statements of each evidence, in half precision, one behind the other; through the cache."""
    _, found = embed(cache, [statement_texts(one) for one in evidence], encoder, progress)
    return [vectors.astype("<f2").tobytes() for vectors in found]


def unpacked(stored: bytes, statements: int) -> Vectors:
    """The vectors of an evidence's statements, shape `(statements, dimensions)`."""
    return np.frombuffer(stored, dtype="<f2").astype(np.float32).reshape(statements, -1)
