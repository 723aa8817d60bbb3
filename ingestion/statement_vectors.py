"""Vectors of statements: made through the cache of an index, and kept with the evidence they stand in."""

from collections.abc import Sequence

import numpy as np

from ingestion.cache_file import CacheFile
from ingestion.embedding_cache import EmbeddedStatements, Recipe, TextEncoder, embed_texts
from ingestion.encoder import Vectors
from ingestion.evidence import Evidence
from ingestion.progress import Progress
from ingestion.statements import statement_texts

VERSION = "statements"


def embed_statements(
    cache: CacheFile, evidence: Sequence[Evidence], encoder: TextEncoder, progress: Progress
) -> EmbeddedStatements:
    """Embed the statements of evidence through the cache of an index."""
    recipe = Recipe(encoder, statement_texts, VERSION)
    embed_texts(cache, evidence, recipe, progress)
    keys = [recipe.key(one) for one in evidence]
    found = {key: _packed(vectors) for key, _, vectors in cache.embedded(list(dict.fromkeys(keys)))}
    return EmbeddedStatements([found.get(key, b"") for key in keys], keys)


def unpacked(stored: bytes, statements: int) -> Vectors:
    """The vectors of an evidence's statements, shape `(statements, dimensions)`."""
    return np.frombuffer(stored, dtype="<f2").astype(np.float32).reshape(statements, -1)


def _packed(vectors: Vectors) -> bytes:
    return vectors.astype("<f2").tobytes()
