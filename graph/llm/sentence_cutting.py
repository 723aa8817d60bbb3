"""Where sentences and list items begin and end in a text that still grows."""

import re
from dataclasses import dataclass
from typing import Literal

from graph.llm.markers import Mark, plain
from graph.llm.stream_events import DraftedSegment
from ingestion.spans import sentence_spans

LineKind = Literal[
    "paragraph", "bullet", "step", "heading", "row", "outcome", "missing", "sources", "fence", "thoughts", "blank"
]
WHOLE_LINES = frozenset({"row", "outcome", "missing", "sources", "fence", "blank"})
"""Kinds that are read when their line is over; the others are read as they come."""

_ITEM = re.compile(r"(?:(?P<bullet>[-–—*+•‣◦▪·])|(?P<step>\d{1,3}[.)])|(?P<heading>#{1,6}))\s")
_PARTIAL_ITEM = re.compile(r"[-–—*+•‣◦▪·]|\d{1,3}[.)]?|#{1,6}")
_MARKS: dict[str, LineKind] = {"```": "fence", "~~~": "fence", "<think>": "thoughts"}
_KEYWORDS: dict[str, LineKind] = {
    "outcome": "outcome",
    "missing": "missing",
    "source": "sources",
    "sources": "sources",
    "reference": "sources",
    "references": "sources",
    "citations": "sources",
}
_KEYED = re.compile(rf"({'|'.join(_KEYWORDS)})\s*[:：]")  # noqa: RUF001 - a full-width colon is meant


@dataclass(frozen=True, slots=True)
class Opening:
    """What a line is.

    Attributes:
        kind: Its kind.
        rest: What was read of it beyond the mark of its kind; all of it for kinds that are read as a whole.
    """

    kind: LineKind
    rest: str


def opening_of(head: str, *, complete: bool) -> Opening | None:
    """Tell what a line is.

    Args:
        head: Its first characters.
        complete: Whether these are all of them.

    Returns:
        What it is, or None when further characters decide.
    """
    text = head.lstrip()
    while text.startswith(">"):
        text = text[1:].lstrip()
    if not text:
        return Opening("blank", "") if complete else None
    if text[0] == "|":
        return Opening("row", text)
    if not complete and _PARTIAL_ITEM.fullmatch(text):
        return None
    item = _ITEM.match(f"{text} " if complete else text)
    if item is not None:
        return _item(item.lastgroup, text[item.end() :], complete=complete)
    for mark, kind in _MARKS.items():
        if text[: len(mark)].lower() == mark:
            return Opening(kind, text[len(mark) :])
    return _keyed(text, "paragraph", complete=complete)


def _item(group: str | None, rest: str, *, complete: bool) -> Opening | None:
    if group == "heading":
        return _keyed(rest.lstrip(), "heading", complete=complete)
    return Opening("bullet" if group == "bullet" else "step", rest)


def _keyed(text: str, kind: LineKind, *, complete: bool) -> Opening | None:
    """A line by its first word; `kind` when that is no keyword."""
    bare = plain(text).replace("_", "").casefold()
    keyed = _KEYED.match(bare)
    if keyed is not None:
        return Opening(_KEYWORDS[keyed[1]], text)
    word = bare.strip()
    if complete:
        return Opening("sources" if _KEYWORDS.get(word) == "sources" else kind, text)
    unsure = any(one.startswith(word) for one in (*_KEYWORDS, *_MARKS))
    return None if unsure else Opening(kind, text)


_STOPS = ".!?…。！？।॥؟۔"  # noqa: RUF001 - other scripts' marks are meant
_CLOSERS = "\"'”’»)]」』）"  # noqa: RUF001 - full-width marks are meant
_AS_LATIN = str.maketrans(dict.fromkeys("।॥؟۔", "!"))  # noqa: RUF001 - other scripts' marks are meant
"""Full stops that are followed by a space, as the plain text's cutter knows them."""
_CLOSING = f"{_STOPS}{_CLOSERS},;:、，：；"  # noqa: RUF001 - full-width marks are meant
_STOP = re.compile(rf"[{_STOPS}]+[{re.escape(_CLOSERS)}]*")
_PARTING = frozenset(("", ",", ";", "&", "and"))
"""What parts two markers of one place and is not said."""


@dataclass(frozen=True, slots=True)
class CutSentence:
    """A sentence with the places of its markers.

    Attributes:
        text: Its words, spacing clean.
        marks: Markers and their offsets in `text`, in order.
    """

    text: str
    marks: tuple[tuple[int, Mark], ...]

    @property
    def invented(self) -> tuple[str, ...]:
        """Its markers that are none of the request."""
        return tuple(dict.fromkeys(one for _, mark in self.marks for one in mark.invented))


class SentenceBuffer:
    """What a line has said since its last sentence that is certain to be over.

    It agrees with `ingestion.spans.sentence_spans` on the words without markers. A marker tells more: a full stop
    right behind one ends a sentence, and so does one right before it, unless a small letter follows.
    """

    def __init__(self) -> None:
        self._text = ""
        self._marks: list[tuple[int, Mark]] = []
        self._may_end = False

    @property
    def text(self) -> str:
        """The words so far."""
        return self._text

    @property
    def marks(self) -> list[tuple[int, Mark]]:
        """The markers so far, with their offsets in `text`."""
        return self._marks

    @property
    def has_words(self) -> bool:
        """Whether there is a letter or a digit."""
        return has_words(self._text)

    def put(self, character: str) -> None:
        """Read a character of text."""
        if character.isspace():
            self._text += " " if self._text and self._text[-1] != " " else ""
            return
        behind = self._text[self._marks[-1][0] :] if self._marks else None
        if behind == " " and character in _STOPS + _CLOSERS + ",;:":
            self._text = self._text[:-1]
        twice = character in _STOPS and behind is not None and not behind.strip() and ends_in_stop(self._text)
        self._text += "" if twice else character
        self._may_end = self._may_end or character in _STOPS

    def add(self, character: str) -> CutSentence | None:
        """Read a character of text; returns the sentence that is now certain to be over."""
        self.put(character)
        if not self._may_end or not character.isalnum():
            return None
        end = self._certain_end()
        return None if end is None else self._cut(end)

    def mark(self, mark: Mark) -> None:
        """Read a marker, which stands behind the words so far."""
        self._text = self._text.rstrip()
        offset = self._marks[-1][0] if self._marks else 0
        if self._marks and self._text[offset:].strip() in _PARTING:
            self._text = self._text[:offset]
        self._marks.append((len(self._text), mark))
        self._may_end = self._may_end or ends_in_stop(self._text)

    def finish(self) -> list[CutSentence]:
        """End the line; returns its last sentences, or one without words that carries markers."""
        sentences = []
        while True:
            end = min(_ends(self._ends_at_markers(), _end_of_first(self._text)), default=None)
            if end is None or not has_words(self._text[end:]):
                break
            cut = self._cut(end)
            sentences += [cut] if cut is not None else []
        self._text = self._text[:end]
        last = self.whole()
        return [*sentences, last] if has_words(last.text) or last.marks else sentences

    def whole(self) -> CutSentence:
        """End it; returns all that is left as one sentence."""
        text = self._text.rstrip()
        marks = tuple((min(at, len(text)), mark) for at, mark in self._marks)
        self._text, self._marks, self._may_end = "", [], False
        return CutSentence(text, marks)

    def _certain_end(self) -> int | None:
        """The first end, unless what follows may still change it: `J. R` goes on if a full stop comes next."""
        plain = {_end_of_first(self._text + following) for following in ("aa", ". a")}
        certain = len(plain) == 1
        ends = _ends(self._ends_at_markers(), plain.pop() if certain else None)
        self._may_end = not certain
        return min(ends, default=None)

    def _ends_at_markers(self) -> int | None:
        for offset, _ in self._marks:
            stop = _STOP.match(self._text, offset)
            if stop is not None and _goes_on(self._text[stop.end() :]):
                return stop.end()
            following = self._text[offset:].lstrip(" \"'“‘«(")
            if offset and following and not following[0].islower() and ends_in_stop(self._text[:offset]):
                return offset
        return None

    def _cut(self, end: int) -> CutSentence | None:
        """Take the first sentence; one without words is left out, and the next one keeps its markers."""
        start = end + len(self._text[end:]) - len(self._text[end:].lstrip())
        marks = tuple((min(at, end), mark) for at, mark in self._marks if at <= start)
        sentence = CutSentence(self._text[:end], marks) if has_words(self._text[:end]) else None
        self._marks = [(max(at - start, 0), mark) for at, mark in self._marks if sentence is None or at > start]
        self._text = self._text[start:]
        self._may_end = _STOP.search(self._text) is not None
        return sentence


def _ends(*ends: int | None) -> list[int]:
    return [end for end in ends if end is not None]


def _end_of_first(text: str) -> int | None:
    """Where the first of several sentences ends."""
    spans = sentence_spans(text.translate(_AS_LATIN), longest=len(text))
    return spans[0][1] if len(spans) > 1 else None


def _goes_on(text: str) -> bool:
    """Whether a text begins with a word, or with a space and anything behind it."""
    return text[:1] == "_" or text[:1].isalpha() or (text[:1].isspace() and bool(text[1:2].strip()))


def ends_in_stop(text: str) -> bool:
    """Whether a text ends in a full stop, closing marks behind it left out."""
    return text.rstrip(_CLOSERS)[-1:] in frozenset(_STOPS)


def has_words(text: str) -> bool:
    """Whether there is a letter or a digit in a text."""
    return any(character.isalnum() for character in text)


def segments_of(sentence: CutSentence) -> tuple[DraftedSegment, ...]:
    """The pieces of a sentence; each ends where markers stand, with the punctuation right behind them."""
    segments: list[DraftedSegment] = []
    text = ""
    ids: tuple[str, ...] = ()
    for piece, cited in _pieces(sentence):
        if segments and not has_words(piece):
            last = segments.pop()
            segments.append(DraftedSegment(last.text + piece, tuple(dict.fromkeys(last.ids + cited))))
            continue
        text, ids = text + piece, (*ids, *cited)
        if has_words(text):
            segments.append(DraftedSegment(text, tuple(dict.fromkeys(ids))))
            text, ids = "", ()
    return tuple(segments) if segments or not (text or ids) else (DraftedSegment(text, tuple(dict.fromkeys(ids))),)


def _pieces(sentence: CutSentence) -> list[tuple[str, tuple[str, ...]]]:
    pieces: list[tuple[str, tuple[str, ...]]] = []
    start = 0
    for offset, mark in sentence.marks:
        end = max(start, len(sentence.text) - len(sentence.text[offset:].lstrip(_CLOSING)))
        pieces.append((sentence.text[start:end], mark.ids))
        start = end
    return [*pieces, (sentence.text[start:], ())]
