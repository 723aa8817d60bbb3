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
    for position, block in enumerate(blocks):
        following = blocks[position + 1].text.split("\n", 1)[0] if position + 1 < len(blocks) else ""
        lines: list[str] = []
        for line, next_line in _with_next(block, following):
            opens = block.kind == "paragraph" and is_heading(line) and next_line and not is_heading(next_line)
            if opens and (not section or size >= _MIN_SECTION_CHARS):
                guessed += _block(block, lines, section)
                section, size, lines = (line,), 0, []
            lines.append(line)
            size += len(line)
        guessed += _block(block, lines, section)
    return guessed


def _with_next(block: Block, following: str) -> Iterator[tuple[str, str]]:
    """Each line of a block with the line after it."""
    lines = block.text.split("\n")
    return zip(lines, [*lines[1:], following], strict=True)


def _block(block: Block, lines: Sequence[str], section: tuple[str, ...]) -> list[Block]:
    return [Block(block.kind, "\n".join(lines), section, block.page)] if lines else []


def is_heading(line: str) -> bool:
    """Whether a line looks like a heading: short, begun with a capital, without the marks of a statement."""
    title = re.sub(r"^\d+(\.\d+)*\.?\s+", "", line.strip())
    if not title or len(title) > _HEADING_CHARS or len(title.split()) > _HEADING_WORDS:
        return False
    plain = title[0].isupper() and not re.search(r"[.,;:!|\d][\"')\]]*$|: |\d|://|\t|\|", title)
    return plain and sum(character.isalpha() for character in title) > len(title) / 2
