"""Word documents: paragraphs, tables and numbered lists."""

import io
import logging
import re
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from ingestion.limits import DEFAULT_LIMITS, ReadingLimits
from ingestion.readers.blocks import ParsedDocument
from ingestion.readers.cleaning import clean
from ingestion.readers.html_page import parse_html
from ingestion.readers.opening import RefusedFileError, check_size, open_regular

MARK = "footnote-number"
"""Begins the names of the bookmarks that carry numbers."""

_STYLES = {"decimal": "1", "decimalZero": "1", "lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i"} | {
    "upperRoman": "I"
}
"""Word's number formats, as HTML's list types."""


class _Numbering:
    """Counts numbered paragraphs as Word does, by what `numbering.xml` says."""

    def __init__(self, data: bytes) -> None:
        root = _parse(data)
        self._levels: dict[tuple[str | None, int], tuple[int, str | None]] = {}
        for listed in root.iter("{*}abstractNum"):
            for level in listed.iter("{*}lvl"):
                style = _STYLES.get(_value(level.find("{*}numFmt")) or "decimal")
                start = int(_value(level.find("{*}start")) or 1)
                self._levels[_attribute(listed, "abstractNumId"), int(_attribute(level, "ilvl") or 0)] = start, style
        self._lists: dict[str | None, str | None] = {}
        self._restarts: dict[tuple[str | None, int], int] = {}
        for instance in root.iter("{*}num"):
            number_id = _attribute(instance, "numId")
            self._lists[number_id] = _value(instance.find("{*}abstractNumId"))
            for override in instance.iter("{*}lvlOverride"):
                if restart := _value(override.find("{*}startOverride")):
                    self._restarts[number_id, int(_attribute(override, "ilvl") or 0)] = int(restart)
        self._counted: dict[str | None, dict[int, int]] = defaultdict(dict)

    def count(self, number_id: str | None, level: int) -> tuple[int, str] | None:
        """Count a paragraph of a list; None where the level has bullets."""
        listed = self._lists.get(number_id)
        start, style = self._levels.get((listed, level), (1, None))
        if style is None:
            return None
        counted = self._counted[listed]
        counted[level] = counted[level] + 1 if level in counted else start
        # A restart holds from the first paragraph that uses this instance of the list.
        counted[level] = self._restarts.pop((number_id, level), counted[level])
        for deeper in [other for other in counted if other > level]:
            del counted[deeper]
        return counted[level], style


def mark_numbers(document: bytes, numbering: bytes) -> bytes:
    """Put a bookmark named `footnote-number-NUMBER-TYPE` into every numbered paragraph of a `document.xml`."""
    counter = _Numbering(numbering)
    root = _parse(document)
    for listed in root.iterfind(".//{*}p/{*}pPr/{*}numPr"):
        counted = counter.count(_value(listed.find("{*}numId")), int(_value(listed.find("{*}ilvl")) or 0))
        if counted is not None:
            namespace = etree.QName(listed).namespace
            bookmark = etree.Element(f"{{{namespace}}}bookmarkStart")
            bookmark.set(f"{{{namespace}}}name", f"{MARK}-{counted[0]}-{counted[1]}")
            listed.getparent().addnext(bookmark)
    return bytes(etree.tostring(root))


def _parse(data: bytes) -> etree._Element:
    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))


def _value(element: etree._Element | None) -> str | None:
    return None if element is None else _attribute(element, "val")


def _attribute(element: etree._Element, name: str) -> str | None:
    """An attribute of Word's namespace, of which there are two."""
    return next((str(value) for key, value in element.attrib.items() if etree.QName(key).localname == name), None)


_READ_SUFFIXES = (".xml", ".rels")
"""Pictures and fonts are no text."""
_DAMAGED = "it is damaged; save it anew as .docx"
_DOCUMENT, _LISTS = "word/document.xml", "word/numbering.xml"
_PARTS = {
    "title": "{http://purl.org/dc/elements/1.1/}title",
    "keywords": "{http://schemas.openxmlformats.org/package/2006/metadata/core-properties}keywords",
    "updated_at": "{http://purl.org/dc/terms/}modified",
}
_NUMBERED_ITEM = re.compile(rf'<li>((?:\s*<p>)?)<a id="{MARK}-(\d+)-(\w)"></a>')
_MARK_LEFT = re.compile(rf'<a id="{MARK}-[^"]*"></a>')
_FIRST_NOTE = re.compile(r'<ol>(?=<li id="(?:foot|end)note-)')


def parse_docx(path: Path, limits: ReadingLimits = DEFAULT_LIMITS) -> tuple[ParsedDocument, dict[str, str]]:
    """Read a Word file.

    Returns:
        Its title and content, and what its properties say: `keywords`, `updated_at`.

    Raises:
        RefusedFileError: It is no Word file, is damaged, or beyond a limit.
    """
    data, properties = _with_numbers(path, limits)
    html = _NUMBERED_ITEM.sub(r'<li value="\2" type="\3">\1', _as_html(data))
    html = _FIRST_NOTE.sub("<h1>Notes</h1><ol>", _MARK_LEFT.sub("", html), count=1)
    parsed, _ = parse_html(clean(html))
    own = html.lstrip().startswith("<h1") and (html.count("<h1") == 1 or html.lstrip().startswith('<h1 class="title"'))
    named = properties.pop("title", None)
    return ParsedDocument(parsed.title if own else named, parsed.blocks), properties


def _as_html(data: bytes) -> str:
    """Turn a Word file into HTML: headings, lists, tables, notes and links; no pictures, headers or footers."""
    import mammoth  # noqa: PLC0415 - heavy, for Word alone

    logging.getLogger("mammoth").setLevel(logging.ERROR)
    styles = "p[style-name='Title'] => h1.title:fresh"
    result = mammoth.convert_to_html(io.BytesIO(data), style_map=styles, convert_image=lambda _image: [])
    return str(result.value)


def _with_numbers(path: Path, limits: ReadingLimits) -> tuple[bytes, dict[str, str]]:
    """The file with its numbers written out, and its properties."""
    packed = io.BytesIO()
    parts = _parts(path, limits)
    if {_DOCUMENT, _LISTS} <= set(parts):
        parts[_DOCUMENT] = mark_numbers(parts[_DOCUMENT], parts[_LISTS])
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return packed.getvalue(), dict(_properties(parts.get("docProps/core.xml")))


def _parts(path: Path, limits: ReadingLimits) -> dict[str, bytes]:
    """The parts that hold text, by their names, where all of the file unpacks to no more than the limit."""
    with open_regular(path) as file:
        if not zipfile.is_zipfile(file):
            problem = "it is no .docx file, or encrypted; save it as .docx without a password"
            raise RefusedFileError(problem)
        try:
            with zipfile.ZipFile(file) as archive:
                # Nothing unpacks to more than the archive says of it: there the library stops, and finds it damaged.
                size = sum(entry.file_size for entry in archive.infolist())
                check_size(size, limits, "unpacked_mebibytes", "it unpacks to {:,.1f} MiB")
                names = [name for name in archive.namelist() if name.endswith(_READ_SUFFIXES)]
                return {name: _undeclared(archive.read(name)) for name in names}
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, etree.LxmlError) as error:
            raise RefusedFileError(_DAMAGED) from error


def _undeclared(part: bytes) -> bytes:
    """Refuse a part that declares a document type, as no Word file does: its entities could swell without end."""
    if _parse(part).getroottree().docinfo.internalDTD is not None:
        problem = "it declares XML entities, as no Word file does; save it anew as .docx"
        raise RefusedFileError(problem)
    return part


def _properties(data: bytes | None) -> Iterator[tuple[str, str]]:
    if data is None:
        return
    root = _parse(data)
    for name, tag in _PARTS.items():
        value = (root.findtext(tag) or "").strip()
        if value:
            yield name, value
