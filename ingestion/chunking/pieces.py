"""Pieces: the parts of a text that it is cut between, each cut further only where it is too long for a chunk."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from ingestion.chunk import CountTokens
from ingestion.chunking.packing import Level, Span, Unit
from ingestion.spans import sentence_spans

Splitter = tuple[Level, Callable[[str], Sequence[Span]]]
"""What begins with each part, and where the parts are."""


def rows(text: str) -> list[Span]:
    """The lines of a text that are not blank, with their indents and empty cells."""
    lines = text.split("\n")
    starts = accumulate((len(line) + 1 for line in lines), initial=0)
    return [(start, start + len(line)) for start, line in zip(starts, lines, strict=False) if line.strip()]


def items(text: str) -> list[Span]:
    """The items of a list, each with the deeper lines below it."""
    found = rows(text)
    depths = [len(text[start:end]) - len(text[start:end].lstrip()) for start, end in found]
    begins = [number for number, depth in enumerate(depths) if number == 0 or depth <= depths[0]]
    return [(found[first][0], found[last - 1][1]) for first, last in pairwise([*begins, len(found)])]


def words(text: str) -> list[Span]:
    """The stretches between white space."""
    return [match.span() for match in re.finditer(r"\S+", text)]


SENTENCES: tuple[Splitter, ...] = ((Level.SENTENCE, sentence_spans), (Level.WORD, words))
ITEMS: tuple[Splitter, ...] = ((Level.ITEM, items), *SENTENCES)
ROWS: tuple[Splitter, ...] = ((Level.ITEM, rows), *SENTENCES)
WORDS: tuple[Splitter, ...] = ((Level.WORD, words),)


def pieces(text: str, splitters: Sequence[Splitter], limit: int, count_tokens: CountTokens) -> Iterator[Unit]:
    """Cut a text into units of at most `limit` tokens, coarse ones where they fit."""
    yield from _pieces(text, (0, len(text)), splitters, limit, count_tokens)


def _pieces(
    text: str, span: Span, splitters: Sequence[Splitter], limit: int, count_tokens: CountTokens
) -> Iterator[Unit]:
    """Cut a span; where no way to cut it is left, it is an endless word and cut in the middle."""
    offset = span[0]
    if not splitters:
        middle = (span[0] + span[1]) // 2
        parts, level, finer = [(0, middle - offset), (middle - offset, span[1] - offset)], Level.WORD, splitters
    else:
        (level, split), *finer = splitters
        parts = list(split(text[slice(*span)]))
    for start, end in parts:
        part = (start + offset, end + offset)
        tokens = count_tokens(text[slice(*part)])
        if tokens <= limit or end - start <= 1:
            yield Unit(*part, tokens, level, whole=bool(splitters) and level > Level.WORD)
            continue
        for number, unit in enumerate(_pieces(text, part, finer, limit, count_tokens)):
            yield unit if number else replace(unit, level=max(level, unit.level))
