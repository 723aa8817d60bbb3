"""Where the sentences of a line end, and which of their words each marker supports."""

import re
from collections.abc import Iterator
from itertools import pairwise

from graph.llm.markers import MARK, KnownMarkers
from graph.llm.stream_events import DraftedSegment
from ingestion.spans import sentence_spans

_STOPS = ".!?…。！？।॥؟۔"  # noqa: RUF001 - other scripts' marks are meant
_CLOSERS = "\"'”’»)]」』）"  # noqa: RUF001 - full-width marks are meant
_AS_LATIN = str.maketrans(dict.fromkeys("।॥؟۔", "!"))  # noqa: RUF001 - other scripts' marks are meant
"""Full stops that are followed by a space, as the plain text's cutter knows them."""
_C = re.escape(_CLOSERS)
_PARTING = frozenset(("", ",", ";", "&", "and"))
"""What parts markers of one place and is not said."""
_BEHIND_STOP = re.compile(rf"([{_STOPS}]{{1,9}}[{_C}]{{0,9}})({MARK}+)[{_STOPS}]*")
_END = re.compile(rf"{MARK}[{_STOPS}]+[{_C}]*(?=[^\W\d]|\s+\S)")
_SEGMENT = re.compile(rf"([^{MARK}]*)({MARK}*)([{_STOPS}{_C},;:、，：；]*)")  # noqa: RUF001 - full-width marks are meant

Segments = tuple[DraftedSegment, ...]


def sentences_of(line: str, known: KnownMarkers) -> tuple[list[Segments], tuple[str, ...]]:
    """The sentences of a line, as those of an evidence text end.

    A marker tells more: a full stop right behind one ends a sentence, and so does one right before it, unless a small
    letter follows.

    Returns:
        The segments of each sentence, and what markers that stand alone in the line cite.
    """
    text, cited = _marked(line, known)
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
    found = [_segments(piece, ids) for piece in pieces]
    return found, tuple(dict.fromkeys(one for mark in ids for one in mark))


def segments_of(text: str, known: KnownMarkers) -> Segments:
    """The segments of a text that is one whole, such as a cell of a table."""
    marked, cited = _marked(text, known)
    return _segments(marked, iter(cited))


def _marked(text: str, known: KnownMarkers) -> tuple[str, list[tuple[str, ...]]]:
    """A text without Markdown's bold and code marks, each marker behind the words it supports, before a full stop."""
    marked, cited = known.marked(" ".join(without_emphasis(text).split()))
    first, *between = marked.replace(f" {MARK}", MARK).split(MARK)
    last = between[-1:]
    marked = MARK.join([first, *("" if one.strip() in _PARTING else one for one in between[:-1]), *last])
    for closing in f"{_STOPS},;:)":
        marked = marked.replace(f"{MARK} {closing}", f"{MARK}{closing}")
    return _BEHIND_STOP.sub(_before_stop, marked).strip(), cited


def _before_stop(found: re.Match[str]) -> str:
    following = found.string[found.end() :].lstrip(" \"'“‘«(")
    return found[0] if following[:1].islower() else found[2] + found[1]


def _pieces(text: str) -> Iterator[str]:
    ends = [0, *(found.end() for found in _END.finditer(text)), len(text)]
    for start, end in pairwise(ends):
        piece = text[start:end]
        for opens, closes in sentence_spans(piece.translate(_AS_LATIN), longest=max(len(piece), 1)):
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
