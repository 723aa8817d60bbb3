"""Lexical features of a question: hashed words and pieces of words, the same in training and at run time."""

import re
import zlib
from collections import Counter
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

BUCKETS = 2**14
_WORD = re.compile(r"[\w']+")
_DIGIT = re.compile(r"\d")
_PIECE_LENGTHS = (3, 4, 5)


def term_counts(text: str) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Count a text's features.

    Returns:
        The buckets that occur, ascending, and `1 + ln(count)` of each.
    """
    # Python's own hash differs from process to process.
    counts = Counter(zlib.crc32(feature.encode()) % BUCKETS for feature in _features(text))
    buckets = np.array(sorted(counts), dtype=np.int32)
    return buckets, (1 + np.log([counts[bucket] for bucket in buckets.tolist()])).astype(np.float32)


def _features(text: str) -> Iterator[str]:
    # One digit stands for all: a model number should not be learnt by heart.
    words = [match.group() for match in _WORD.finditer(_DIGIT.sub("0", text.lower()))]
    framed = ["<", *words, ">"]
    for size in (2, 3):
        yield from (" ".join(framed[i : i + size]) for i in range(len(framed) - size + 1))
    for word in words:
        yield f"={word}"
        piece = f"<{word}>"
        yield from (f"~{piece[i : i + n]}" for n in _PIECE_LENGTHS for i in range(len(piece) - n + 1))
