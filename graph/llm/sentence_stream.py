"""From a stream of tokens to events, and an end to answers that run away."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, cast

from graph.llm.markers import KnownMarkers, Mark, MarkerReader, plain
from graph.llm.model import LanguageModelError
from graph.llm.sentence_cutting import (
    WHOLE_LINES,
    CutSentence,
    Opening,
    SentenceBuffer,
    ends_in_stop,
    has_words,
    opening_of,
    segments_of,
)
from graph.llm.stream_events import DraftedRow, DraftedSegment, DraftedSentence, Event, Missing, ModelOutcome, Outcome

_OUTCOME = re.compile(
    r"outcome\s*[:：]\s*[\"'“<\[]?(clear|ambiguous|no[ _-]?answer)(?!\w)[\"'”>\].,;]*\s*",  # noqa: RUF001 - a full-width colon is meant
    re.IGNORECASE,
)


def outcome_of(line: str) -> tuple[ModelOutcome | None, str]:
    """Read an outcome line, in any case and dress.

    Returns:
        The outcome and what the line says after it; None and the line when it names no outcome.
    """
    text = plain(line).lstrip("_")
    match = _OUTCOME.match(text)
    if match is None:
        return None, line
    value = "no_answer" if match[1].lower().startswith("no") else match[1].lower()
    return cast("ModelOutcome", value), text[match.end() :]


SPACE_LIMIT = 200
"""Most white-space characters in a row."""
SENTENCE_LIMIT = 1_000
"""Most characters of a sentence."""
ROW_LIMIT = 4_000
"""Most characters of a table's row."""
MARKER_LIMIT = 50
"""Most places of one sentence that carry a marker."""
REPETITION_LIMIT = 2
"""Most times that a sentence may be said."""


class RunawayAnswerError(LanguageModelError):
    """An answer goes on without end: white space, one sentence again and again, or a sentence that never ends."""


class RunawayGuard:
    """Watches one answer."""

    def __init__(self) -> None:
        self._spaces = 0
        self._said: Counter[str] = Counter()

    def character(self, character: str) -> None:
        """Count white space in a row.

        Raises:
            RunawayAnswerError: There was too much.
        """
        self._spaces = self._spaces + 1 if character.isspace() else 0
        _forbid(f"over {SPACE_LIMIT} white-space characters in a row", when=self._spaces > SPACE_LIMIT)

    def sentence(self, text: str) -> None:
        """Count how often a sentence or row is said, whatever its case.

        Raises:
            RunawayAnswerError: It was said too often.
        """
        said = text.casefold()
        self._said[said] += 1
        _forbid(f"the same sentence {self._said[said]} times", when=self._said[said] > REPETITION_LIMIT)

    @staticmethod
    def length(characters: int, markers: int = 0) -> None:
        """Look at a sentence that has not ended.

        Raises:
            RunawayAnswerError: It is too long or has too many markers.
        """
        _forbid(f"a sentence over {SENTENCE_LIMIT:,} characters without end", when=characters > SENTENCE_LIMIT)
        _forbid(f"over {MARKER_LIMIT} markers in one sentence", when=markers > MARKER_LIMIT)

    @staticmethod
    def row(characters: int) -> None:
        """Look at a table's row that has not ended.

        Raises:
            RunawayAnswerError: It is too long.
        """
        _forbid(f"a table row over {ROW_LIMIT:,} characters without end", when=characters > ROW_LIMIT)


def _forbid(reason: str, *, when: bool) -> None:
    if when:
        raise RunawayAnswerError(reason)


_BAR = re.compile(r"(?<!\\)\|")
_LEAST_RULE = 2
"""Dashes that part heads from a body."""


def is_rule(line: str) -> bool:
    """Whether a row is the line that parts a table's heads from its body."""
    cells = [cell.strip().strip(":") for cell in _cells(line)]
    return all(cell.strip("-") == "" and len(cell) >= _LEAST_RULE for cell in cells)


def row_of(line: str, known: KnownMarkers) -> DraftedRow:
    """Read a row that begins with a bar."""
    cells = [_read(cell, known) for cell in _cells(line)]
    invented = dict.fromkeys(one for cell in cells for one in cell.invented)
    return DraftedRow(tuple(segments_of(cell) for cell in cells), header=False, invented=tuple(invented))


def words_of(text: str, known: KnownMarkers) -> str:
    """A text without its markers, spacing clean."""
    return _read(text, known).text


def _cells(line: str) -> list[str]:
    cells = _BAR.split(line.strip().removeprefix("|"))
    return [cell.replace("\\|", "|") for cell in (cells[:-1] if not cells[-1].strip() else cells)]


def _read(text: str, known: KnownMarkers) -> CutSentence:
    reader, buffer = MarkerReader(known), SentenceBuffer()
    for token in [token for character in text for token in reader.take(character)] + reader.flush():
        if isinstance(token, Mark):
            buffer.mark(token)
        else:
            buffer.put(token)
    return buffer.whole()


_LINE_BREAKS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
_THOUGHTS_END = "</think>"
_NOTHING = frozenset({"none", "nothing", "n/a", "-"})


class SentenceStream:
    """Reads one answer of a model; every decision rests on the characters alone, never on how they were split.

    A sentence is given as soon as it is certain to be over: when the next one begins, as a marker may still follow
    its full stop. What a model without a grammar adds (thoughts, code fences, bold, headings without a source, a
    list of sources) is left out.
    """

    def __init__(self, ids: Iterable[str]) -> None:
        self._known = KnownMarkers(ids)
        self._guard = RunawayGuard()
        self._events: list[Event] = []
        self._failure: RunawayAnswerError | None = None
        self._outcome: ModelOutcome | None = None
        self._held: DraftedSentence | DraftedRow | None = None
        self._block: Literal["paragraph", "bullet", "step", "row"] | None = None
        self._in_table = False
        self._in_sources = False
        self._thoughts: str | None = None
        self._after_return = False
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
        if self._failure is not None:
            raise self._failure
        try:
            for character in text:
                self._take(character)
        except RunawayAnswerError as error:
            self._failure = error
        return self._given()

    def close(self) -> list[Event]:
        """End the answer; returns what was held back.

        Raises:
            RunawayAnswerError: The answer went on without end.
        """
        if self._failure is not None:
            raise self._failure
        try:
            self._end_line()
            self._release()
        except RunawayAnswerError as error:
            self._failure = error
        return self._given()

    def _given(self) -> list[Event]:
        events, self._events = self._events, []
        if self._failure is not None and not events:
            raise self._failure
        return events

    def _start_line(self) -> None:
        self._head = ""
        self._line = ""
        self._opening: Opening | None = None
        self._reader = MarkerReader(self._known)
        self._buffer = SentenceBuffer()
        self._sentences = 0

    def _take(self, character: str) -> None:
        self._guard.character(character)
        if self._thoughts is not None:
            self._think(character)
            return
        second_half = character == "\n" and self._after_return
        self._after_return = character == "\r"
        if character not in _LINE_BREAKS:
            self._read(character)
        elif not second_half:
            self._end_line()

    def _think(self, character: str) -> None:
        self._thoughts = f"{self._thoughts}{character}"[-len(_THOUGHTS_END) :]
        if self._thoughts.lower() == _THOUGHTS_END:
            self._thoughts = None

    def _read(self, character: str) -> None:
        if self._opening is None:
            self._head += character
            self._guard.length(len(self._head))
            self._open(complete=False)
        elif self._opening.kind in WHOLE_LINES or self._in_sources:
            self._line += character
            (self._guard.row if self._opening.kind == "row" else self._guard.length)(len(self._line))
        else:
            self._inline(character)

    def _open(self, *, complete: bool) -> None:
        opening = opening_of(self._head, complete=complete)
        if opening is None:
            return
        if opening.kind == "thoughts":
            self._thoughts, self._head = "", ""
            return
        self._opening = opening
        self._in_sources &= opening.kind in {"bullet", "step", "blank", "fence", "sources"} or opening.rest[:1] == "["
        for character in opening.rest:
            self._read(character)

    def _inline(self, character: str) -> None:
        self._tokens(self._reader.take(character))
        self._guard.length(len(self._buffer.text) + self._reader.held, len(self._buffer.marks))

    def _tokens(self, tokens: Iterable[str | Mark]) -> None:
        for token in tokens:
            if isinstance(token, Mark):
                self._buffer.mark(token)
                continue
            if token.isalnum() and not self._buffer.has_words:
                self._release()
            sentence = self._buffer.add(token)
            if sentence is not None:
                self._hold(sentence)
                self._release()

    def _end_line(self) -> None:
        if self._opening is None and self._thoughts is None:
            self._open(complete=True)
        opening = self._opening
        if opening is not None and opening.kind in WHOLE_LINES and not self._in_sources:
            self._whole_line(opening)
        elif opening is not None and not self._in_sources:
            self._end_text()
        self._start_line()

    def _whole_line(self, opening: Opening) -> None:
        if opening.kind == "row":
            self._row(self._line)
        elif opening.kind == "sources":
            self._in_sources = True
        elif opening.kind == "missing":
            self._missing(self._line)
        elif opening.kind == "outcome":
            self._outcome_line(self._line)
        elif opening.kind == "blank" and self._block == "row":
            self._block = None

    def _end_text(self) -> None:
        self._tokens(self._reader.flush())
        for sentence in self._buffer.finish():
            if has_words(sentence.text):
                self._hold(sentence)
            elif isinstance(self._held, DraftedSentence):
                self._held = _with_markers(self._held, sentence)

    def _hold(self, sentence: CutSentence) -> None:
        """Keep a sentence until what follows is no marker of it."""
        assert self._opening is not None
        kind = self._opening.kind
        if (
            kind == "heading"
            and not sentence.marks
            and not (ends_in_stop(sentence.text) or sentence.text.endswith(":"))
        ):
            return
        self._begin()
        self._release()
        part: Literal["paragraph", "bullet", "step"] = kind if kind in {"bullet", "step"} else "paragraph"
        first = self._sentences == 0
        opens = first and (part == "paragraph" or self._block != part)
        self._guard.sentence(sentence.text)
        self._held = DraftedSentence(
            segments_of(sentence), part, opens, not first and part != "paragraph", sentence.invented
        )
        self._sentences += 1
        self._block = part

    def _row(self, line: str) -> None:
        if is_rule(line):
            if isinstance(self._held, DraftedRow) and not self._in_table:
                self._held = replace(self._held, header=True)
            return
        self._guard.sentence(line)
        self._begin()
        self._in_table = self._block == "row"
        self._release()
        self._held = row_of(line, self._known)
        self._block = "row"

    def _missing(self, line: str) -> None:
        text = words_of(re.split("[:：]", line, maxsplit=1)[1], self._known).rstrip(".")  # noqa: RUF001 - a full-width colon is meant
        if has_words(text) and text.casefold() not in _NOTHING:
            self._begin()
            self._release()
            self._give(Missing(text))

    def _outcome_line(self, line: str) -> None:
        value, rest = outcome_of(line)
        if value is not None and self._outcome is None:
            self._outcome = value
            self._events.append(Outcome(value))
        elif value is not None:
            return
        self._opening = Opening("paragraph", rest)
        for character in rest:
            self._inline(character)
        self._end_text()

    def _begin(self) -> None:
        """Text without an outcome line before it is a clear answer."""
        if self._outcome is None:
            self._outcome = "clear"
            self._events.append(Outcome("clear"))

    def _release(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            self._give(held)

    def _give(self, event: Event) -> None:
        if self._outcome == "clear" or isinstance(event, Missing):
            self._events.append(event)


def _with_markers(said: DraftedSentence, sentence: CutSentence) -> DraftedSentence:
    """A sentence with markers that stand on a line of their own below it."""
    ids = tuple(dict.fromkeys(said.segments[-1].ids + tuple(one for _, mark in sentence.marks for one in mark.ids)))
    segments = (*said.segments[:-1], DraftedSegment(said.segments[-1].text, ids))
    return replace(said, segments=segments, invented=tuple(dict.fromkeys(said.invented + sentence.invented)))
