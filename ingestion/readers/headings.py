"""Guessing the headings of a document that marks none, such as plain text, a PDF or a Word file read as text."""

import re
from collections.abc import Iterator, Sequence

from ingestion.readers.blocks import Block

_HEADING_CHARS = 70
_HEADING_WORDS = 10
_MIN_SECTION_CHARS = 160
"""A guessed section goes on until it has so much text; below that a heading is but a line of it."""


def guess_headings(blocks: Sequence[Block]) -> list[Block]:
    """Take short lines that head others for headings, unless the document marks headings itself.

    Such a line opens a section and stays in the text as well, so that a wrong guess loses nothing.
    """
    if any(block.section for block in blocks):
        return list(blocks)
    guessed: list[Block] = []
    section: tuple[str, ...] = ()
    size = 0
    for block, followed_by in _parts(blocks):
        first = block.text.split("\n", 1)[0]
        heads = block.kind == "paragraph" and _is_heading(first) and followed_by and not _is_heading(followed_by)
        if heads and (not section or size >= _MIN_SECTION_CHARS):
            section, size = (first,), 0
        size += len(block.text)
        guessed.append(Block(block.kind, block.text, section, block.page))
    return guessed


def _parts(blocks: Sequence[Block]) -> Iterator[tuple[Block, str | None]]:
    """Part paragraphs before each line that looks like a heading; beside each part, the line after its first."""
    parts = [part for block in blocks for part in _split(block)]
    for position, part in enumerate(parts):
        lines = part.text.split("\n", 2)
        following = parts[position + 1].text.split("\n", 1)[0] if position + 1 < len(parts) else None
        yield part, lines[1] if len(lines) > 1 else following


def _split(block: Block) -> list[Block]:
    if block.kind != "paragraph":
        return [block]
    runs: list[list[str]] = []
    for line in block.text.split("\n"):
        if not runs or _is_heading(line):
            runs.append([line])
        else:
            runs[-1].append(line)
    return [Block(block.kind, "\n".join(run), block.section, block.page) for run in runs]


def _is_heading(line: str) -> bool:
    """Whether a line looks like a heading: short, begun with a capital, without the marks of a statement."""
    title = re.sub(r"^\d+(\.\d+)*\.?\s+", "", line.strip())
    if not title or len(title) > _HEADING_CHARS or len(title.split()) > _HEADING_WORDS:
        return False
    plain = title[0].isupper() and not re.search(r"[.,;:!|\d][\"')\]]*$|: |\d|://|\t|\|", title)
    return plain and sum(character.isalpha() for character in title) > len(title) / 2
