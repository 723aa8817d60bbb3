"""Fragments: messages that are a part of a question."""

import re
from dataclasses import dataclass

from graph.language.lexicon import (
    AUXILIARIES,
    DEFINITE,
    FUNCTION_WORDS,
    INDEFINITE,
    PREPOSITIONS,
    QUESTION_WORDS,
    is_verb,
)
from graph.rewriting.words import Word, as_question, lowered, words_of

_LEAD = re.compile(
    r"^\s*(?:(?:and|or|but|ok(?:ay)?|so|also|then|well|now|hmm|oh|plus|cool|great|thanks|thank you)[\s,]+)*"
    r"(?:(?:what|how)\s+about\s+|what\s+of\s+)?(?:and\s+)?",
    re.IGNORECASE,
)
_CLOSING = re.compile(r"(?<![\s?!.…])[\s?!.…]+\Z")
_TRAIL = re.compile(r"\b(?:then|though|please|instead|too|as well|anyway)\Z", re.IGNORECASE)
_PAUSE = re.compile(r"(?<![\s,])[\s,]+\Z")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_MAX_DEGREE = 3
_INVERTING = frozenset({"do", "does", "did"})
_DEGREES = frozenset({"how"})
_ADDED = frozenset("in to without from during after before".split())
"""Prepositions of a colour, a place or a time, which narrow any question down."""

_CONDITIONS = frozenset("if even unless when".split())

_SUBJECTS = frozenset({"i", "you", "we", "they", "he", "she", "it", "this", "that", "there"})
REQUESTS = frozenset("show list find give tell compare recommend suggest see search explain describe help".split())
"""Verbs that open a request ("show me the cheaper one")."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """A question without a sentence around it.

    Attributes:
        text: Its own words, without what leads in ("and", "what about") and closing marks.
        led: Whether something leads in, so that it continues what was asked before.
    """

    text: str
    led: bool


def fragment_of(query: str) -> Fragment | None:
    """The fragment that a question is; None for a whole sentence or a request."""
    lead = _LEAD.match(query)
    start = lead.end() if lead else 0
    text = _PAUSE.sub("", _TRAIL.sub("", _CLOSING.sub("", query[start:]))).strip()
    spoken = [word.text.split("'")[0] for word in words_of(text)]
    if not spoken or spoken[0] in AUXILIARIES | REQUESTS or not _SUBJECTS.isdisjoint(spoken):
        return None
    asks = [word for word in spoken if word in QUESTION_WORDS]
    if asks and not (asks == spoken[:1] and asks[0] in _DEGREES and len(spoken) <= _MAX_DEGREE):
        return None
    if not AUXILIARIES.isdisjoint(spoken):
        return None
    return Fragment(text, led=bool(query[:start].strip()))


def lead_of(query: str) -> int:
    """How many code points lead in before the question's own words."""
    lead = _LEAD.match(query)
    return lead.end() if lead else 0


def continues(fragment: str, previous: str) -> str | None:
    """The previous question's last sentence with the fragment's phrase in it ("and in red?"); None for one without."""
    spoken = words_of(fragment)
    body = _SENTENCE.split(previous.rstrip(" ?.!"))[-1]
    if len(spoken) > 1 and spoken[0].text in _CONDITIONS:
        return as_question(f"{body} {lowered(fragment)}")
    if len(spoken) == 1 or spoken[0].text not in PREPOSITIONS - {"about"}:
        return None
    words = words_of(body)
    for index in range(len(words) - 1, 0, -1):
        if words[index].text == spoken[0].text and not _is_infinitive(words, index):
            end = _phrase_end(words, index)
            return as_question(f"{body[: words[index].start]}{fragment}{body[end:]}")
    return as_question(f"{body} {fragment}") if spoken[0].text in _ADDED else None


def _is_infinitive(words: tuple[Word, ...], index: int) -> bool:
    """Whether "to" stands before a verb: "how long does it take *to ship* the wardrobe"."""
    following = words[index + 1].text if index + 1 < len(words) else ""
    return words[index].text == "to" and is_verb(following)


def _phrase_end(words: tuple[Word, ...], preposition: int) -> int:
    """Where a prepositional phrase ends; what stands behind it in the question stays."""
    first = preposition + 1
    while first < len(words) and words[first].text in DEFINITE | INDEFINITE:
        first += 1
    last = first
    while last + 1 < len(words) and words[last + 1].text not in FUNCTION_WORDS:
        last += 1
    # After "does it", the last word of all is the verb: "how long does a refund to my card *take*".
    inverted = any(word.text in _INVERTING for word in words[:preposition])
    if inverted and last + 1 == len(words) and last > first:
        last -= 1
    return words[min(last, len(words) - 1)].end
