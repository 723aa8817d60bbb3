"""The structure of a document: plain-text blocks under headings, which are guessed where none are marked."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
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

    def lines(self) -> Iterator[tuple[BlockKind, str]]:
        """The lines of the blocks with the kind of each, below the headings that stand right above them."""
        section: tuple[str, ...] = ()
        for block in self.blocks:
            if block.section[-1:] not in {section[-1:], (block.text,)}:
                yield from (("paragraph", name) for name in block.section[-1:])
            section = block.section
            yield from ((block.kind, line) for line in block.text.split("\n"))


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


_PARTED = re.compile(r"(?:^|\s)(\S*\w)-$")
_WORD = re.compile(r"[\w'’]+(?:-[\w'’]+)*")


class Hyphens:
    """Joins lines, deciding by the document's own words which hyphens are only those of a line end."""

    def __init__(self, lines: Iterable[str]) -> None:
        # What stands at the ends of a line may be half a word.
        self._words = {word.casefold() for line in lines for word in _WORD.findall(line)[1:-1]}

    def join(self, lines: Sequence[str]) -> str:
        """The lines as one."""
        joined: list[str] = []
        for line in lines:
            ended = self._ended(joined[-1], line) if joined else None
            if ended is None:
                joined += [" ", line] if joined else [line]
            else:
                joined[-1:] = [ended, line]
        return "".join(joined)

    def _ended(self, text: str, line: str) -> str | None:
        """How a line ends whose last word goes on in the next one; None where each word stands on one line."""
        match = _PARTED.search(text)
        following = _WORD.match(line)
        if match is None or following is None:
            return None
        first, second = match[1].casefold(), following[0].casefold()
        if f"{first}-{second}" in self._words or not following[0][0].islower() or not first[-1].isalpha():
            return text
        compound = f"{first}{second}" not in self._words and {first, second} <= self._words
        return text if compound else text[:-1]


_SLACK = 0.85
_NARROWEST = 45
"""Fewest characters of a column that prose is set in; shorter lines are short on purpose."""


def join_wrapped(paragraph: str, join: Callable[[Sequence[str]], str]) -> str:
    """Join the wrapped lines of a paragraph, so that its sentences are whole.

    A break stays where it was not forced by the width: after a line that had room for the next word, before a line
    that starts anew. An empty line is a break the author asked for.

    Args:
        paragraph: Its lines.
        join: Makes lines that were one a line again.
    """
    return "\n".join(join(run) for part in paragraph.split("\n\n") for run in _runs(part))


def _runs(part: str) -> list[list[str]]:
    """The lines of a text, those together that were one."""
    lines = [" ".join(line.split()) for line in part.split("\n") if line.strip()]
    width = max(_NARROWEST, *map(len, lines)) * _SLACK if lines else 0.0
    runs: list[list[str]] = []
    for line in lines:
        if runs and _continues(runs[-1][-1], line, width):
            runs[-1].append(line)
        else:
            runs.append([line])
    return runs


def _continues(previous: str, line: str, width: float) -> bool:
    if line[0].islower() or previous.endswith((",", "-")):
        return True
    return len(previous) + 1 + len(line.split(" ", 1)[0]) > width


_MARKER = re.compile(r"\A\s*(?:[-*•·▪◦‣–]|(?P<number>\d{1,3})[.)])\s+(?=\S)")


def list_item(line: str) -> str | None:
    """A line that bears the mark of a list item, with that mark made plain (`- ` or `3. `); None for other lines."""
    match = _MARKER.match(line)
    if match is None:
        return None
    marker = f"{match['number']}. " if match["number"] else "- "
    return marker + " ".join(line[match.end() :].split())
