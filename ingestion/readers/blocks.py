"""The structure of a document: plain-text blocks under headings, those that it marks or those that are guessed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ingestion.readers.cleaning import NAME_LIMIT

BlockKind = Literal["paragraph", "list", "table", "code"]


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a list, a table or a pre-formatted stretch, as plain text.

    Attributes:
        text: A paragraph on one line or few; a list with an item a line; a table with a row a line.
        section: Headings above it, outermost first.
        page: Page it stands on, from 1, where there are pages.
    """

    kind: BlockKind
    text: str
    section: tuple[str, ...] = ()
    page: int | None = None


@dataclass(slots=True)
class Outline:
    """Collects blocks while headings come and go."""

    blocks: list[Block] = field(default_factory=list)
    _path: list[tuple[int, str]] = field(default_factory=list)

    def heading(self, level: int, text: str) -> None:
        """Open a section; it closes those of its own level and below. What is too long for a name is a paragraph."""
        self._path = [(above, name) for above, name in self._path if above < level]
        if len(text) > NAME_LIMIT:
            self.add("paragraph", text)
        elif text:
            self._path.append((level, text))

    def add(self, kind: BlockKind, text: str, page: int | None = None) -> None:
        """Add a block to the open section; an empty one is left out."""
        if text.strip():
            self.blocks.append(Block(kind, text.strip("\n"), tuple(name for _, name in self._path), page))


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document's own title and its blocks."""

    title: str | None
    blocks: list[Block]


def without_title(title: str | None, blocks: list[Block]) -> list[Block]:
    """Leave out a first heading that repeats the title."""
    if title is None:
        return blocks
    folded = title.casefold()
    return [
        Block(block.kind, block.text, block.section[1:], block.page)
        if block.section and block.section[0].casefold() == folded
        else block
        for block in blocks
    ]


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
