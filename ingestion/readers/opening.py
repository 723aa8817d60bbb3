"""From a stranger's file to its text.

Regular files alone are opened, and no more of them, or of a line, is read than the limits allow; decoded in the
encoding that nobody wrote down; and what was decoded wrongly before is undone.
"""

import codecs
import io
import os
import re
import stat
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, TextIO

import ftfy

from ingestion.limits import SETTING, ReadingLimits
from ingestion.readers.notes import Notes

MEBIBYTE = 2**20
SMALL_FILE_BYTES = MEBIBYTE
"""Most bytes of a file that says how others are to be read: a sidecar, `shop.toml`, `.footnoteignore`."""


class RefusedFileError(Exception):
    """A file that is not read; the message says why and what to do."""


def open_regular(path: Path) -> BufferedReader:
    """Open a file that may have become something else since it was found; a pipe or device is closed unread.

    Raises:
        OSError: It is gone or may not be read.
        RefusedFileError: It is no regular file.
    """
    # Without waiting: a named pipe has an end that nobody may ever open.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        problem = "it is no regular file"
        raise RefusedFileError(problem)
    return os.fdopen(descriptor, "rb")


def read_small(path: Path) -> bytes:
    """Read a file that says how others are to be read.

    Raises:
        OSError: It is gone or may not be read.
        RefusedFileError: It is no regular file, or larger than such files are.
    """
    with open_regular(path) as file:
        data = file.read(SMALL_FILE_BYTES + 1)
    if len(data) > SMALL_FILE_BYTES:
        problem = "it is larger than the 1 MiB of such a file; shorten it"
        raise RefusedFileError(problem)
    return data


def read_bytes(path: Path, limits: ReadingLimits, name: str) -> bytes:
    """Read a whole file, whatever size it was when it was found.

    Args:
        path: The file.
        limits: The limits.
        name: That of its size.

    Raises:
        OSError: It is gone or may not be read.
        RefusedFileError: It is no regular file, or beyond the limit.
    """
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        check_size(size, limits, name)
        return file.read(size)


def check_size(size: int, limits: ReadingLimits, name: str, what: str = "it is {:,.1f} MiB large") -> None:
    """Refuse what is larger than a limit.

    Args:
        size: Its bytes.
        limits: The limits.
        name: That of its size.
        what: Says it, with a place for the mebibytes.

    Raises:
        RefusedFileError: It is larger.
    """
    if size > getattr(limits, name) * MEBIBYTE:
        raise RefusedFileError(limits.beyond(name, what.format(size / MEBIBYTE)))


def text_lines(stream: TextIO, limits: ReadingLimits) -> Iterator[str | None]:
    """The lines with their ends; None for one that is too long, which is passed over."""
    most = limits.row_characters
    while line := stream.readline(most):
        whole = len(line) < most or _ends(line)
        while not whole and (rest := stream.readline(most)):
            line, whole = "", len(rest) < most or _ends(rest)
        yield line if whole and line else None


def long_line(limits: ReadingLimits, what: str = "line") -> str:
    """What is wrong with a line that is too long."""
    return f"a {what} of more than {limits.row_characters:,} characters, ten cells of {SETTING}.cell_characters"


def _ends(line: str) -> bool:
    return line.endswith(("\n", "\r"))


_DECLARED = re.compile(
    rb"""<meta[^<>]+charset\s*+=\s*+(?:["']\s*+)?([\w.:-]+)|<\?xml[^<>]+encoding\s*=\s*["']([\w.:-]+)""", re.IGNORECASE
)
_DECLARED_WITHIN = 4096
_SAMPLE = 65536
_BLOCK = 2**20
_ZERO_SHARE = 0.2
"""So large a share of zero bytes have texts in units of two or four bytes, where their letters are mostly Latin."""
_WIDE = ["utf_16", "utf_32", "utf_16_le", "utf_16_be"]
_LATIN = "cp1252"
_SCRIPTS = [_LATIN, "cp1251", "cp1253", "shift_jis", "gb18030", "big5", "euc_kr", "euc_jp"]
"""An encoding of each script that shops are likely to write."""
_FEW = 8
"""So few bytes beyond ASCII are no evidence of another script."""
_BY_LANGUAGE = dict.fromkeys(("bs", "cs", "hr", "hu", "pl", "ro", "sk", "sl", "sq"), "cp1250") | {
    "az": "cp1254",
    "tr": "cp1254",
}
_SURROGATE = re.compile("[\ud800-\udfff]")
"""Halves of a character; alone, one cannot be stored."""


def decode(data: bytes, notes: Notes) -> str:
    """Decode a text that is at hand as `encoding_of` tells."""
    return data.decode(encoding_of(io.BytesIO(data), notes), errors="replace")


def encoding_of(file: BinaryIO, notes: Notes) -> str:
    """The encoding of a text: by its byte order mark, UTF-8, as it says of itself, or as what its bytes look like.

    UTF-8 with a few broken bytes stays UTF-8; guessing anew would spoil every other letter. The file is read block by
    block, and left at its beginning.
    """
    head = file.read(_SAMPLE)
    file.seek(0)
    encoding = None
    if head.count(0) > _ZERO_SHARE * len(head):
        encoding = _guessed(head, _WIDE)
    if encoding is None:
        whole, broken = _as_utf8(file)
        if not broken:
            return "utf-8-sig" if head.startswith(codecs.BOM_UTF8) else "utf-8"
        encoding = "utf-8" if whole > broken else _declared(head) or _of_script(_telling(file))
    odd = f"is read as {encoding}" if encoding != "utf-8" else "has bytes that are no UTF-8, read as �"
    notes.add(odd)
    return encoding


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    """The file from its beginning, where it is left again."""
    file.seek(0)
    yield from iter(lambda: file.read(_BLOCK), b"")
    file.seek(0)


def _texts(file: BinaryIO, encoding: str, errors: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    for block in _blocks(file):
        yield decoder.decode(block)
    yield decoder.decode(b"", final=True)


def _as_utf8(file: BinaryIO) -> tuple[int, int]:
    """How many of the characters beyond ASCII are whole, and how many bytes are of none."""
    beyond = broken = 0
    for text in _texts(file, "utf-8", "surrogateescape"):
        broken += 0 if text.isascii() else len(_SURROGATE.findall(text))
        beyond += 0 if text.isascii() else len(text) - len(text.encode("ascii", "ignore"))
    return beyond - broken, broken


def _declared(head: bytes) -> str | None:
    """The encoding that a page names in its head, where it is one and not UTF-8, which it has proved not to be."""
    match = _DECLARED.search(head[:_DECLARED_WITHIN])
    name = (match[1] or match[2]).decode("ascii") if match else ""
    try:
        # Browsers read Latin-1 as its superset of Windows, and so does who writes it.
        known = {"iso8859-1": "cp1252", "ascii": "cp1252"}.get(codecs.lookup(name).name, codecs.lookup(name).name)
    except LookupError:
        return None
    return None if known.startswith("utf") else known


def _guessed(sample: bytes, among: list[str]) -> str | None:
    """The encoding that bytes look like; None where they look like none of these."""
    from charset_normalizer import from_bytes  # noqa: PLC0415 - needed for few files

    best = from_bytes(sample, cp_isolation=among).best()
    return best.encoding if best else None


def _of_script(telling: bytes) -> str:
    """The encoding of a script; among the Latin ones, which look alike, that of the text's language."""
    from py3langid import classify  # noqa: PLC0415 - needed for few files

    few = sum(byte > 0x7F for byte in telling) < _FEW  # noqa: PLR2004 - the end of ASCII
    script = _LATIN if few else _guessed(telling, _SCRIPTS) or _LATIN
    language = classify(telling.decode(_LATIN, errors="replace"))[0]
    return _BY_LANGUAGE.get(language, script) if script == _LATIN else script


def _telling(file: BinaryIO) -> bytes:
    """The first lines with bytes beyond ASCII."""
    telling = b""
    for block in _blocks(file):
        if not block.isascii():
            lines = [line for line in block.split(b"\n") if not line.isascii()]
            telling = b"\n".join([*filter(None, [telling]), *lines])[:_SAMPLE]
        if len(telling) >= _SAMPLE:
            break
    file.seek(0)
    return telling


def mend(text: str) -> str:
    """Undo a wrong decoding (`CafÃ©`) line by line, where there is no other explanation for what stands there."""
    if _SURROGATE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
    return text if text.isascii() else "\n".join(map(ftfy.fix_encoding, text.split("\n")))


def mend_row(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Mend every text of a row."""
    if isinstance(value, str):
        return mend(value)
    if isinstance(value, dict):
        return {mend_row(name): mend_row(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [mend_row(inner) for inner in value]
    return value
