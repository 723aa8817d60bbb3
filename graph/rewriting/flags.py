"""Flags: whether the user wants a person, and whether there is anything to look up."""

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from graph.catalog.function_words import AUXILIARIES, FUNCTION_WORDS, QUESTION_WORDS
from graph.rewriting.words import words_of

_SPEAKERS = frozenset({"you", "i", "we", "someone", "somebody", "anyone", "anybody"})


@dataclass(frozen=True, slots=True)
class Flags:
    """The contract's two flags of a turn."""

    searchable: bool
    live_agent: bool


@dataclass(frozen=True, slots=True)
class _Wording:
    """How people ask for a person, and what they say besides.

    Attributes:
        requests: Ways to ask for a person, or to complain that none can be reached.
        persons: Words that name one when nothing else is said.
        half_persons: Those that do so only two together ("customer service").
        small_talk: Phrases in which a question word asks nothing.
        empty: Words that greet, thank, plead or complain.
        unreached: Words that only say how nobody was reached.
    """

    requests: tuple[re.Pattern[str], ...]
    persons: frozenset[str]
    half_persons: frozenset[str]
    small_talk: re.Pattern[str]
    empty: frozenset[str]
    unreached: frozenset[str]


def read_flags(query: str) -> Flags:
    """Read both flags off the user's own words."""
    wording = _wording()
    text = query.replace("’", "'")
    rest = text
    for pattern in wording.requests:
        rest = pattern.sub(" ", rest)
    if _is_question(text) and rest == text:
        return Flags(searchable=True, live_agent=False)
    if _is_bare_request(text):
        return Flags(searchable=False, live_agent=True)
    if rest != text:
        left = _content(rest) - wording.empty - wording.persons - wording.half_persons - wording.unreached
        return Flags(searchable=bool(left), live_agent=True)
    return Flags(searchable=bool(_content(text) - wording.empty), live_agent=False)


def _is_question(text: str) -> bool:
    """Whether the form asks for something, whatever the words: "what is it?", "did it do well?"; not "can you?"."""
    spoken = [word.text.split("'")[0] for word in words_of(_wording().small_talk.sub(" ", text))]
    inverted = len(spoken) > 1 and spoken[0] in AUXILIARIES and spoken[1] not in _SPEAKERS
    return inverted or not QUESTION_WORDS.isdisjoint(spoken)


def _is_bare_request(text: str) -> bool:
    """Whether a person is named and nothing else is said: "agent please"."""
    wording = _wording()
    content = _content(text) - wording.empty
    if not content <= wording.persons | wording.half_persons:
        return False
    return bool(content & wording.persons) or len(content & wording.half_persons) > 1


def _content(text: str) -> set[str]:
    return {word.text for word in words_of(text) if word.text.split("'")[0] not in FUNCTION_WORDS}


@lru_cache(maxsize=1)
def _wording() -> _Wording:
    raw = tomllib.loads(files("graph.rewriting").joinpath("flags.toml").read_text(encoding="utf-8"))
    parts = {name: "".join(pattern.split()) for name, pattern in raw["parts"].items()}
    return _Wording(
        requests=tuple(_pattern(request, parts) for request in raw["requests"]),
        persons=frozenset(raw["persons"].split()),
        half_persons=frozenset(raw["half_persons"].split()),
        small_talk=_pattern("(?:" + "|".join(raw["small_talk"]) + ")", parts),
        empty=frozenset(raw["empty"].split()),
        unreached=frozenset(raw["unreached"].split()),
    )


def _pattern(text: str, parts: dict[str, str]) -> re.Pattern[str]:
    """A pattern in which `<name>` stands for a part, and a blank for any white space."""
    spaced = re.sub(r"\s+", r"\\s+", text.strip())
    return re.compile(r"\b" + re.sub(r"<(\w+)>", lambda match: parts[match[1]], spaced), re.IGNORECASE)
