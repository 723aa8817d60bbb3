"""Word files to plain-text blocks."""

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from ingestion.readers.blocks import ParsedDocument
from ingestion.readers.cleaning import clean
from ingestion.readers.html_page import parse_html
from ingestion.readers.loaders import RefusedFileError, load_docx
from ingestion.readers.word_numbering import MARK, mark_numbers

_MAX_UNPACKED_BYTES = 512 * 2**20
_DOCUMENT = "word/document.xml"
_PARTS = {
    "title": "{http://purl.org/dc/elements/1.1/}title",
    "keywords": "{http://schemas.openxmlformats.org/package/2006/metadata/core-properties}keywords",
    "updated_at": "{http://purl.org/dc/terms/}modified",
}
_NUMBERED_ITEM = re.compile(rf'<li>((?:\s*<p>)?)<a id="{MARK}-(\d+)-(\w)"></a>')
_MARK_LEFT = re.compile(rf'<a id="{MARK}-[^"]*"></a>')
_FIRST_NOTE = re.compile(r'<ol>(?=<li id="(?:foot|end)note-)')


def parse_docx(path: Path) -> tuple[ParsedDocument, dict[str, str]]:
    """Read a Word file.

    Returns:
        Its title and content, and what its properties say: `keywords`, `updated_at`.

    Raises:
        RefusedFileError: It is no Word file, or unpacks to more than 512 MiB.
    """
    data, properties = _with_numbers(path)
    html = _NUMBERED_ITEM.sub(r'<li value="\2" type="\3">\1', load_docx(data))
    html = _FIRST_NOTE.sub("<h1>Notes</h1><ol>", _MARK_LEFT.sub("", html), count=1)
    parsed, _ = parse_html(clean(html))
    own = re.match(r"\s*<h1", html) and (html.count("<h1") == 1 or html.lstrip().startswith('<h1 class="title"'))
    named = properties.pop("title", None)
    return ParsedDocument(parsed.title if own else named, parsed.blocks), properties


def _with_numbers(path: Path) -> tuple[bytes, dict[str, str]]:
    """The file with its numbers written out, and its properties."""
    packed = io.BytesIO()
    if not zipfile.is_zipfile(path):
        problem = "it is no .docx file, or encrypted; save it as .docx without a password"
        raise RefusedFileError(problem)
    with zipfile.ZipFile(path) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
        if size > _MAX_UNPACKED_BYTES:
            problem = f"it unpacks to {size / 2**20:,.0f} MiB"
            raise RefusedFileError(problem)
        parts = {name: archive.read(name) for name in archive.namelist()}
    if _DOCUMENT in parts:
        numbering, styles = (parts.get(f"word/{name}.xml") for name in ("numbering", "styles"))
        parts[_DOCUMENT] = mark_numbers(parts[_DOCUMENT], numbering, styles)
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return packed.getvalue(), dict(_properties(parts.get("docProps/core.xml")))


def _properties(data: bytes | None) -> Iterator[tuple[str, str]]:
    if data is None:
        return
    root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
    for name, tag in _PARTS.items():
        value = (root.findtext(tag) or "").strip()
        if value:
            yield name, value
