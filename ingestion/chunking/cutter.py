"""The cutter: documents to chunks, and what is embedded for each within the model's window."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby

from ingestion.chunking.packing import (
    ITEMS,
    OVERLAP_TOKENS,
    ROWS,
    SENTENCES,
    Budget,
    Chunk,
    CountTokens,
    Level,
    Piece,
    Span,
    pack,
    pieces,
    rows,
)
from ingestion.embedding_cache import TextEncoder
from ingestion.evidence import ANSWER, Evidence, evidence_id
from ingestion.readers.blocks import Block
from ingestion.readers.documents import Document

_SPLITTERS = {"paragraph": SENTENCES, "list": ITEMS, "table": ROWS, "code": ROWS}
_LABELLED_QUESTION = re.compile(r"(?i)\A(?:q|question)\s{0,3}\d{0,6}\s{0,3}[:.)]")
_HEAD_SHARE = 4
"""A head is repeated where it takes no more than this part of a chunk."""


@dataclass(frozen=True, slots=True)
class RecursiveChunker:
    """Cuts a section, or a page of one, only where it does not fit into one chunk.

    Lists, tables, question and answer, and what a line introduces stay whole where they fit into a chunk. A cut table
    repeats its first row, a cut list the line that introduces it. Nothing is repeated across headings.
    """

    count_tokens: CountTokens
    overlap: int = OVERLAP_TOKENS

    def chunk(self, blocks: Sequence[Block], budget: Budget) -> list[Chunk]:
        """Cut a document into chunks within the budget."""
        chunks: list[Chunk] = []
        for (section, page), group in groupby(blocks, key=lambda block: (block.section, block.page)):
            own, limit = list(group), budget(section)
            text = "\n".join(block.text for block in own)
            units = list(_units(own, text, limit, self.count_tokens))
            chunks += [Chunk(body, section, page) for body in pack(text, units, limit, self.overlap)]
        return chunks


def _units(blocks: Sequence[Block], text: str, limit: int, count_tokens: CountTokens) -> Iterator[Piece]:
    """The units of blocks under one heading, as parts of their joined text."""
    offsets = [0, *accumulate(len(block.text) + 1 for block in blocks)]
    for number, block in enumerate(blocks):
        head = _head(blocks, number, offsets)
        cost = count_tokens(text[slice(*head)]) if head else 0
        for place, unit in enumerate(pieces(block.text, _SPLITTERS[block.kind], limit, count_tokens)):
            repeats = head and place and cost <= limit // _HEAD_SHARE and cost + unit.tokens <= limit
            yield replace(
                unit,
                start=unit.start + offsets[number],
                end=unit.end + offsets[number],
                level=unit.level if place else _level(blocks, number),
                block=number,
                apart=block.kind in {"paragraph", "list"},
                head=(head, cost) if head and repeats else None,
            )


def _head(blocks: Sequence[Block], number: int, offsets: Sequence[int]) -> Span | None:
    """What the later chunks of a cut block repeat: a table's first row, the line that introduces a list."""
    source = {"table": number, "list": number - 1}.get(blocks[number].kind, -1)
    if source < 0 or (source != number and not _introduces(blocks[source])):
        return None
    start, end = rows(blocks[source].text)[0 if source == number else -1]
    return start + offsets[source], end + offsets[source]


def _level(blocks: Sequence[Block], number: int) -> Level:
    """What begins with a block."""
    if number == 0 or _asks(blocks[number]):
        return Level.PAIR
    before = blocks[number - 1]
    return Level.BLOCK if _asks(before) or _introduces(before) else Level.INTRODUCED


def _introduces(block: Block) -> bool:
    return block.kind == "paragraph" and block.text.rstrip().endswith(":")


def _asks(block: Block) -> bool:
    """Whether a block is a question that what comes next answers."""
    one_line = "\n" not in block.text.strip()
    return (
        block.kind == "paragraph"
        and one_line
        and bool(block.text.rstrip().endswith("?") or _LABELLED_QUESTION.match(block.text))
    )


_MAX_KEYWORD_TOKENS = 40
"""Tokens kept free for keywords; more of them are embedded where the text is short."""


@dataclass(frozen=True, slots=True)
class EmbeddingWindow:
    """The room that the model's window has for a text and its metadata.

    Title and section stand first, then description and keywords, then the text. Half of the window is the text's own;
    what has no room is left out of the metadata, keywords first, never of the text.

    Attributes:
        count_tokens: Tokens of a text, as the model counts them.
        tokens: The window's length without the model's special tokens.
    """

    count_tokens: CountTokens
    tokens: int

    @property
    def least_budget(self) -> int:
        """Tokens of a text that the window holds with any metadata."""
        return self.tokens - self.tokens // 2

    def text_budget(self, title: str, section: Sequence[str], keywords: Sequence[str]) -> int:
        """Most tokens of a text that the window holds with this metadata."""
        place = self.count_tokens(_place(title, " > ".join(section)))
        named = min(self.count_tokens(", ".join(keywords)), _MAX_KEYWORD_TOKENS)
        return max(self.least_budget, self.tokens - place - named)

    def embedded(self, evidence: Evidence, text: str) -> str:
        """What is embedded for a text of an evidence that is within its budget."""
        room = self.tokens - self.count_tokens(text)
        place = self.cut(_place(evidence.title, evidence.section), room)
        keywords = self.cut(", ".join(evidence.keywords), room - self.count_tokens(place))
        return "\n".join(part for part in (place, keywords, text) if part)

    def cut(self, text: str, room: int) -> str:
        """The whole words of a text that there is room for."""
        if self.count_tokens(text) <= room:
            return text
        kept: list[str] = []
        for word in text.split():
            room -= self.count_tokens(word)
            if room < 0:
                break
            kept.append(word)
        return " ".join(kept)


def _place(title: str, section: str | None) -> str:
    return f"{title} > {section}" if section else title


LEAST_CHUNK_TOKENS = 64
"""Chunks hold no less than this: a little more than what they may repeat of each other."""


SPECIAL_TOKENS = 2
"""Tokens that the model itself puts around a text."""
_WHOLE = frozenset({"spec", "variant"})


@dataclass(frozen=True, slots=True)
class Cutter:
    """Cuts what a shop hands over, and lays it out for the embedding model."""

    chunker: RecursiveChunker
    window: EmbeddingWindow
    chunk_tokens: int

    @classmethod
    def of(cls, encoder: TextEncoder, chunk_tokens: int | None = None) -> "Cutter":
        """Prepare to cut for an embedding model.

        No other size, nor embedding without metadata, found documents better on the retrieval packs' train rows.

        Args:
            encoder: The model.
            chunk_tokens: Most tokens of a chunk's text; by default as many as its window has room for.
        """
        room = encoder.max_tokens - SPECIAL_TOKENS
        return cls(
            chunker=RecursiveChunker(encoder.count_tokens),
            window=EmbeddingWindow(encoder.count_tokens, room),
            chunk_tokens=min(chunk_tokens or room, room),
        )

    def document(self, document: Document) -> list[Chunk]:
        """The chunks of a document."""
        keywords = document.keywords

        def budget(section: tuple[str, ...]) -> int:
            return min(self.chunk_tokens, self.window.text_budget(document.title, section, keywords))

        return self.chunker.chunk(document.blocks, budget)

    def row(self, evidence: Evidence) -> Iterator[Evidence]:
        """A row, in numbered chunks where it is longer than the window.

        Specifications and variants, whose lines are entries, stay whole. Each chunk of a Q&A repeats the question.
        """
        texts = [evidence.text] if evidence.source_type in _WHOLE else self._texts(evidence)
        if len(texts) == 1:
            yield evidence
            return
        for number, text in enumerate(texts, start=1):
            identifier = evidence_id(evidence.source_type, evidence.row_id, number)
            yield replace(evidence, evidence_id=identifier, text=text)

    def embedded(self, evidence: Evidence) -> list[str]:
        """The texts whose mean stands for an evidence: one, or several for a row that is longer than the window."""
        return [self.window.embedded(evidence, text) for text in self._texts(evidence)]

    def _texts(self, evidence: Evidence) -> list[str]:
        if _most_tokens(evidence.text) <= self.window.least_budget:
            return [evidence.text]
        budget = self.window.text_budget(evidence.title, (), evidence.keywords)
        if self.window.count_tokens(evidence.text) <= budget:
            return [evidence.text]
        question, mark, answer = evidence.text.partition(ANSWER) if evidence.source_type == "qa" else ("", "", "")
        if not mark:
            return self._cut(evidence.text, budget)
        head = self.window.cut(question, budget // 2) + mark
        return [head + text for text in self._cut(answer, budget - self.window.count_tokens(head))]

    def _cut(self, text: str, budget: int) -> list[str]:
        return [chunk.text for chunk in self.chunker.chunk([Block("list", text)], lambda _section: budget)]


def _most_tokens(text: str) -> int:
    """More tokens than this no text has: each stands for a letter, or for a part of one that is written in parts."""
    return len(text) if text.isascii() else 3 * len(text)
