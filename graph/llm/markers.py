"""Markers: how a model cites, and which of its words each marker supports."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import quote

from ingestion.spans import sentence_spans

_UNSAFE = frozenset('[](){}【】,;|*`"\\<>')
"""What would end a marker, part two of them, or be read as Markdown; ids keep everything else but odd white space."""
_BRACKETED = re.compile(r"\[([^\[\]]*)(\]|(?=\[)|\Z)")
"""Brackets, also those that another one or the end of the line breaks off."""
_INVENTED = re.compile(r"\A(?:\^?\d{1,3}(?:\s*[-–]\s*\d{1,3})?|[a-z_]+:(?!//)\S+)", re.IGNORECASE)
MARK = "\ue000"
"""Stands for a marker in a text that is read: a private character, which is not printable, so that no answer has it."""
_STOPS = ".!?…。！？"  # noqa: RUF001 - full-width marks are meant
_CLOSERS = "\"'”’»)]」』）"  # noqa: RUF001 - full-width marks are meant
_C = re.escape(_CLOSERS)
_PARTING = frozenset(("", ",", ";", "&", "and"))
"""What parts markers of one place and is not said."""
_BEHIND_STOP = re.compile(rf"([{_STOPS}]{{1,9}}[{_C}]{{0,9}})({MARK}+)[{_STOPS}]*")
_END = re.compile(rf"{MARK}[{_STOPS}]+[{_C}]*(?=[^\W\d]|\s+\S)")
_SEGMENT = re.compile(rf"([^{MARK}]*)({MARK}*)([{_STOPS}{_C},;:]*)")


class DraftedSegment(NamedTuple):
    """A piece of a sentence.

    Attributes:
        text: Its words without markers, spacing clean.
        ids: The evidence ids of this request that stand at its end, without repetition.
    """

    text: str
    ids: tuple[str, ...] = ()


Segments = tuple[DraftedSegment, ...]
"""The pieces of a sentence; joined, they are the sentence."""


def marker_of(evidence_id: str) -> str:
    """Write the marker of an evidence: `[spec:kestrel-2]`.

    Ids percent-encode `%`, so further percent-encoding of what a marker cannot hold stays unique and can be undone.
    """
    written = (
        one if one not in _UNSAFE and one.isprintable() else quote(one, safe="", errors="surrogatepass")
        for one in evidence_id
    )
    return f"[{''.join(written)}]"


class KnownMarkers:
    """Reads text that cites with the markers of one request."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._ids = {marker_of(one)[1:-1]: one for one in ids}

    def sentences(self, line: str) -> list[Segments]:
        """The sentences of a line, as those of an evidence text end.

        A marker tells more: a full stop right behind one ends a sentence, and so does one right before it, unless a
        small letter follows.
        """
        text, cited = self._marked(line)
        pieces: list[str] = []
        waiting = ""
        for piece in _pieces(text):
            marks = MARK * piece.count(MARK)
            if has_words(piece):
                pieces.append(waiting + piece)
                waiting = ""
            elif pieces:
                pieces[-1] += marks
            else:
                waiting += marks
        ids = iter(cited)
        return [_segments(piece, ids) for piece in pieces]

    def _marked(self, text: str) -> tuple[str, list[tuple[str, ...]]]:
        """A text with `MARK` for each marker, behind the words it supports and before a full stop; what each cites."""
        cited: list[tuple[str, ...]] = []

        def read(found: re.Match[str]) -> str:
            ids = self._read(found[1], closed=found[2] == "]")
            cited.extend([] if ids is None else [ids])
            return found[0] if ids is None else MARK

        marked = " ".join(_BRACKETED.sub(read, without_emphasis(text)).split())
        first, *between = marked.replace(f" {MARK}", MARK).split(MARK)
        last = between[-1:]
        marked = MARK.join([first, *("" if one.strip() in _PARTING else one for one in between[:-1]), *last])
        for closing in f"{_STOPS},;:)":
            marked = marked.replace(f"{MARK} {closing}", f"{MARK}{closing}")
        return _BEHIND_STOP.sub(_before_stop, marked).strip(), cited

    def _read(self, content: str, *, closed: bool) -> tuple[str, ...] | None:
        """What stands between brackets cites: nothing where it is invented or cut off; None where it is text."""
        parts = [content] if content in self._ids else [part.strip() for part in re.split("[,;]", content)]
        known = [self._ids[part] for part in parts if part in self._ids]
        cut_off = not closed and any(marker.startswith(parts[-1]) for marker in self._ids)
        if known or cut_off or all(_INVENTED.fullmatch(part) for part in parts):
            return tuple(dict.fromkeys(known)) if closed else ()
        return None


def _before_stop(found: re.Match[str]) -> str:
    following = found.string[found.end() :].lstrip(" \"'“‘«(")
    return found[0] if following[:1].islower() else found[2] + found[1]


def _pieces(text: str) -> Iterator[str]:
    ends = [0, *(found.end() for found in _END.finditer(text)), len(text)]
    for start, end in pairwise(ends):
        piece = text[start:end]
        for opens, closes in sentence_spans(piece, longest=max(len(piece), 1)):
            yield piece[opens:closes]


def _segments(sentence: str, cited: Iterator[tuple[str, ...]]) -> Segments:
    """The pieces of a sentence; each ends where markers stand, with the punctuation right behind them."""
    segments: list[DraftedSegment] = []
    text = ""
    ids: tuple[str, ...] = ()
    for words, marks, closing in _SEGMENT.findall(sentence):
        text += words + closing
        ids = (*ids, *(one for _ in marks for one in next(cited)))
        if segments and not has_words(text):
            last = segments.pop()
            text, ids = last.text + text, (*last.ids, *ids)
        if has_words(text):
            segments.append(DraftedSegment(text if segments else text.lstrip(), tuple(dict.fromkeys(ids))))
            text, ids = "", ()
    left = DraftedSegment(text.strip(), tuple(dict.fromkeys(ids)))
    return tuple(segments) or ((left,) if any(left) else ())


def without_emphasis(text: str) -> str:
    """A text without Markdown's bold and code marks."""
    return text.replace("**", "").replace("`", "")


def ends_in_stop(text: str) -> bool:
    """Whether a text ends in a full stop, closing marks behind it left out."""
    return text.rstrip(_CLOSERS)[-1:] in frozenset(_STOPS)


def has_words(text: str) -> bool:
    """Whether there is a letter or a digit in a text."""
    return any(character.isalnum() for character in text)
