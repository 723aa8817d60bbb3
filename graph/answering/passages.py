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
MOST_COMPARED = 100
"""Parts of a passage that are compared with the question by meaning; the others share fewer words with it."""
CUT = "…"

_QUESTION, _ANSWER = "Question:", "Answer:"
_QUESTION_BEHIND = re.compile(r"\bQuestion:\s")
_BREAK = re.compile(r"(?<![;!?])[;!?]+\s+|\.{2,}\s*|(?<=[^\W\d_])\.(?=[^\W\d_]{2})|\s[-–—]+\s")
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
        spoken = sentence_spans(self.evidence.text, longest=len(self.evidence.text))
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
    text = item.text
    if not text.startswith((_ANSWER, _QUESTION)) and (behind := _QUESTION_BEHIND.search(text, 1)):
        return 0, len(text[: behind.start()].rstrip())
    opening = 0 if text.startswith(_ANSWER) else text.find(f"\n{_ANSWER}") + 1
    if opening or text.startswith(_ANSWER):
        said = text[opening + len(_ANSWER) :].strip()
        start = text.find(said, opening + len(_ANSWER))
        return start, start + len(said)
    return (0, 0) if text.startswith(_QUESTION) else (0, len(text))


def telling_part(asked: Asked, passage: Passage, encoder: Encoder) -> Passage:
    """A short passage whole, else the clauses of it that are nearest to the question.

    Nothing that limits a part is cut off behind it.
    """
    if len(passage.text.split()) <= LONG:
        return passage
    text = passage.evidence.text
    found = list(_windows(asked, text, _clauses(text, passage.start, passage.end)))
    if not found:
        return passage
    places = sorted(range(len(found)), key=lambda place: -found[place][1])[:MOST_COMPARED]
    compared = [(Passage(passage.evidence, *found[place][0]), found[place][1]) for place in sorted(places)]
    vectors = encoder.encode([asked.text, *(window.text for window, _ in compared)])
    worth = vectors[1:] @ vectors[0] + SHARED_TERM * np.array([told for _, told in compared])
    return compared[int(np.argmax(worth))][0]


def _windows(asked: Asked, text: str, parts: Sequence[Span]) -> Iterator[tuple[Span, int]]:
    """Stretches of neighbouring parts that stand alone, each with how many terms of the question it has."""
    shared = [asked.terms & frozenset(terms(text[start:end])) for start, end in parts]
    limiting = [_LIMITING.match(text, start) is not None for start, _ in parts] + [False]
    for first, (start, _) in enumerate(parts):
        told: frozenset[str] = frozenset()
        # A stretch of more parts than this has more words, unless it is no prose.
        for last in range(first, min(first + LONG, len(parts))) if first == 0 or not limiting[first] else ():
            end, told = parts[last][1], told | shared[last]
            words = len(text[start:end].split())
            if words > LONG and last > first:
                break
            if words >= LEAST_WORDS and not limiting[last + 1]:
                yield (start, end), len(told)


def _clauses(text: str, start: int, end: int) -> list[Span]:
    """The parts that strong punctuation makes of a stretch."""
    cuts = [start, *(edge for found in _BREAK.finditer(text, start, end) for edge in found.span()), end]
    return [(first, last) for first, last in zip(cuts[::2], cuts[1::2], strict=True) if text[first:last].strip()]
