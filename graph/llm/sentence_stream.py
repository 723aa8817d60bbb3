"""From a stream of tokens to what an answer says, and an end to answers that run away."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal, cast, get_args

from graph.llm.markers import KnownMarkers, Segments, ends_in_stop, has_words, without_emphasis
from graph.llm.model import LanguageModelError
from graph.turn import Usage

ModelOutcome = Literal["clear", "ambiguous", "no_answer"]
"""The outcomes that a language model may give."""


@dataclass(frozen=True, slots=True)
class DraftedSentence:
    """One sentence or a sentence of a list item.

    Attributes:
        segments: Its text in order; joined, they are the sentence's text.
        kind: What it is part of, as of a `Block`: `paragraph`, `bullets` or `steps`.
        first: Whether it opens its paragraph or item.
    """

    segments: Segments
    kind: str
    first: bool

    @property
    def text(self) -> str:
        """The sentence without markers."""
        return "".join(segment.text for segment in self.segments)

    @property
    def ids(self) -> tuple[str, ...]:
        """All evidence it cites, in order, without repetition."""
        return tuple(dict.fromkeys(one for segment in self.segments for one in segment.ids))


SPACE_LIMIT = 200
"""Most white-space characters in a row."""
SENTENCE_LIMIT = 1_000
"""Most characters of a sentence, its markers counted."""
REPETITION_LIMIT = 2
"""Most times that a sentence may be said."""


class RunawayAnswerError(LanguageModelError):
    """An answer goes on without end: white space, one sentence again and again, or a sentence that never ends."""


_LINE_BREAKS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
_UNREAD = ("```", "~~~", "|")
"""What a code fence or a row of a table begins with."""
_THOUGHTS, _THOUGHTS_END = "<think>", "</think>"
_OPENING = re.compile(r"[\s>]*(?:(?:(?P<bullets>[-–—*+•‣◦▪·])|(?P<steps>\d{1,3}[.)])|(?P<heading>#{1,6}))(?:\s+|\Z))?")
_KEYWORD = re.compile(
    r"(?i)(?:outcome\s*:\s*[\"']?(?:(?P<clear>clear)|(?P<ambiguous>ambiguous)|(?P<no_answer>no[ _-]?answer))(?!\w)"
    r"[\"'.]*|(?P<missing>missing)\s*:|(?P<sources>sources?|references?|citations)\s*(?::|\Z))\s*"
)
_OUTCOMES = frozenset(get_args(ModelOutcome))
_NOTHING = frozenset({"none", "nothing", "n/a", "-"})
_BEGINS = 4
"""Characters from the beginning of a word on after which it is certain whether a sentence begins with it."""


class SentenceStream:
    """Reads one answer of a model; every decision rests on the characters alone, never on how they were split.

    Attributes:
        outcome: How it ends, once it says so; one that begins with text is clear, and only a clear one has any.
        missing: Parts of the question that it says the evidence does not answer.

    A sentence is given as soon as it is certain to be over: when its line ends or the next one begins, as a marker may
    still follow its full stop. What a model without a grammar adds (thoughts, code fences, bold, headings without a
    source, tables, a list of sources and what follows it) is left out.
    """

    def __init__(self, ids: Iterable[str]) -> None:
        self._known = KnownMarkers(ids)
        self._said: Counter[str] = Counter()
        self.outcome: ModelOutcome | None = None
        self.missing: list[str] = []
        self._in_sources = self._in_thoughts = False
        self._spaces = 0
        self._start_line()

    def feed(self, text: str) -> Iterator[DraftedSentence]:
        """Read the next piece of the answer, of any length, and give what is certain by then.

        Raises:
            RunawayAnswerError: The answer goes on without end. What was certain before is given first.
        """
        for character in text:
            yield from self._take(character)

    def close(self) -> Iterator[DraftedSentence]:
        """End the answer, and give what was held back.

        Raises:
            RunawayAnswerError: The answer went on without end.
        """
        return self._end_line()

    def _start_line(self) -> None:
        self._line = ""
        self._sentences = self._length = 0

    def _take(self, character: str) -> Iterator[DraftedSentence]:
        self._spaces = self._spaces + 1 if character.isspace() else 0
        _forbid(f"over {SPACE_LIMIT} white-space characters in a row", when=self._spaces > SPACE_LIMIT)
        if self._in_thoughts:
            self._line = f"{self._line}{character}"[-len(_THOUGHTS_END) :]
            if self._line.lower() == _THOUGHTS_END:
                self._line, self._in_thoughts = "", False
        elif character in _LINE_BREAKS:
            yield from self._end_line()
        elif character.isprintable() or character.isspace():
            yield from self._read(character)

    def _read(self, character: str) -> Iterator[DraftedSentence]:
        self._line += character
        long = len(self._line) - self._length > SENTENCE_LIMIT
        _forbid(f"a sentence over {SENTENCE_LIMIT:,} characters without end", when=long)
        if character == ">" and self._line.strip().lower() == _THOUGHTS:
            self._line, self._in_thoughts = "", True
        elif character.isalnum() and not f" {self._line}"[-_BEGINS:].isalnum() and not self._in_brackets():
            yield from self._advance()

    def _in_brackets(self) -> bool:
        """Whether what is read now may still become a marker."""
        return self._line.rfind("[") > self._line.rfind("]")

    def _advance(self) -> Iterator[DraftedSentence]:
        """Give the sentences that a new word makes certain, whatever follows it: `J. R` goes on if a full stop does."""
        kind, rest = _line_of(self._line)
        if self._in_sources or kind in {*_OUTCOMES, "missing", "sources", "unread"}:
            return
        one, other = (self._known.sentences(rest + following)[:-1] for following in ("aa", ". a"))
        same = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
        yield from self._sentences_of([segments for segments, _ in same], kind)

    def _end_line(self) -> Iterator[DraftedSentence]:
        kind, rest = _line_of(self._line)
        self._in_sources |= kind == "sources"
        if kind == "missing" and not self._in_thoughts:
            self._miss(rest)
        elif not (self._in_thoughts or self._in_sources or kind == "unread"):
            if kind not in _OUTCOMES:
                yield from self._sentences_of(self._known.sentences(rest), kind)
            elif self.outcome is None:  # The first outcome counts, and what stands behind it is text.
                self.outcome = cast("ModelOutcome", kind)
                yield from self._sentences_of(self._known.sentences(rest), "paragraph")
        self._start_line()

    def _sentences_of(self, line: Sequence[Segments], kind: str) -> Iterator[DraftedSentence]:
        """Those of a line that were not given yet."""
        part = kind if kind in {"bullets", "steps"} else "paragraph"
        for segments in line[self._sentences :]:
            sentence = DraftedSentence(segments, part, self._sentences == 0)
            if kind == "heading" and not (sentence.ids or ends_in_stop(sentence.text) or sentence.text.endswith(":")):
                continue
            self._sentences += 1
            self._length += len(sentence.text)
            self._say(sentence.text)
            if self.outcome == "clear":
                yield sentence

    def _miss(self, rest: str) -> None:
        parts = ("".join(segment.text for segment in said) for said in self._known.sentences(rest))
        text = " ".join(parts).rstrip(".")
        if has_words(text) and text.casefold() not in _NOTHING:
            self._say(text)
            self.missing.append(text)

    def _say(self, said: str) -> None:
        """Count what is said; text without an outcome line before it is a clear answer."""
        self.outcome = self.outcome or "clear"
        self._said[said.casefold()] += 1
        times = self._said[said.casefold()]
        _forbid(f"the same sentence {times} times", when=times > REPETITION_LIMIT)


def _line_of(line: str) -> tuple[str, str]:
    """What a line is, and its words: a paragraph, list item or heading, a keyword's line, or one that is left out."""
    if line.lstrip("> \t").startswith(_UNREAD):
        return "unread", ""
    text = without_emphasis(line)
    opening = _OPENING.match(text)
    kind = (opening and opening.lastgroup) or "paragraph"
    rest = text[opening.end() if opening else 0 :]
    keyword = _KEYWORD.match(rest) if kind in {"paragraph", "heading"} else None
    return (keyword.lastgroup or kind, rest[keyword.end() :]) if keyword else (kind, rest)


def _forbid(reason: str, *, when: bool) -> None:
    if when:
        message = f"the answer did not come to an end: {reason}"
        raise RunawayAnswerError(message, Usage(llm_calls=1))
