"""From a stream of tokens to events, and an end to answers that run away."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import takewhile
from typing import Literal, cast, get_args

from graph.llm.markers import MARK, KnownMarkers
from graph.llm.model import LanguageModelError
from graph.llm.sentence_cutting import (
    Segments,
    ends_in_stop,
    has_words,
    segments_of,
    sentences_of,
    without_emphasis,
)
from graph.llm.stream_events import DraftedRow, DraftedSegment, DraftedSentence, Event, Missing, ModelOutcome, Outcome

SPACE_LIMIT = 200
"""Most white-space characters in a row."""
SENTENCE_LIMIT = 1_000
"""Most characters of a sentence, its markers counted."""
ROW_LIMIT = 4_000
"""Most characters of a table's row."""
REPETITION_LIMIT = 2
"""Most times that a sentence may be said."""


class RunawayAnswerError(LanguageModelError):
    """An answer goes on without end: white space, one sentence again and again, or a sentence that never ends."""


_LINE_BREAKS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
_FENCES = ("```", "~~~")
_THOUGHTS, _THOUGHTS_END = "<think>", "</think>"
_OPENING = re.compile(
    r"[\s>]*(?:(?P<row>(?=\|))|(?:(?P<bullet>[-–—*+•‣◦▪·])|(?P<step>\d{1,3}[.)])|(?P<heading>#{1,6}))(?:\s+|\Z))?"
)
_KEYWORD = re.compile(
    r"(?i)[_*]{0,9}(?:outcome[_*]*\s*[:：][\s_*\"'“<\[]*"  # noqa: RUF001 - a full-width colon is meant
    r"(?:(?P<clear>clear)|(?P<ambiguous>ambiguous)|(?P<no_answer>no[ _-]?answer))(?!\w)[\"'”>\].,;]*|"
    r"(?P<missing>missing)[_*]*\s*[:：]|"  # noqa: RUF001 - likewise
    r"(?P<sources>sources?|references?|citations)[_*]*\s*(?:[:：]|\Z))[_*]*\s*"  # noqa: RUF001 - likewise
)
_OUTCOMES = frozenset(get_args(ModelOutcome))
_NOTHING = frozenset({"none", "nothing", "n/a", "-"})
_BEGINS = 4
"""Characters from the beginning of a word on after which it is certain whether a sentence begins with it."""
_LISTED = frozenset({"bullet", "step", "sources", "fence"})
_PARTS: dict[str, Literal["paragraph", "bullet", "step"]] = {"bullet": "bullet", "step": "step"}


class SentenceStream:
    """Reads one answer of a model; every decision rests on the characters alone, never on how they were split.

    A sentence is given as soon as it is certain to be over: when the next one begins, as a marker may still follow
    its full stop. What a model without a grammar adds (thoughts, code fences, bold, headings without a source, a
    list of sources) is left out.
    """

    def __init__(self, ids: Iterable[str]) -> None:
        self._known = KnownMarkers(ids)
        self._said: Counter[str] = Counter()
        self._events: list[Event] = []
        self._failure: RunawayAnswerError | None = None
        self._outcome: ModelOutcome | None = None
        self._held: DraftedSentence | None = None
        self._block = ""
        self._in_sources = self._in_thoughts = False
        self._spaces = 0
        self._start_line()

    def feed(self, text: str) -> list[Event]:
        """Read on.

        Args:
            text: The next piece of the answer, of any length.

        Returns:
            What is now certain.

        Raises:
            RunawayAnswerError: The answer goes on without end. What was certain before is given first; then the next
                call raises.
        """
        return self._given(map(self._take, text))

    def close(self) -> list[Event]:
        """End the answer; returns what was held back.

        Raises:
            RunawayAnswerError: The answer went on without end.
        """
        return self._given(step() for step in (self._end_line, self._release))

    def _given(self, steps: Iterator[None]) -> list[Event]:
        if self._failure is None:
            try:
                for _ in steps:
                    pass
            except RunawayAnswerError as error:
                self._failure = error
        events, self._events = self._events, []
        if self._failure is not None and not events:
            raise self._failure
        return events

    def _start_line(self) -> None:
        self._line = ""
        self._sentences = self._length = 0

    def _take(self, character: str) -> None:
        self._spaces = self._spaces + 1 if character.isspace() else 0
        _forbid(f"over {SPACE_LIMIT} white-space characters in a row", when=self._spaces > SPACE_LIMIT)
        if self._in_thoughts:
            self._line = f"{self._line}{character}"[-len(_THOUGHTS_END) :]
            if self._line.lower() == _THOUGHTS_END:
                self._line, self._in_thoughts = "", False
        elif character in _LINE_BREAKS:
            self._end_line()
        elif character.isprintable() or character.isspace():
            self._read(character)

    def _read(self, character: str) -> None:
        self._line += character
        if self._line.lstrip().startswith("|"):
            _forbid(f"a table row over {ROW_LIMIT:,} characters without end", when=len(self._line) > ROW_LIMIT)
            return
        long = len(self._line) - self._length > SENTENCE_LIMIT
        _forbid(f"a sentence over {SENTENCE_LIMIT:,} characters without end", when=long)
        if character == ">" and self._line.strip().lower() == _THOUGHTS:
            self._line, self._in_thoughts = "", True
        elif character.isalnum() and not f" {self._line}"[-_BEGINS:].isalnum() and not self._in_brackets():
            self._advance()

    def _in_brackets(self) -> bool:
        """Whether what is read now may still become a marker."""
        return max(map(self._line.rfind, "[【(")) > max(map(self._line.rfind, "]】)"))

    def _advance(self) -> None:
        """Give the sentences that a new word makes certain, whatever follows it: `J. R` goes on if a full stop does."""
        self._release()
        kind, rest = _line_of(self._line)
        if kind in {*_OUTCOMES, "missing", "sources", "fence"} or self._lists_sources(kind, rest):
            return
        one, other = (sentences_of(rest + following, self._known)[0][:-1] for following in ("aa", ". a"))
        same = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
        for segments, _ in [*same][self._sentences :]:
            self._hold(segments, kind)
            self._release()

    def _lists_sources(self, kind: str, rest: str) -> bool:
        return self._in_sources and (kind in _LISTED or rest[:1] in {"[", ""})

    def _end_line(self) -> None:
        kind, rest = _line_of(self._line)
        self._in_sources = self._lists_sources(kind, rest) or kind == "sources"
        if self._in_thoughts or self._in_sources or kind == "fence":
            pass
        elif kind == "row":
            self._row(rest)
        elif kind == "missing":
            self._missing(rest)
        elif kind in _OUTCOMES:
            self._outcome_line(cast("ModelOutcome", kind), rest)
        else:
            self._text(rest, kind)
        self._start_line()

    def _text(self, rest: str, kind: str) -> None:
        found, alone = sentences_of(rest, self._known)
        for segments in found[self._sentences :]:
            self._hold(segments, kind)
        if alone and not found and self._held is not None:
            # Markers on a line of their own support the sentence above it.
            *others, last = self._held.segments
            ids = tuple(dict.fromkeys(last.ids + alone))
            self._held = replace(self._held, segments=(*others, DraftedSegment(last.text, ids)))

    def _hold(self, segments: Segments, kind: str) -> None:
        """Keep a sentence until what follows is no marker of it."""
        text = "".join(segment.text for segment in segments)
        untold = not any(segment.ids for segment in segments) and not (ends_in_stop(text) or text.endswith(":"))
        if kind == "heading" and untold:
            return
        self._begin(text)
        part = _PARTS.get(kind, "paragraph")
        first = self._sentences == 0
        opens = first and (part == "paragraph" or self._block != part)
        self._held = DraftedSentence(segments, part, opens, not first and part != "paragraph")
        self._sentences += 1
        self._length += len(text)
        self._block = part

    def _row(self, line: str) -> None:
        parted = line.strip().replace("\\|", MARK).removeprefix("|").split("|")
        cells = [cell.replace(MARK, "|") for cell in (parted[:-1] if not parted[-1].strip() else parted)]
        if all(set(cell) <= set(" :-") and "--" in cell for cell in cells):
            return  # The line that parts a table's heads from its body.
        self._begin(line)
        self._block = "row"
        self._give(DraftedRow(tuple(segments_of(cell, self._known) for cell in cells)))

    def _missing(self, rest: str) -> None:
        text = "".join(segment.text for segment in segments_of(rest, self._known)).rstrip(".")
        if has_words(text) and text.casefold() not in _NOTHING:
            self._begin(text)
            self._give(Missing(text))

    def _outcome_line(self, value: ModelOutcome, rest: str) -> None:
        """The first outcome counts, and what stands behind it is text."""
        if self._outcome is None:
            self._outcome = value
            self._events.append(Outcome(value))
            self._text(rest, "paragraph")

    def _begin(self, said: str) -> None:
        """What is said gives what was held; text without an outcome line before it is a clear answer."""
        if self._outcome is None:
            self._outcome = "clear"
            self._events.append(Outcome("clear"))
        self._release()
        self._said[said.casefold()] += 1
        times = self._said[said.casefold()]
        _forbid(f"the same sentence {times} times", when=times > REPETITION_LIMIT)

    def _release(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            self._give(held)

    def _give(self, event: Event) -> None:
        if self._outcome == "clear" or isinstance(event, Missing):
            self._events.append(event)


def _line_of(line: str) -> tuple[str, str]:
    """What a line is, and its words: a paragraph, list item, heading or row, a keyword's line, or a code fence."""
    if line.lstrip("> \t").startswith(_FENCES):
        return "fence", ""
    text = without_emphasis(line)
    opening = _OPENING.match(text)
    kind = (opening and opening.lastgroup) or "paragraph"
    rest = text[opening.end() if opening else 0 :]
    keyword = _KEYWORD.match(rest) if kind in {"paragraph", "heading"} else None
    return (keyword.lastgroup or kind, rest[keyword.end() :]) if keyword else (kind, rest)


def _forbid(reason: str, *, when: bool) -> None:
    if when:
        raise RunawayAnswerError(reason)
