"""Decoding files whose encoding nobody wrote down."""

import codecs
import re

from ingestion.readers.repairs import Repairs

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(
    rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)|<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)""", re.IGNORECASE
)
_DECLARED_WITHIN = 4096
_SAMPLE = 65536
_NULL_SHARE = 0.3
"""Text in UTF-16 without a mark has so many zero bytes, where its letters are mostly Latin."""
_FEW = 8
"""So few bytes beyond ASCII are no evidence of another script."""
_LATIN = ("cp1250", "cp1252", "cp1254", "cp1257", "cp437", "cp85", "cp775", "latin", "iso8859", "mac_", "hp_", "cp1140")
_BY_LANGUAGE = {
    "cp1250": {"bs", "cs", "hr", "hu", "pl", "ro", "sk", "sl", "sq"},
    "cp1254": {"az", "tr"},
    "cp1257": {"et", "lt", "lv"},
}


def decode(data: bytes, repairs: Repairs) -> str:
    """Decode text: by its byte order mark, as UTF-8, as it says of itself, or as what its bytes look like.

    UTF-8 with a few broken bytes stays UTF-8; guessing anew would spoil every other letter.
    """
    encoding = next((encoding for bom, encoding in _BOMS if data.startswith(bom)), None) or _unmarked_utf16(data)
    if encoding is not None:
        if encoding != "utf-8-sig":
            repairs.note("encoding", detail=encoding)
        return _decode(data, encoding, repairs)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("utf-8", errors="replace")
    broken = text.count("\ufffd")
    if sum(character > "\x7f" for character in text) - broken > broken:
        _note_broken(text, repairs)
        return text
    encoding = _declared(data) or _guessed(data)
    repairs.note("encoding", detail=encoding)
    return _decode(data, encoding, repairs)


def _decode(data: bytes, encoding: str, repairs: Repairs) -> str:
    text = data.decode(encoding, errors="replace")
    _note_broken(text, repairs)
    return text


def _note_broken(text: str, repairs: Repairs) -> None:
    for number, line in enumerate(text.split("\n"), start=1):
        if "\ufffd" in line:
            repairs.note("broken_bytes", number)


def _unmarked_utf16(data: bytes) -> str | None:
    """UTF-16 without a byte order mark, told by where its zero bytes stand."""
    sample = data[:_SAMPLE]
    for encoding, zeros in (("utf-16-le", sample[1::2]), ("utf-16-be", sample[::2])):
        if len(zeros) > 1 and zeros.count(0) > _NULL_SHARE * len(zeros) and sample.count(0) == zeros.count(0):
            return encoding
    return None


def _declared(data: bytes) -> str | None:
    """The encoding that a page names in its head, where it is one and not UTF-8, which it has proved not to be."""
    match = _DECLARED.search(data[:_DECLARED_WITHIN])
    name = (match[1] or match[2]).decode("ascii") if match else ""
    try:
        # Browsers read Latin-1 as its superset of Windows, and so does who writes it.
        known = {"iso8859-1": "cp1252", "ascii": "cp1252"}.get(codecs.lookup(name).name, codecs.lookup(name).name)
    except LookupError:
        return None
    return None if known.startswith("utf") else known


def _guessed(data: bytes) -> str:
    """The encoding that bytes look like; among the Latin ones, which look alike, that of the text's language."""
    from charset_normalizer import from_bytes  # noqa: PLC0415 - needed for few files
    from py3langid import classify  # noqa: PLC0415 - needed for few files

    telling = b"\n".join(line for line in data.split(b"\n") if not line.isascii())[:_SAMPLE]
    best = from_bytes(telling).best()
    few = sum(byte > 0x7F for byte in telling) < _FEW  # noqa: PLR2004 - the end of ASCII
    if best is not None and not few and not best.encoding.startswith(_LATIN):
        return str(best.encoding)
    language = classify(telling.decode("cp1252", errors="replace"))[0]
    return next((encoding for encoding, languages in _BY_LANGUAGE.items() if language in languages), "cp1252")
