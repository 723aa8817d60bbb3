"""Mending the text of a source as it is read: what was decoded wrongly before, and what cannot be seen."""

import re
from typing import Any

import ftfy
from ftfy.badness import is_bad
from ftfy.chardata import C1_CONTROL_RE

from ingestion.readers.cleaning import has_entities, has_invisible, has_markup
from ingestion.readers.repairs import Repairs

_TAKEN_FOR = {"latin-1", "sloppy-windows-1252", "sloppy-windows-1251"}
"""What UTF-8 is usually taken for; rarer mistakes are not told from odd words."""


def _decoded(first: int, last: int) -> str:
    """The characters that bytes are taken for, for a regular expression."""
    encodings = ("latin-1", "cp1252", "cp1251")
    return "".join(re.escape(bytes(range(first, last + 1)).decode(name, "ignore")) for name in encodings)


_SUSPECT = re.compile(f"[{_decoded(0xC2, 0xF4)}][{_decoded(0x80, 0xBF)}]|[\x80-\x9f]")
"""A sequence of UTF-8 that was taken for two characters, which most texts have none of."""
_SURROGATE = re.compile("[\ud800-\udfff]")
"""Halves of a character; alone, one cannot be stored."""


def mend(text: str, repairs: Repairs, line: int | None = None) -> str:
    """Undo a wrong decoding (`CafÃ©`) line by line, where there is no other explanation for what stands there.

    What was done is noted, and so is what cleaning takes out later.
    """
    whole = text
    if _SURROGATE.search(text):
        whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
    mended = whole if whole.isascii() else "\n".join(_mend_line(part) for part in whole.split("\n"))
    if mended != whole:
        repairs.note("mojibake", line)
    if whole != text or has_invisible(mended):
        repairs.note("invisible_characters", line)
    return mended


def _mend_line(line: str) -> str:
    if not _SUSPECT.search(line) or not (is_bad(line) or C1_CONTROL_RE.search(line)):
        return line
    mended, steps = ftfy.fix_encoding_and_explain(line)
    taken_for = {step.parameter for step in steps or () if step.action == "encode"}
    return mended if taken_for <= _TAKEN_FOR else line


def mend_row(value: Any, repairs: Repairs, line: int | None) -> Any:  # noqa: ANN401 - any JSON value
    """Mend every text of a row, and note entities in plain ones, which its columns resolve."""
    if isinstance(value, str):
        if has_entities(value) and not has_markup(value):
            repairs.note("entities", line)
        return mend(value, repairs, line)
    if isinstance(value, dict):
        return {mend_row(name, repairs, line): mend_row(inner, repairs, line) for name, inner in value.items()}
    if isinstance(value, list):
        return [mend_row(inner, repairs, line) for inner in value]
    return value
