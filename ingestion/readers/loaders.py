"""PDF and Word files through langchain-community's document loaders, the one place that knows them."""

import logging
import re
import warnings
from collections import Counter
from pathlib import Path


def load_pdf(path: Path) -> list[tuple[int, str]]:
    """Read a PDF.

    Returns:
        Page numbers, from 1, and the pages' texts without the running heads and feet they share.
    """
    with warnings.catch_warnings():
        # langchain-community announces its sunset at import; this module is the seam to replace it at.
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        from langchain_community.document_loaders import PyPDFLoader  # noqa: PLC0415 - heavy, for PDF alone

        logging.getLogger("pypdf").setLevel(logging.ERROR)
        documents = PyPDFLoader(str(path)).load()
    pages = [(int(document.metadata.get("page", 0)) + 1, document.page_content) for document in documents]
    return _without_running_lines(pages)


def load_docx(path: Path) -> str:
    """Read the text of a Word file, a paragraph between blank lines."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        from langchain_community.document_loaders import Docx2txtLoader  # noqa: PLC0415 - heavy, for Word alone

        documents = Docx2txtLoader(str(path)).load()
    return "\n\n".join(document.page_content for document in documents)


_MIN_PAGES = 3


def _without_running_lines(pages: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Drop first and last lines that return on most pages, but for their numbers."""
    if len(pages) < _MIN_PAGES:
        return pages
    edges = Counter(edge for _, text in pages for edge in {*map(_folded, _edges(text))})
    running = {edge for edge, count in edges.items() if count > len(pages) / 2}
    return [(number, _trim(text, running)) for number, text in pages]


def _edges(text: str) -> list[str]:
    lines = [line for line in text.split("\n") if line.strip()]
    return [*lines[:1], *lines[-1:]]


def _folded(line: str) -> str:
    return re.sub(r"\d+", "#", " ".join(line.split()))


def _trim(text: str, running: set[str]) -> str:
    lines = text.strip().split("\n")
    while lines and _folded(lines[0]) in running:
        lines.pop(0)
    while lines and _folded(lines[-1]) in running:
        lines.pop()
    return "\n".join(lines)
