"""Chunks: documents and long rows cut along their structure, and what is embedded for each."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import accumulate, groupby, pairwise

from ingestion.embedding_cache import TextEncoder
from ingestion.evidence import ANSWER, Evidence, evidence_id
from ingestion.readers.blocks import Block
from ingestion.readers.documents import Document
from ingestion.spans import sentence_spans

CountTokens = Callable[[str], int]
"""Tokens of a text, as the embedding model counts them; white space counts for nothing, and words add up."""

Budget = Callable[[tuple[str, ...]], int]
"""Most tokens of a chunk's text under a section path."""

OVERLAP_TOKENS = 50
"""Most tokens that a chunk repeats of the one before it."""


Span = tuple[int, int]
"""Start and end in code points of a text."""


class Level(IntEnum):
    """What begins where a unit begins; it goes on until the next that begins on its level or above."""

    WORD = 0
    SENTENCE = 1
    ITEM = 2
    """An item of a list with all below it, a row of a table, a line of code."""
    BLOCK = 3
    INTRODUCED = 4
    """A list or table with the line that introduces it; any other block."""
    PAIR = 5
    """A question with all that answers it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text that is not cut further; between two of them stands nothing but white space.

    Attributes:
        start: Where it begins, in code points.
        end: Where it ends.
        tokens: Its length.
        level: What begins with it.
        block: Number of its block.
        whole: Whether it may be repeated: not so a piece of a sentence that had to be cut.
        apart: Whether it may be repeated where another block goes on: not so a row without its table.
        head: What a chunk that begins with it repeats, such as the head of a table, and its tokens.
    """

    start: int
    end: int
    tokens: int
    level: Level = Level.WORD
    block: int = 0
    whole: bool = True
    apart: bool = True
    head: tuple[Span, int] | None = None


def pack(text: str, units: Sequence[Piece], limit: int, overlap: int) -> list[str]:
    """Put the units of a text together to chunks.

    A chunk holds as many as fit, but for what would fit whole into the next one. It begins with the last whole units
    of the chunk before, up to the overlap, where those leave room for what comes.

    Args:
        text: What the units are pieces of.
        units: At least one, none longer than the limit.
        limit: Most tokens of a chunk.
        overlap: Most tokens that a chunk repeats of the one before it.

    Returns:
        The chunks' texts.
    """
    packed = []
    for first, last in _Packing(units, limit, overlap).cuts():
        body = text[units[first].start : units[last - 1].end]
        head = units[first].head
        packed.append(f"{text[slice(*head[0])]}\n{body}" if head else body)
    return packed


class _Packing:
    def __init__(self, units: Sequence[Piece], limit: int, overlap: int) -> None:
        self._units, self._limit, self._overlap = units, limit, overlap
        self._sums = [0, *accumulate(unit.tokens for unit in units)]

    def cuts(self) -> Iterator[tuple[int, int]]:
        """For each chunk the numbers of its first unit and of the one after its last."""
        first = new = 0
        while new < len(self._units):
            end = self._filled(first)
            last = end if end == len(self._units) else self._break(new, end)
            yield first, last
            first, new = (self._repeated(last), last) if last < len(self._units) else (last, last)

    def _tokens(self, first: int, last: int) -> int:
        return self._sums[last] - self._sums[first]

    def _head(self, number: int) -> int:
        head = self._units[number].head
        return head[1] if head else 0

    def _filled(self, first: int) -> int:
        """The first unit that a chunk from a unit on has no room for."""
        last = first + 1
        room = self._limit - self._head(first)
        while last < len(self._units) and self._tokens(first, last + 1) <= room:
            last += 1
        return last

    def _break(self, new: int, end: int) -> int:
        """Where to break at a unit or before it: before the largest thing it belongs to that fits into a chunk."""
        for level in sorted({unit.level for unit in self._units[new : end + 1]}, reverse=True):
            start = self._begin(end, level)
            if start > new and self._tokens(start, self._end(start, level)) <= self._limit:
                return start
        return end

    def _begin(self, number: int, level: Level) -> int:
        while number and self._units[number].level < level:
            number -= 1
        return number

    def _end(self, number: int, level: Level) -> int:
        number += 1
        while number < len(self._units) and self._units[number].level < level:
            number += 1
        return number

    def _repeated(self, new: int) -> int:
        """The first of the units that a chunk repeats before a new one: none where its beginning then were cut."""
        needed = self._whole(new)
        first = new
        for number in range(new - 1, -1, -1):
            unit = self._units[number]
            repeatable = unit.whole and (unit.apart or unit.block == self._units[new].block)
            repeated = self._tokens(number, new)
            if not repeatable or repeated > self._overlap or repeated + self._head(number) + needed > self._limit:
                break
            first = number
        return first

    def _whole(self, number: int) -> int:
        """Tokens of the largest thing that begins with a unit and fits into a chunk."""
        level = self._units[number].level
        while level > Level.WORD:
            if (tokens := self._tokens(number, self._end(number, level))) <= self._limit:
                return tokens
            level = Level(level - 1)
        return self._units[number].tokens


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


def pieces(
    text: str, span: Span, splitters: Sequence[Splitter], limit: int, count_tokens: CountTokens
) -> Iterator[Piece]:
    """Cut a span of a text into units of at most `limit` tokens, coarse ones where they fit.

    Where no way to cut it is left, it is an endless word and cut in the middle.
    """
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
            yield Piece(*part, tokens, level, whole=bool(splitters) and level > Level.WORD)
            continue
        for number, unit in enumerate(pieces(text, part, finer, limit, count_tokens)):
            yield unit if number else replace(unit, level=max(level, unit.level))


_SPLITTERS = {"paragraph": SENTENCES, "list": ITEMS, "table": ROWS, "code": ROWS}
_LABELLED_QUESTION = re.compile(r"(?i)\A(?:q|question)\s{0,3}\d{0,6}\s{0,3}[:.)]")
_HEAD_SHARE = 4
"""A head is repeated where it takes no more than this part of a chunk."""


def chunked(
    blocks: Sequence[Block], budget: Budget, count_tokens: CountTokens, overlap: int = OVERLAP_TOKENS
) -> list[Block]:
    """Cut a document; a section, or a page of one, only where it does not fit into one chunk.

    Lists, tables, question and answer, and what a line introduces stay whole where they fit into a chunk. A cut table
    repeats its first row, a cut list the line that introduces it. Nothing is repeated across headings.

    Args:
        blocks: Its content in order.
        budget: Most tokens of a chunk's text under a section path.
        count_tokens: Tokens of a text.
        overlap: Most tokens that a chunk repeats of the one before it.
    """
    chunks: list[Block] = []
    for (section, page), group in groupby(blocks, key=lambda block: (block.section, block.page)):
        own, limit = list(group), budget(section)
        text = "\n".join(block.text for block in own)
        units = list(_units(own, text, limit, count_tokens))
        chunks += [Block(own[0].kind, body, section, page) for body in pack(text, units, limit, overlap)]
    return chunks


def _units(blocks: Sequence[Block], text: str, limit: int, count_tokens: CountTokens) -> Iterator[Piece]:
    """The units of blocks under one heading, as parts of their joined text."""
    offsets = [0, *accumulate(len(block.text) + 1 for block in blocks)]
    for number, block in enumerate(blocks):
        head = _head(blocks, number, offsets)
        cost = count_tokens(text[slice(*head)]) if head else 0
        for place, unit in enumerate(
            pieces(block.text, (0, len(block.text)), _SPLITTERS[block.kind], limit, count_tokens)
        ):
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


LEAST_CHUNK_TOKENS = 64
"""Chunks hold no less than this: a little more than what they may repeat of each other."""
SPECIAL_TOKENS = 2
"""Tokens that the model itself puts around a text."""
_WHOLE = frozenset({"spec", "variant"})


class Cutter:
    """Cuts what a shop hands over, and lays it out in the window of the embedding model.

    Title and section stand first, then description and keywords, then the text. Half of the window is the text's own;
    what has no room is left out of the metadata, keywords first, never of the text. No other size, nor embedding
    without metadata, found documents better on the retrieval packs' train rows.

    Args:
        encoder: The model.
        chunk_tokens: Most tokens of a chunk's text; by default as many as its window has room for.
    """

    def __init__(self, encoder: TextEncoder, chunk_tokens: int | None = None) -> None:
        self._count = encoder.count_tokens
        self._room = encoder.max_tokens - SPECIAL_TOKENS
        self._chunk_tokens = min(chunk_tokens or self._room, self._room)

    def text_budget(self, title: str, section: Sequence[str], keywords: Sequence[str]) -> int:
        """Most tokens of a text that the window holds with this metadata."""
        place = self._count(_place(title, " > ".join(section)))
        named = min(self._count(", ".join(keywords)), _MAX_KEYWORD_TOKENS)
        return max(self._room - self._room // 2, self._room - place - named)

    def document(self, document: Document) -> list[Block]:
        """The chunks of a document."""
        keywords = document.keywords

        def budget(section: tuple[str, ...]) -> int:
            return min(self._chunk_tokens, self.text_budget(document.title, section, keywords))

        return chunked(document.blocks, budget, self._count)

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
        return [self._with_metadata(evidence, text) for text in self._texts(evidence)]

    def _with_metadata(self, evidence: Evidence, text: str) -> str:
        room = self._room - self._count(text)
        place = self._fitting(_place(evidence.title, evidence.section), room)
        keywords = self._fitting(", ".join(evidence.keywords), room - self._count(place))
        return "\n".join(part for part in (place, keywords, text) if part)

    def _fitting(self, text: str, room: int) -> str:
        """The whole words of a text that there is room for."""
        if self._count(text) <= room:
            return text
        words = text.split()
        used = accumulate(map(self._count, words))
        return " ".join(word for word, tokens in zip(words, used, strict=True) if tokens <= room)

    def _texts(self, evidence: Evidence) -> list[str]:
        budget = self.text_budget(evidence.title, (), evidence.keywords)
        if self._count(evidence.text) <= budget:
            return [evidence.text]
        question, mark, answer = evidence.text.partition(ANSWER) if evidence.source_type == "qa" else ("", "", "")
        head = self._fitting(question, budget // 2) + mark if mark else ""
        cut = [Block("list", answer if mark else evidence.text)]
        return [head + chunk.text for chunk in chunked(cut, lambda _: budget - self._count(head), self._count)]


def _place(title: str, section: str | None) -> str:
    return f"{title} > {section}" if section else title
