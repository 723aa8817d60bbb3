"""Wording: a text as it is compared with another: its words, figures and names, and what it says no of."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import attrgetter

from graph.language.negation import NEGATED_VALUE, is_negation
from graph.language.terms import STOPWORDS, THOUSANDS, WORD, fold
from ingestion.spans import sentence_spans
from ingestion.stems import stem

_BREAK = re.compile(r"[,;:.!?()|–—]|\bbut\b|\bhowever\b", re.IGNORECASE)
_OPENERS = frozenset(".!?:\n")
"""What stands before the first word of a sentence."""
_NEAR = 4
_REACH = 6
_SHORTEST_NAME = 2
"""Letters and digits of a name; a lone capital is a unit or a size."""
_REMEMBERED = 8192


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text.

    Attributes:
        text: Folded.
        stem: Its stem.
        start: Where it starts in the text.
        end: Where it ends.
        capital: Whether it is written with a capital letter or is a number beside one.
    """

    text: str
    stem: str
    start: int
    end: int
    capital: bool

    @property
    def telling(self) -> bool:
        """Whether it is a content word or a number."""
        return self.text not in STOPWORDS

    @property
    def negates(self) -> bool:
        """Whether it says no of what follows."""
        return is_negation(self.text)


@dataclass(frozen=True)
class Wording:
    """A text, read."""

    text: str

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """Its words, in order."""
        return tuple(
            Token(word, stem(word), found.start(), found.end(), found[0][0].isupper())
            for found in WORD.finditer(self.text)
            for word in [THOUSANDS.sub("", fold(found[0]))]
        )

    @cached_property
    def bare(self) -> tuple[str, ...]:
        """All its words without their possessive ending, in order."""
        return tuple(without_possessive(token.text) for token in self.tokens)

    def word_at(self, place: int) -> str:
        """One of its words as it is written."""
        return self.text[self.tokens[place].start : self.tokens[place].end]

    def places_of(self, word: str) -> Sequence[int]:
        """Which of its words a bare one is."""
        return self._places.get(word, ())

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for place, word in enumerate(self.bare):
            found[word].append(place)
        return dict(found)

    @cached_property
    def content(self) -> frozenset[str]:
        """Stems of its content words and numbers."""
        return frozenset(token.stem for token in self.tokens if token.telling)

    @cached_property
    def names(self) -> tuple[tuple[Token, ...], ...]:
        """Runs of words written with a capital, with the numbers in and after them; a sentence's first word is none."""
        runs: list[list[Token]] = [[]]
        for place, token in enumerate(self.tokens):
            joined = place > 0 and not self.text[self.tokens[place - 1].end : token.start].strip(" -'’.")
            opens = place == 0 or self._opens(token.start)
            named = token.capital and not (opens and not (token.telling and self._goes_on(place)))
            glued = place > 0 and self.tokens[place - 1].end == token.start
            if named or (runs[-1] and (glued or (token.text[0].isdigit() and joined))):
                if not joined:
                    runs.append([])
                runs[-1].append(token)
            else:
                runs.append([])
        return tuple(tuple(run) for run in runs if sum(len(token.text) for token in run) >= _SHORTEST_NAME)

    def _opens(self, start: int) -> bool:
        """Whether a sentence begins at a place, or a quotation that does."""
        before = self.text[max(start - _NEAR, 0) : start].rstrip('"“').rstrip(" \t")
        return before[-1:] in _OPENERS

    def _goes_on(self, place: int) -> bool:
        """Whether the next word stands right beside it and is a name or a number too."""
        if place + 1 >= len(self.tokens):
            return False
        following = self.tokens[place + 1]
        beside = not self.text[self.tokens[place].end : following.start].strip(" -")
        return beside and (following.capital or following.text[0].isdigit())

    @cached_property
    def negated(self) -> frozenset[str]:
        """Stems of the content words that a negation reaches."""
        found: set[str] = set()
        for place, token in enumerate(self.tokens):
            if token.negates:
                found |= self._reached(place)
        answers = [answer.start() for answer in NEGATED_VALUE.finditer(self.text)]
        # Of a line, the last such answer reaches all that stands before the others.
        for line, end in {self.text.rfind("\n", 0, end) + 1: end for end in answers}.items():
            first, last = (bisect_left(self._telling, at, key=attrgetter("start")) for at in (line, end))
            found |= {one.stem for one in self._telling[first:last]}
        return frozenset(found)

    def _reached(self, place: int) -> set[str]:
        """What a negation says no of: the next words of its clause."""
        cue = self.tokens[place].end
        behind = bisect_left(self._breaks, cue)
        end = self._breaks[behind] if behind < len(self._breaks) else len(self.text)
        first = bisect_left(self._telling, cue, key=attrgetter("start"))
        return {one.stem for one in self._telling[first : first + _REACH] if one.start < end}

    @cached_property
    def _telling(self) -> tuple[Token, ...]:
        return tuple(token for token in self.tokens if token.telling)

    @cached_property
    def _breaks(self) -> tuple[int, ...]:
        return tuple(found.start() for found in _BREAK.finditer(self.text))


def without_possessive(word: str) -> str:
    """A folded word without its possessive ending."""
    return word.removesuffix("'s").removesuffix("’s")


@lru_cache(maxsize=_REMEMBERED)
def read(text: str) -> Wording:
    """Read a text; what was read lately is remembered."""
    return Wording(text)


def turned_round(claim: Wording, sentences: Sequence[Wording]) -> frozenset[str]:
    """Stems of what is denied here and said there, or the other way about, wherever there it is spoken of."""
    near = [one for one in sentences if one.content & claim.content]
    return frozenset(
        word
        for word in claim.content
        if (spoken := [one for one in near if word in one.content])
        and all((word in one.negated) != (word in claim.negated) for one in spoken)
    )


def covered_otherwise(claim: Wording, texts: Sequence[Wording]) -> float:
    """Share of a claim's content words that stand in texts, its names left out."""
    names = {token.stem for run in claim.names for token in run}
    asked = {token.stem for token in claim.tokens if token.telling} - names
    there = frozenset[str]().union(*(one.content for one in texts))
    return len(asked & there) / len(asked) if asked else 1.0


_LONGEST_NAME = 12
"""Words of a name; a longer one is known by its beginning."""


def unknown_words(claim: Wording, texts: Sequence[Wording]) -> set[str]:
    """Words of a claim's names that stand in none of the texts."""
    known = {token.text for text in texts for token in text.tokens}
    named = {without_possessive(token.text) for run in claim.names for token in run if not token.text[0].isdigit()}
    return named - known - {word for text in texts for word in text.bare}


def places(run: Sequence[Token], texts: Sequence[Wording]) -> list[tuple[Wording, int]]:
    """Where a name stands whole: in which text, and the word behind it."""
    name = tuple(without_possessive(token.text) for token in run[:_LONGEST_NAME])
    return [
        (text, at + len(run))
        for text in texts
        for at in text.places_of(name[0])
        if text.bare[at : at + len(name)] == name
    ]


def goes_on(run: Sequence[Token], texts: Sequence[Wording]) -> bool:
    """Whether texts have a name only as the beginning of a longer one ("X2" in "X2 Pro")."""
    ends = places(run, texts)
    return bool(ends) and all(_named_on(text, end) for text, end in ends)


def numbered(run: Sequence[Token]) -> bool:
    """Whether a name has a number in it."""
    return any(token.text[0].isdigit() for token in run)


def _named_on(text: Wording, at: int) -> bool:
    if at >= len(text.tokens):
        return False
    following = text.tokens[at]
    between = text.text[text.tokens[at - 1].end : following.start]
    return not between or (following.capital and between in {" ", "-"})


LONGEST_SENTENCE = 60
"""Words of a sentence; a longer one is read in parts."""


def nearest_sentences(claim: Wording, evidence: Sequence[str]) -> list[str]:
    """The sentences of evidence, those that share the most words with a claim first, of equal ones the first."""
    sentences = [one for text in evidence for one in sentences_of(text)]
    shared = [-len(claim.content & read(one).content) for one in sentences]
    return [sentences[place] for place in sorted(range(len(sentences)), key=lambda place: (shared[place], place))]


def sentences_of(text: str) -> list[str]:
    """The sentences of a text; a very long one in parts."""
    found: list[str] = []
    for start, end in sentence_spans(text):
        words = text[start:end].split()
        parts = range(0, len(words), LONGEST_SENTENCE)
        found += (
            [text[start:end]]
            if len(words) <= LONGEST_SENTENCE
            else [" ".join(words[at : at + LONGEST_SENTENCE]) for at in parts]
        )
    return found
