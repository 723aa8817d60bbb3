"""The formats of documents, an entry each; front matter, which texts may begin with."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from ingestion.limits import ReadingLimits
from ingestion.readers.blocks import ParsedDocument
from ingestion.readers.cleaning import clean
from ingestion.readers.html_page import parse_html
from ingestion.readers.markdown import parse_markdown
from ingestion.readers.notes import Notes
from ingestion.readers.opening import RefusedFileError, decode, mend, read_bytes
from ingestion.readers.pdf import parse_pdf
from ingestion.readers.rows import DocumentMeta
from ingestion.readers.word import parse_docx

Parsed = tuple[ParsedDocument, dict[str, Any]]
"""A document's own title and content, and what it says of itself."""
TEXT_SIZE = "text_mebibytes"
_TABS = re.compile(r"(?<=\S)\t+(?=\S)")
"""Between the cells of a table in plain text."""
_FRONT_MATTER = re.compile(r"\A\s*---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)


class _TextLoader(yaml.SafeLoader):
    """Leaves every value as it is written: an id `0042`, a title `1.10` and a date are texts; `null` is none."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuse aliases, which make one value stand many times: nine of nine of nine fill any memory."""
        if self.check_event(yaml.AliasEvent):
            problem = "its front matter has YAML aliases (&name, *name), which are not read; write the values out"
            raise RefusedFileError(problem)
        return super().compose_node(parent, index)


_TextLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag == "tag:yaml.org,2002:null"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def split_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """Part a text into its YAML front matter, empty where it has none, and its body.

    What stands between two rules is metadata only where it names something that documents have.

    Raises:
        RefusedFileError: The metadata has aliases.
        RecursionError: It is nested deeper than metadata is.
    """
    match = _FRONT_MATTER.match(text)
    if match is None:
        return {}, text
    try:
        data = yaml.load(match[1], Loader=_TextLoader)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, ValueError):
        data = _plain_pairs(match[1])
    if not isinstance(data, dict) or not set(map(str, data)) & set(DocumentMeta.model_fields):
        return {}, text
    return {str(name): value for name, value in data.items()}, text[match.end() :]


def _plain_pairs(block: str) -> dict[str, str] | None:
    """Read `name: value` lines that are no YAML, such as an unquoted title with a colon in it."""
    pairs = [line.split(":", 1) for line in block.split("\n") if line.strip()]
    if not all(len(pair) == 2 and re.fullmatch(r"\w+", pair[0].strip()) for pair in pairs):  # noqa: PLR2004 - a pair
        return None
    return {name.strip(): value.strip().strip("\"'") for name, value in pairs}


def _article(text: str) -> Parsed:
    front, body = split_front_matter(text)
    return parse_markdown(body), front


def _plain_text(text: str) -> Parsed:
    front, body = split_front_matter(text)
    return parse_markdown(_TABS.sub(" | ", body)), front


def _text(path: Path, notes: Notes, limits: ReadingLimits) -> str:
    return clean(mend(decode(read_bytes(path, limits, TEXT_SIZE), notes)))


@dataclass(frozen=True, slots=True)
class DocumentFormat:
    """How files of a suffix are read.

    Attributes:
        parse: Reads a file, within the limits.
        size: Name of the limit of its size; what is no text is always read in a process of its own.
        packages: Those whose version decides what is read.
    """

    parse: Callable[[Path, Notes, ReadingLimits], Parsed]
    size: str
    packages: tuple[str, ...]


_MARKUP = ("beautifulsoup4", "lxml")
_MARKDOWN = DocumentFormat(lambda *file: _article(_text(*file)), TEXT_SIZE, (*_MARKUP, "markdown-it-py", "pyyaml"))
_HTML = DocumentFormat(lambda *file: parse_html(_text(*file)), TEXT_SIZE, _MARKUP)
DOCUMENT_FORMATS = {
    ".md": _MARKDOWN,
    ".txt": DocumentFormat(lambda *file: _plain_text(_text(*file)), TEXT_SIZE, _MARKDOWN.packages),
    ".html": _HTML,
    ".htm": _HTML,
    ".pdf": DocumentFormat(parse_pdf, "pdf_mebibytes", ("pdfminer.six", "pdfplumber")),
    ".docx": DocumentFormat(lambda path, _, limits: parse_docx(path, limits), "docx_mebibytes", (*_MARKUP, "mammoth")),
}
