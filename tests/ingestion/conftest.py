"""What the ingestion tests share: a quick encoder, and shops made of a few files."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from ingestion.embedding_cache import TextEncoder
from ingestion.encoder import DIMENSIONS, Vectors

WriteShop = Callable[[Mapping[str, object]], Path]


class HashingEncoder:
    """Counts words into hashed buckets: texts that share words are near each other, and nothing is loaded."""

    fingerprint = "hashing@1"

    def __init__(self) -> None:
        self.embedded = 0

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.embedded += len(texts)
        vectors = np.full((len(texts), DIMENSIONS), 1e-3, dtype=np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w+", text.lower()):
                vectors[row, int.from_bytes(hashlib.sha256(word.encode()).digest()[:4]) % DIMENSIONS] += 1
        unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit


@pytest.fixture
def encoder() -> TextEncoder:
    return HashingEncoder()


@pytest.fixture
def write_shop(tmp_path: Path) -> WriteShop:
    """Write files of a shop: lists of rows as JSON Lines, bytes and texts as they are."""

    def write(files: Mapping[str, object]) -> Path:
        folder = tmp_path / "shop"
        folder.mkdir(exist_ok=True)
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, bytes):
                path.write_bytes(content)
            elif isinstance(content, str):
                path.write_text(content, encoding="utf-8")
            else:
                assert isinstance(content, Sequence)
                path.write_text("".join(json.dumps(row) + "\n" for row in content), encoding="utf-8")
        return folder

    return write
