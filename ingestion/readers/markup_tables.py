"""HTML tables to lines: a row a line; a cell that hangs down over several rows stands in each of them."""

from collections.abc import Iterator

from bs4 import Tag

from ingestion.readers.inline import fold, inline_text

_MAX_SPAN = 100


def is_layout(tag: Tag) -> bool:
    """Whether a table only arranges a page: it holds headings, mostly tables, or never more than one cell a row."""
    if tag.get("role") in {"presentation", "none"} or tag.find(["h1", "h2", "h3", "h4"]):
        return True
    inner = sum(len(table.get_text()) for table in tag.find_all("table") if table.find_parent("table") is tag)
    cells = [len(row.find_all(["td", "th"], recursive=False)) for row in _rows(tag)]
    return inner > len(tag.get_text()) / 2 or max(cells, default=0) < 2  # noqa: PLR2004 - a table has columns


def table_lines(tag: Tag) -> Iterator[str]:
    """The rows of a table, cells parted by ` | `."""
    hanging: dict[int, tuple[int, str]] = {}
    for row in _rows(tag):
        texts = _with_hanging(row.find_all(["td", "th"], recursive=False), hanging)
        if any(texts):
            yield " | ".join(texts).rstrip(" |")


def _rows(tag: Tag) -> list[Tag]:
    return [row for row in tag.find_all("tr") if row.find_parent("table") is tag]


def _with_hanging(cells: list[Tag], hanging: dict[int, tuple[int, str]]) -> list[str]:
    """A row's texts by column, with those of cells that hang down into it from rows above."""
    texts: list[str] = []

    def take_hanging() -> None:
        while len(texts) in hanging:
            rows, text = hanging.pop(len(texts))
            if rows > 1:
                waiting[len(texts)] = (rows - 1, text)
            texts.append(text)

    waiting: dict[int, tuple[int, str]] = {}
    for cell in cells:
        take_hanging()
        text = " ".join(fold(inline_text(cell)))
        rows = _span(cell, "rowspan")
        for number in range(_span(cell, "colspan")):
            own = "" if number else text
            if rows > 1:
                waiting[len(texts)] = (rows - 1, own)
            texts.append(own)
    take_hanging()
    hanging |= waiting
    return texts


def _span(cell: Tag, name: str) -> int:
    value = str(cell.get(name) or 1)
    return min(int(value), _MAX_SPAN) if value.isdigit() and int(value) else 1
