"""The structure of a document: plain-text blocks under headings."""

from dataclasses import dataclass, field
from typing import Literal

from ingestion.text_folding import NAME_LIMIT

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
