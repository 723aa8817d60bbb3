"""The grammar by which questions are made."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from graph.language.lexicon import (
    ARTICLES,
    BE,
    DETERMINERS,
    MODALS,
    OWNERS,
    PREPOSITIONS,
    PRONOUNS,
    is_adjective,
    is_participle,
    is_stop,
    is_verb,
)

_WORD = re.compile(r"\w+")
_JOINED = re.compile(r"[ '’\-./&]*|\s+")


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """A text and its words; the same object for the same text, so that what is read of it is cached cheaply.

    Attributes:
        raw: The text.
        words: Its words as written.
        lower: The same, lower-cased.
        places: Start and end of each word, in code points.
    """

    raw: str
    words: tuple[str, ...]
    lower: tuple[str, ...]
    places: tuple[tuple[int, int], ...]

    def joined(self, index: int) -> bool:
        """Whether no punctuation that ends a phrase stands between a word and the next."""
        return _JOINED.fullmatch(self.raw[self.places[index][1] : self.places[index + 1][0]]) is not None

    def before(self, index: int) -> str:
        """The lower-cased word before one; "^" before the first."""
        return self.lower[index - 1] if index else "^"

    def after(self, index: int) -> str:
        """The lower-cased word at a place; "$" behind the last."""
        return self.lower[index] if index < len(self.lower) else "$"

    def capital(self, index: int) -> bool:
        """Whether a word begins with a capital."""
        return self.words[index][:1].isupper()

    def proper(self, index: int) -> bool:
        """Whether a word begins with a capital though it is not the first."""
        return index > 0 and self.capital(index)


@lru_cache(maxsize=1024)
def read_passage(raw: str) -> Passage:
    """Cut a text into words."""
    found = list(_WORD.finditer(raw))
    words = tuple(match.group() for match in found)
    return Passage(raw, words, tuple(word.lower() for word in words), tuple(match.span() for match in found))


Tag = Literal["noun", "adjective", "verb", "function"]
Phrase = tuple[int, int]
"""The first word of a phrase, and the one behind its last."""

_NOMINAL: tuple[Tag, ...] = ("noun", "adjective")
_BREAKS = frozenset("but that who which when if because".split())
_ASKING = frozenset("what who which that".split())
_SUBJECTS = frozenset("i you we they he she".split())
_BEFORE_VERBS = PRONOUNS - DETERMINERS | frozenset("not t also ever first".split())


@lru_cache(maxsize=1024)
def tags(passage: Passage) -> tuple[Tag, ...]:
    """Tell for each word what it is in its sentence, as far as the words around it show."""
    read: list[Tag] = []
    clause: Literal["be", "do"] | None = None
    subject = False
    for index, word in enumerate(passage.lower):
        if is_stop(word) and not _is_written_as_name(passage, index):
            read.append("function")
            if word in BE or (word == "s" and read[-2:-1] != ["noun"]):
                clause, subject = "be", False
            elif word in MODALS:
                clause, subject = "do", False
            elif word in _BREAKS:
                clause, subject = None, False
            subject = subject or (word in PRONOUNS and word not in DETERMINERS)
            continue
        tag = _content_tag(passage, index, read, clause, subject=subject)
        read.append(tag)
        subject = subject or tag == "noun"
    return tuple(read)


def _is_written_as_name(passage: Passage, index: int) -> bool:
    """Whether a word is an abbreviation ("WHO") or a name that ends as adverbs do ("Italy")."""
    written = passage.words[index]
    return (written.isupper() and len(written) > 1) or (written.endswith("ly") and passage.proper(index))


def _content_tag(
    passage: Passage, index: int, read: list[Tag], clause: Literal["be", "do"] | None, *, subject: bool
) -> Tag:
    word, before = passage.lower[index], passage.before(index)
    if passage.proper(index):
        return "noun"
    if before in _SUBJECTS and clause == "do":
        return "verb"
    inverted = clause == "do" and subject
    if is_adjective(word) and not (is_verb(word) and (before == "to" or inverted)):
        return "adjective"
    if not is_verb(word) or before in ARTICLES | OWNERS | {"these", "those", "any", "some"}:
        return "noun"
    if (read[-1:] == ["adjective"] and not is_participle(word)) or (before in PREPOSITIONS and before != "to"):
        return "noun"
    return "verb" if _is_verb_here(passage, index, read, clause, subject=subject) else "noun"


def _is_verb_here(
    passage: Passage, index: int, read: list[Tag], clause: Literal["be", "do"] | None, *, subject: bool
) -> bool:
    word, before, after = passage.lower[index], passage.before(index), passage.after(index + 1)
    if index == 0 or before == "to" or before in _BEFORE_VERBS or (before.endswith("ly") and read[-1] == "function"):
        return True
    if before in _ASKING:
        return after not in BE | MODALS
    if clause == "do":
        return subject or before in MODALS
    if clause == "be":
        return is_participle(word) and (subject or before in BE)
    ends_clause = after in ARTICLES | PRONOUNS | PREPOSITIONS and not is_participle(word)
    return read[-1] == "noun" and (is_participle(word) or ends_clause)


@lru_cache(maxsize=1024)
def noun_phrases(passage: Passage) -> tuple[Phrase, ...]:
    """Runs of modifiers and nouns, possessives in between; one that ends in a modifier lacks its noun."""
    tagged = tags(passage)
    phrases, start = [], 0
    while start < len(tagged):
        if tagged[start] not in _NOMINAL:
            start += 1
            continue
        end = start + 1
        while end < len(tagged) and passage.joined(end - 1) and _goes_on(passage, tagged, start, end):
            end += 1
        phrases.append((start, end))
        start = end
    return tuple(phrases)


def _goes_on(passage: Passage, tagged: tuple[Tag, ...], start: int, end: int) -> bool:
    if tagged[end] == "noun":
        return True
    if passage.lower[end] == "and" and passage.proper(end - 1) and end + 1 < len(tagged):
        return passage.capital(end + 1) and passage.joined(end) and tagged[end + 1] == "noun"
    owner = passage.lower[end - 1] == "s"
    if tagged[end] == "adjective":
        return owner or "noun" not in tagged[start:end]
    owns = passage.lower[end] == "s" and _apostrophe(passage, end)
    return owns and end + 1 < len(tagged) and tagged[end + 1] in _NOMINAL


def _apostrophe(passage: Passage, index: int) -> bool:
    return passage.raw[passage.places[index - 1][1] : passage.places[index][0]].strip() in {"'", "’"}
