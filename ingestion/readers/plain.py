"""Plain text, as from `.txt` files and pages of a PDF, to blocks."""

import re
from collections.abc import Iterator, Sequence

from ingestion.readers.blocks import Block, BlockKind
from ingestion.readers.wrapping import Hyphens, join_wrapped

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
        blocks += [Block(kind, body, (), page) for kind, body in _runs(lines, hyphens) if body]
    return blocks


def list_item(line: str) -> str | None:
    """A line that bears the mark of a list item, with that mark made plain (`- ` or `3. `); None for other lines."""
    match = _MARKER.match(line)
    if match is None:
        return None
    marker = f"{match['number']}. " if match["number"] else "- "
    return marker + " ".join(line[match.end() :].split())


def _runs(lines: Sequence[str], hyphens: Hyphens) -> Iterator[tuple[BlockKind, str]]:
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
