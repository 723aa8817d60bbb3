"""Passages: what of a source can be quoted by itself, and the part of a long one that answers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from graph.answering.asked import Asked
from graph.answering.matching import attribute_lines
from graph.answering.reviews import RATING_LINE, is_statement
from graph.language.injection import instructs
from graph.language.terms import terms
from graph.parts import Encoder
from ingestion.evidence import Evidence
from ingestion.spans import sentence_spans

STRUCTURED = frozenset({"spec", "datasheet"})
LONG = 24
"""Words from which on only a part of a passage is quoted."""
LEAST_WORDS = 4
SHARED_TERM = 0.1
"""What a term of the question is worth in a part of a passage, beside its cosine to the question."""
CUT = "…"

_ANSWER = re.compile(r"(?:^|\n)Answer:\s*(?P<first>.+)$|^(?P<last>(?!Question:).+?)\s*\bQuestion:\s", re.DOTALL)
_BREAK = re.compile(r"[;!?]+\s+|\.{2,}\s*|(?<=[^\W\d_])\.(?=[^\W\d_]{2})|\s[-–—]+\s")
_LIMITING = re.compile(r"(?i)(but|if|only|unless|except|when|not|though|although|without|however)\b")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of an evidence that says something by itself."""

    evidence: Evidence
    start: int
    end: int

    @property
    def text(self) -> str:
        """The stretch, character for character."""
        return self.evidence.text[self.start : self.end]

    @property
    def marked(self) -> str:
        """The stretch, with a mark where a sentence was cut."""
        spoken = sentence_spans(self.evidence.text)
        begins, ends = _answer(self.evidence) if self.evidence.source_type == "qa" else (0, len(self.evidence.text))
        before = f"{CUT} " if self.start != begins and any(start < self.start < end for start, end in spoken) else ""
        after = f" {CUT}" if self.end != ends and any(start < self.end < end for start, end in spoken) else ""
        return f"{before}{self.text}{after}"


def passages(item: Evidence) -> Iterator[Passage]:
    """What an evidence says, piece by piece: of a Q&A its answer, of a specification its one line, else its sentences.

    A specification of several lines is read by its attributes, not here. Instructions are left out.
    """
    if item.source_type in STRUCTURED:
        stated = {at[2:] for at in attribute_lines(item)}
        spans = list(stated) if len(stated) == 1 else []
    elif item.source_type == "qa":
        start, end = _answer(item)
        spans = [(start, end)] if start < end else []
    else:
        spans = [
            at for at in _sentences(item.text) if item.source_type != "review" or is_statement(item.text[slice(*at)])
        ]
    yield from (Passage(item, *at) for at in spans if not instructs(item.text[slice(*at)]))


def _sentences(text: str) -> Iterator[Span]:
    """Sentences with those behind them that limit them."""
    spans = [at for at in sentence_spans(text) if not RATING_LINE.match(text[slice(*at)])]
    for place, (start, end) in enumerate(spans):
        following = next((at for at in spans[place + 1 : place + 2] if _LIMITING.match(text, at[0])), None)
        yield start, following[1] if following else end


def _answer(item: Evidence) -> Span:
    """Where the answer of a Q&A stands; nowhere if nothing but its question is left."""
    found = _ANSWER.search(item.text)
    if found:
        start, end = found.span(found.lastgroup or 0)
        return start, start + len(item.text[start:end].rstrip())
    return (0, 0) if item.text.startswith("Question:") else (0, len(item.text))


def telling_part(asked: Asked, passage: Passage, encoder: Encoder) -> Passage:
    """A short passage whole, else the clauses of it that are nearest to the question.

    Nothing that limits a part is cut off behind it.
    """
    if len(passage.text.split()) <= LONG:
        return passage
    text = passage.evidence.text
    parts = _clauses(text, passage.start, passage.end)
    windows = [
        Passage(passage.evidence, parts[first][0], parts[last][1])
        for first in range(len(parts))
        for last in range(first, len(parts))
        if _stands_alone(text, parts, first, last)
    ] or [passage]
    vectors = encoder.encode([asked.text, *(window.text for window in windows)])
    told = [len(asked.terms & frozenset(terms(window.text))) for window in windows]
    return windows[int(np.argmax(vectors[1:] @ vectors[0] + SHARED_TERM * np.array(told)))]


def _stands_alone(text: str, parts: Sequence[Span], first: int, last: int) -> bool:
    words = len(text[parts[first][0] : parts[last][1]].split())
    goes_on = last + 1 < len(parts) and _LIMITING.match(text, parts[last + 1][0])
    leans = first > 0 and _LIMITING.match(text, parts[first][0])
    return words >= LEAST_WORDS and (words <= LONG or first == last) and not goes_on and not leans


def _clauses(text: str, start: int, end: int) -> list[Span]:
    """The parts that strong punctuation makes of a stretch."""
    cuts = [start, *(edge for found in _BREAK.finditer(text, start, end) for edge in found.span()), end]
    return [(first, last) for first, last in zip(cuts[::2], cuts[1::2], strict=True) if text[first:last].strip()]
