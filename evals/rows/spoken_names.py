"""Names in what was said that may be products', with what is said behind them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile, zip_longest

from evals.rows.grammar import tags
from evals.rows.passages import read_passage
from graph.language.lexicon import FUNCTION_WORDS, REQUEST_VERBS, is_adjective, is_stop, is_verb
from graph.rewriting.comparatives import is_comparing

PRICE = re.compile(
    r"(?P<sign>[$€£])\s?(?P<after>\d[\d,]*(?:\.\d+)?)"
    r"|(?<![\d,])(?<!\d\.)(?P<before>\d[\d,]*(?:\.\d+)?)\s?(?P<code>USD|EUR|GBP|dollars|euros|pounds)\b"
)
_WORD = r"(?:[a-z]?[A-Z][\w’'+]*(?:-[A-Z\d][\w’'+]*)*|\d+(?:[.,]\d+)?[A-Za-z]*\b(?!\s?%))"
_RUN = re.compile(rf"(?<![\w$€£.,-]){_WORD}(?:\s(?:&\s)?{_WORD})*")
_ENTRY = re.compile(r"(?:^|\n|(?<=\s))(?:\d{1,2}[.)]|[-*•])\s+\**(?=[A-Z0-9])")
_DEFINITE = re.compile(r"\b(?:the|your|this|that|our)\s+[\"“]?$", re.IGNORECASE)
_AS_PRODUCT_BEFORE = re.compile(r"(?:\b(?:the|our|your|about|of|and|or|like|have|compare)|[,:])\s*$", re.IGNORECASE)
_AS_PRODUCT_AFTER = re.compile(r"^(?:\s?,|\s(?:and|or|is|has|comes?|costs?|weighs?|vs|versus)\b|['’]s\b|\s?[(–—])")
_PLACED = re.compile(r"\b(?:in|to|at|from|by|with|via|on|into|since|until)(?: the)?\s*$", re.IGNORECASE)
_OPENING = FUNCTION_WORDS | REQUEST_VERBS | frozenset("sure great happy tell compare options top".split())
_NO_MODEL = re.compile(
    r"\A(?:[A-Z]{1,5}-?\s?[\d.]+|Bluetooth.*|Wi-?Fi.*"
    r"|(?:January|February|March|April|May|June|July|August|September|October|November|December)\b.*|.*\b(?:19|20)\d\d)"
)
"""What has a number and is no product: a protection class, a standard, a date."""

_MAX_WORDS = 8
_BESIDE = 40
"""Characters before and behind a name that tell what it is."""
_MAX_NOUNS = 3
_SMALL = re.compile(r"(?:\s[a-z][\w’'-]*)*")
_SENTENCE_END = re.compile(r"(?:\A|[.!?:\n])[^\S\n]*\Z")


@dataclass(frozen=True, slots=True)
class SpokenName:
    """A name in a text.

    Attributes:
        proper: Its words with capitals or digits: "Quill".
        nouns: The nouns behind them, as far as grammar tells: ("e-reader",).
        behind: All small words behind them, up to one that names nothing.
        details: What is said after the name.
        sold: Whether a list or a price shows that it is a product's.
        definite: Whether an article stands before it.
        opens: Whether it opens a sentence.
    """

    proper: str
    nouns: tuple[str, ...]
    behind: tuple[str, ...]
    details: str
    sold: bool
    definite: bool
    opens: bool

    @property
    def has_kind(self) -> bool:
        """Whether it stands with an article and the noun for what it is, as a product's name does."""
        return self.definite and bool(self.nouns)

    @property
    def is_model(self) -> bool:
        """Whether it has a model number."""
        return is_model(self.proper, definite=self.definite)


def is_model(name: str, *, definite: bool = True) -> bool:
    """Whether a name has a number behind its first letter; that of a standard or a date is none."""
    letter = re.search(r"[A-Za-z]", name)
    numbered = letter is not None and any(map(str.isdecimal, name[letter.end() :]))
    return numbered and ((definite and " " not in name) or not _NO_MODEL.fullmatch(name))


def names_in(text: str) -> Iterator[SpokenName]:
    """The names in a text that stand where a product's does."""
    entries = {match.end() for match in _ENTRY.finditer(text)}
    found = [match for match in _RUN.finditer(text) if _stripped(match)]
    for match, following in zip_longest(found, found[1:]):
        proper = _stripped(match)
        start = match.start() + match.group().index(proper)
        end = start + len(proper)
        before, behind = text[max(0, start - _BESIDE) : start], _behind(text, end)
        details = text[end : following.start() if following else len(text)]
        placed = _PLACED.search(before) is not None
        name = SpokenName(
            proper=proper,
            nouns=_nouns(text, end, behind),
            behind=behind,
            details=details,
            sold=start in entries or (PRICE.search(details) is not None and not placed),
            definite=_DEFINITE.search(before) is not None,
            opens=_SENTENCE_END.search(before) is not None,
        )
        after = text[end : end + _BESIDE]
        shown = name.sold or name.is_model or name.has_kind or (not placed and _is_spoken_of(proper, before, after))
        if shown and len(proper.split()) <= _MAX_WORDS:
            yield name


def _stripped(match: re.Match[str]) -> str:
    """A name without the words that open a sentence; empty for a mere number."""
    words = match.group().removesuffix("'s").removesuffix("’s").split(" ")
    while words and (words[0].casefold() in _OPENING or not any(letter.isalpha() for letter in words[0])):
        del words[0]
    return " ".join(words)


def _behind(text: str, end: int) -> tuple[str, ...]:
    """The small words right behind a name, up to one that names nothing."""
    match = _SMALL.match(text, end)
    said = match.group().split() if match else []
    return tuple(takewhile(lambda word: "-" in word or not is_stop(word), said))[:_MAX_NOUNS]


def _nouns(text: str, end: int, behind: tuple[str, ...]) -> tuple[str, ...]:
    """Those of them that are nouns or belong to one."""
    passage = read_passage(text)
    tagged = {place[0]: tag for place, tag in zip(passage.places, tags(passage), strict=True)}
    found: list[str] = []
    place = end
    for word in behind:
        place = text.index(word, place)
        if "-" not in word and tagged.get(place) not in {"noun", "adjective"}:
            break
        found.append(word)
        place += len(word)
    while found and _is_said_of_it(found[-1]):
        found.pop()
    return tuple(found)


def _is_said_of_it(word: str) -> bool:
    """Whether a word behind a name is no part of it: "waterproof", "warmer", "gives"."""
    return is_adjective(word) or is_comparing(word) or (is_verb(word) and word.endswith("s"))


def _is_spoken_of(proper: str, before: str, after: str) -> bool:
    """Whether several words without a number stand where a product does."""
    return " " in proper and bool(_AS_PRODUCT_BEFORE.search(before) or _AS_PRODUCT_AFTER.match(after))
