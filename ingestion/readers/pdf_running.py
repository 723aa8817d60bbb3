"""Running heads and feet of a PDF: what stands at the same place of page after page."""

import re
from collections import Counter
from collections.abc import Sequence

from ingestion.readers.pdf_page import PdfPage, Word, segments

Edges = tuple[list[list[Word]], list[list[Word]]]
Place = tuple[int, int]

_MIN_PAGES = 3
_EDGE_LINES = 3
_NUMBER = re.compile(
    r"\A\W*+(?:(?:page|seite|p\.)\s?)?(?:\d{1,4}|[ivxl]{1,6})\s?(?:(?:of|/|von)\s?\d{1,4})?\W*", re.IGNORECASE
)
_PRINTED = re.compile(
    r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}:\d{2}\b.*|(?:https?|file)://.*?(?: \d{1,4}/\d{1,4})?", re.IGNORECASE
)
"""What browsers print above and below a page: the time and the title, the address and the number."""
_NUMBER_EDGE = 0.1
"""Share of a page's height, above and below, in which a number alone is the page's."""
_EDGE = 0.15
"""Share of it in which heads and feet stand."""


def without_running_lines(pages: Sequence[PdfPage]) -> list[list[Word]]:
    """The words of each page without heads, feet and page numbers.

    The outermost line of a page goes where it returns, but for its numbers, at that height of three pages, or counts
    them; a line inside of one that goes must return word for word, or be a page number.
    """
    edges = [_edges(page) for page in pages]
    folded, exact = (
        Counter(key for sides in edges for key in {_key(row, fold=fold) for side in sides for row in side})
        for fold in (True, False)
    )
    counting = _counting(pages, edges)
    enough = min(_MIN_PAGES, max(2, len(pages)))
    kept = []
    for page, sides in zip(pages, edges, strict=True):
        gone: set[int] = set()
        for side in sides:
            for depth, row in enumerate(side):
                outermost = depth == 0 and (
                    folded[_key(row, fold=True)] >= enough or any(place in counting for place in _places(page, row))
                )
                if exact[_key(row, fold=False)] < enough and not outermost and not _is_page_number(row, page):
                    break
                gone |= {id(word) for word in row}
        kept.append([word for word in page.words if id(word) not in gone])
    return kept


def _counting(pages: Sequence[PdfPage], edges: Sequence[Edges]) -> set[Place]:
    """Where the outermost lines of at least three pages, and of a third of them, say the pages' numbers."""
    places = Counter(
        place
        for page, sides in zip(pages, edges, strict=True)
        for side in sides
        for row in side[:1]
        for place in _places(page, row)
    )
    return {place for place, count in places.items() if count >= max(_MIN_PAGES, len(pages) / 3)}


def _places(page: PdfPage, row: Sequence[Word]) -> set[Place]:
    """The height of a line, and how far the numbers at its ends are from the page's."""
    ends = {row[0].text, row[-1].text}
    return {(round(row[0].base / 4), int(end) - page.number) for end in ends if re.fullmatch(r"\d{1,4}", end)}


def _edges(page: PdfPage) -> Edges:
    """The first lines of a page from the top and the last ones from the bottom."""
    lines: dict[float, list[Word]] = {}
    for line in segments(page.words):
        lines.setdefault(round(line.base), []).extend(line.words)
    ordered = [lines[base] for base in sorted(lines) if _is_at_edge(lines[base], page, _EDGE)]
    return ordered[:_EDGE_LINES], ordered[: -_EDGE_LINES - 1 : -1]


def _is_at_edge(row: Sequence[Word], page: PdfPage, edge: float) -> bool:
    return not edge < row[0].base / max(page.height, 1) < 1 - edge


def _key(row: Sequence[Word], *, fold: bool) -> tuple[str, int]:
    text = " ".join(word.text for word in row)
    return re.sub(r"\d+", "#", text) if fold else text, round(row[0].base / 4)


def _is_page_number(row: Sequence[Word], page: PdfPage) -> bool:
    text = " ".join(word.text for word in row)
    return _is_at_edge(row, page, _NUMBER_EDGE) and bool(_NUMBER.fullmatch(text) or _PRINTED.fullmatch(text))
