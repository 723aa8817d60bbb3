"""Plain text, as from `.txt` files and pages of a PDF, to blocks: wrapped lines are joined, lists and tables found."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from ingestion.readers.blocks import Block, BlockKind

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
_RULE = re.compile(r"[-=_*~]{3,}")


def parse_plain(text: str, page: int | None = None) -> list[Block]:
    """Find paragraphs, lists and tables in plain text.

    Wrapped lines are joined; list items and rows with tabs or `|` keep a line each.
    """
    hyphens = Hyphens(text.split("\n"))
    blocks: list[Block] = []
    for paragraph in re.split(r"\n[ \t]*\n", text):
        lines = [line for line in paragraph.split("\n") if line.strip() and not _RULE.fullmatch(line.strip())]
        blocks += [Block(kind, body, (), page) for kind, body in _kinds(lines, hyphens) if body]
    return blocks


def list_item(line: str) -> str | None:
    """A line that bears the mark of a list item, with that mark made plain (`- ` or `3. `); None for other lines."""
    match = _MARKER.match(line)
    if match is None:
        return None
    marker = f"{match['number']}. " if match["number"] else "- "
    return marker + " ".join(line[match.end() :].split())


def _kinds(lines: Sequence[str], hyphens: Hyphens) -> Iterator[tuple[BlockKind, str]]:
    """Part a paragraph where lists and tables begin and end."""
    kind: BlockKind = "paragraph"
    run: list[str] = []
    for line in lines:
        now = _kind(line, kind)
        if now != kind and run:
            yield kind, _body(kind, run, hyphens)
            run = []
        kind = now
        run.append(line)
    if run:
        yield kind, _body(kind, run, hyphens)


def _kind(line: str, before: BlockKind) -> BlockKind:
    if _MARKER.match(line):
        return "list"
    if "\t" in line.strip() or line.count(" | ") > 0:
        return "table"
    continues = before == "list" and (line[0].isspace() or line.lstrip()[0].islower())
    return "list" if continues else "paragraph"


def _body(kind: BlockKind, lines: Sequence[str], hyphens: Hyphens) -> str:
    if kind == "paragraph":
        return join_wrapped("\n".join(lines), hyphens.join)
    if kind == "table":
        return "\n".join(" | ".join(filter(None, map(str.strip, re.split(r"[\t|]", line)))) for line in lines)
    items: list[list[str]] = []
    for line in lines:
        if (item := list_item(line)) is not None:
            items.append([item])
        else:
            items[-1].append(" ".join(line.split()))
    return "\n".join(map(hyphens.join, items))
