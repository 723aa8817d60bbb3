"""Word files to plain-text blocks."""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from xml.parsers import expat

from lxml import etree

from ingestion.limits import DEFAULT_LIMITS, ReadingLimits
from ingestion.readers.blocks import ParsedDocument
from ingestion.readers.cleaning import clean
from ingestion.readers.html_page import parse_html
from ingestion.readers.loaders import load_docx
from ingestion.readers.opening import MEBIBYTE, RefusedFileError, check_size, open_regular
from ingestion.readers.word_numbering import MARK, mark_numbers

_MAX_ENTRIES = 10_000
_BLOCK = 2**20
_READ_SUFFIXES = (".xml", ".rels")
"""Pictures and fonts are no text."""
_PACKINGS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
"""How Word packs; other ways unpack without a bound on a step."""
_DAMAGED = "it is damaged; save it anew as .docx"
_DOCUMENT = "word/document.xml"
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
    html = _NUMBERED_ITEM.sub(r'<li value="\2" type="\3">\1', load_docx(data))
    html = _FIRST_NOTE.sub("<h1>Notes</h1><ol>", _MARK_LEFT.sub("", html), count=1)
    parsed, _ = parse_html(clean(html))
    own = html.lstrip().startswith("<h1") and (html.count("<h1") == 1 or html.lstrip().startswith('<h1 class="title"'))
    named = properties.pop("title", None)
    return ParsedDocument(parsed.title if own else named, parsed.blocks), properties


def _with_numbers(path: Path, limits: ReadingLimits) -> tuple[bytes, dict[str, str]]:
    """The file with its numbers written out, and its properties."""
    packed = io.BytesIO()
    parts = _parts(path, limits)
    if _DOCUMENT in parts:
        numbering, styles = (parts.get(f"word/{name}.xml") for name in ("numbering", "styles"))
        parts[_DOCUMENT] = mark_numbers(parts[_DOCUMENT], numbering, styles)
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return packed.getvalue(), dict(_properties(parts.get("docProps/core.xml")))


def _parts(path: Path, limits: ReadingLimits) -> dict[str, bytes]:
    """The parts that hold text, by their names, unpacked within the limit."""
    with open_regular(path) as file:
        if not zipfile.is_zipfile(file):
            problem = "it is no .docx file, or encrypted; save it as .docx without a password"
            raise RefusedFileError(problem)
        try:
            with zipfile.ZipFile(file) as archive:
                _check_entries(archive.infolist(), limits)
                parts = {}
                room = limits.unpacked_mebibytes * MEBIBYTE
                for entry in archive.infolist():
                    if entry.filename.endswith(_READ_SUFFIXES):
                        parts[entry.filename] = _unpacked(archive, entry, room, limits)
                        room -= len(parts[entry.filename])
                        _check_declarations(parts[entry.filename])
                return parts
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            raise RefusedFileError(_DAMAGED) from error


def _check_entries(entries: list[zipfile.ZipInfo], limits: ReadingLimits) -> None:
    """Refuse, before anything is unpacked, what says of itself that it unpacks to too much."""
    size = sum(entry.file_size for entry in entries)
    check_size(size, limits, "unpacked_mebibytes", "it unpacks to {:,.1f} MiB")
    if len(entries) > _MAX_ENTRIES or any(entry.compress_type not in _PACKINGS for entry in entries):
        raise RefusedFileError(_DAMAGED)


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, room: int, limits: ReadingLimits) -> bytes:
    """A part, read block by block, whatever size the archive says it has."""
    blocks: list[bytes] = []
    with archive.open(entry) as part:
        while block := part.read(_BLOCK):
            blocks.append(block)
            room -= len(block)
            if room < 0:
                raise RefusedFileError(limits.beyond("unpacked_mebibytes", "it unpacks to more than it says"))
    return b"".join(blocks)


class _BegunError(Exception):
    """What comes before the first element of a part has been read."""


def _check_declarations(part: bytes) -> None:
    """Refuse a part that declares a document type, as no Word file does: its entities could swell without end."""

    def refuse(*_declared: object) -> None:
        problem = "it declares XML entities, as no Word file does; save it anew as .docx"
        raise RefusedFileError(problem)

    def begun(*_element: object) -> None:
        raise _BegunError

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = begun
    try:
        parser.Parse(part, True)  # noqa: FBT003 - the signature is expat's
    except _BegunError:
        return
    except expat.ExpatError as error:
        raise RefusedFileError(_DAMAGED) from error


def _properties(data: bytes | None) -> Iterator[tuple[str, str]]:
    if data is None:
        return
    root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
    for name, tag in _PARTS.items():
        value = (root.findtext(tag) or "").strip()
        if value:
            yield name, value
