"""Candidates: every phrase of the conversation and of the open page that a question may be missing."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from graph.rewriting.learned.reading.grammar import Phrase, noun_phrases, tags
from graph.rewriting.learned.reading.lexicon import DETERMINERS, is_stop
from graph.rewriting.learned.reading.passages import Passage
from graph.rewriting.learned.reading.topics import Key, Topic

KINDS = ("whole", "part", "joined", "name", "quoted", "short", "gerund", "pair")
"""A noun phrase, some words of one, two with a preposition between, a name, and so on."""

_QUOTED = re.compile(r"[\"“]([^\"”]{2,60})[\"”]")
_JOINING = frozenset("of in for to about with on from at by between and".split())
_IN_NAMES = frozenset("of the and in for a at on de la von van to with is my your me s vs by".split())
_MAX_WORDS = 9
_MAX_PHRASE = 7
_MAX_PART = 4
_MAX_ANSWER = 9
_MAX_JOINTS = 2
_MAX_GAP = 2


@dataclass(frozen=True, slots=True)
class Mention:
    """A place where a phrase stands.

    Attributes:
        passage: The text.
        start: Index of its first word.
        end: Index behind its last word.
        kinds: What it is there, of `KINDS`.
    """

    passage: Passage
    start: int
    end: int
    kinds: frozenset[str]


@dataclass(slots=True)
class Candidate:
    """A phrase that may be put into a question.

    Attributes:
        key: Its words, lower-cased.
        text: How it is written where it was said last.
        mentions: Where it stands, oldest first.
    """

    key: Key
    text: str
    mentions: list[Mention] = field(default_factory=list)


def candidates_of(passages: Sequence[Passage], topics: Sequence[Topic]) -> list[Candidate]:
    """All phrases that may be missing, each once, in the order of their first mention."""
    found: dict[Key, Candidate] = {}
    for passage in passages:
        for (start, end), kinds in _phrases(passage).items():
            key = passage.lower[start:end]
            candidate = found.setdefault(key, Candidate(key, ""))
            candidate.text = passage.text(start, end)
            candidate.mentions.append(Mention(passage, start, end, frozenset(kinds)))
    for pair in _pairs(topics):
        found.setdefault(pair.key, pair)
    return list(found.values())


def _phrases(passage: Passage) -> dict[Phrase, set[str]]:
    found: dict[Phrase, set[str]] = {}
    for kind, (start, end) in _kinds(passage):
        if 0 < end - start <= _MAX_WORDS:
            found.setdefault((start, end), set()).add(kind)
    return found


def _kinds(passage: Passage) -> Iterator[tuple[str, Phrase]]:
    if passage.source == "title":
        yield "whole", (0, len(passage.words))
        return
    phrases = noun_phrases(passage) if passage.source != "section" else _content_runs(passage)
    for phrase in phrases:
        yield from _of_phrase(passage, phrase)
    for first, second in pairwise(phrases):
        yield from _joined(passage, first, second)
    yield from (("name", name) for name in _names(passage))
    for match in _QUOTED.finditer(passage.raw):
        inside = [i for i, (start, end) in enumerate(passage.places) if start >= match.start() and end <= match.end()]
        if inside:
            yield "quoted", (inside[0], inside[-1] + 1)
    if passage.source == "assistant" and 0 < len(passage.words) <= _MAX_ANSWER:
        yield "short", (0, len(passage.words))


def _of_phrase(passage: Passage, phrase: Phrase) -> Iterator[tuple[str, Phrase]]:
    start, end = phrase
    if end - start <= _MAX_PHRASE:
        yield "whole", phrase
    if start and passage.lower[start - 1].endswith("ing") and tags(passage)[start - 1] == "verb":
        yield "gerund", (start - 1, end)
    elif start > 1 and passage.lower[start - 2].endswith("ing") and passage.lower[start - 1] in DETERMINERS:
        yield "gerund", (start - 2, end)
    for first in range(start + 1, end):
        splits_name = passage.capital(first) and passage.capital(first - 1)
        if end - first <= _MAX_PART and not splits_name and not is_stop(passage.lower[first]):
            yield "part", (first, end)


def _joined(passage: Passage, first: Phrase, second: Phrase) -> Iterator[tuple[str, Phrase]]:
    """Two noun phrases with a preposition between them, and the same with the first one's noun alone."""
    (start, middle), (again, end) = first, second
    between = passage.lower[middle:again]
    if not 0 < len(between) <= _MAX_JOINTS or between[0] not in _JOINING:
        return
    if not all(word in _JOINING | DETERMINERS for word in between):
        return
    if not all(passage.joined(index) for index in range(middle - 1, again)):
        return
    yield "joined", (start, end)
    if middle - start > 1 and not passage.capital(middle - 1):
        yield "joined", (middle - 1, end)


def _content_runs(passage: Passage) -> list[Phrase]:
    """Runs of content words; for titles, which have no grammar."""
    runs: list[Phrase] = []
    for index, word in enumerate(passage.lower):
        if is_stop(word):
            continue
        if runs and runs[-1][1] == index and passage.joined(index - 1):
            runs[-1] = (runs[-1][0], index + 1)
        else:
            runs.append((index, index + 1))
    return runs


def _names(passage: Passage) -> Iterator[Phrase]:
    """Runs of words with capitals or digits, small words in between ("University of Washington")."""
    index = 0
    while index < len(passage.words):
        if not _begins_name(passage, index):
            index += 1
            continue
        end = index + 1
        while (longer := _name_end(passage, end)) is not None:
            end = longer
        start = index
        while start < end and start == 0 and is_stop(passage.lower[start]):
            start += 1
        if start < end:
            yield start, end
        index = end


def _begins_name(passage: Passage, index: int) -> bool:
    capital = passage.words[index][0].isupper() or passage.words[index][0].isdigit()
    following = index + 1 < len(passage.words) and passage.capital(index + 1)
    return capital and (not is_stop(passage.lower[index]) or (index == 0 and following))


def _name_end(passage: Passage, end: int) -> int | None:
    """Where a name that reaches to a word goes on to; None where it ends."""
    later = end
    while later < len(passage.words) and later - end <= _MAX_GAP and passage.joined(later - 1):
        if passage.words[later][0].isupper() or passage.words[later][0].isdigit():
            return later + 1
        if passage.lower[later] not in _IN_NAMES:
            return None
        later += 1
    return None


def _pairs(topics: Sequence[Topic]) -> Iterator[Candidate]:
    """The topics at hand two by two, for "they" and "both"."""
    for second, first in pairwise(topics):
        key = (*first.key, "and", *second.key)
        if len(key) > _MAX_WORDS:
            continue
        text = f"{first.passage.text(*first.phrase)} and {second.passage.text(*second.phrase)}"
        mentions = [Mention(topic.passage, *topic.phrase, frozenset({"pair"})) for topic in (first, second)]
        yield Candidate(key, text, mentions)
        return
