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
    if spoken[0] in QUESTION_WORDS and not (spoken[0] in _DEGREES and len(spoken) <= _MAX_DEGREE):
        return None
    if not AUXILIARIES.isdisjoint(spoken):
        return None
    return Fragment(text, led=bool(query[:start].strip()))


def lead_of(query: str) -> int:
    """How many code points lead in before the question's own words."""
    lead = _LEAD.match(query)
    return lead.end() if lead else 0


def continues(fragment: str, previous: str) -> str | None:
    """The previous question with the fragment's phrase in it ("and in red?"); None for one without."""
    spoken = words_of(fragment)
    body = previous.rstrip(" ?.!")
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


_ARTICLE = re.compile(r"^(?:the|its|their|a|an)\s+", re.IGNORECASE)
_ADJECTIVE = re.compile(
    r"(?:proof|able|ible|less|ful|ous|ive|free|resistant|safe|friendly|certified|approved|rated|ish|ic|tight|ready|good"
    r"|new|used|vegan|organic|genuine|original|authentic|fake|real|worth it)$"
)
_PREDICATE = frozenset(
    "available possible included accepted allowed required needed necessary covered guaranteed".split()
)
"""Adjectives said of a part or a service: "charger included?"."""

_VERB = re.compile(r"^(?:comes|runs|fits|works|includes|supports|made|lasts|ships|charges|feels|needs)\b")
_NO_PLURALS = ("ss", "us", "is")
_MAX_NOUN_PHRASE = 6


def completed(fragment: str, name: str, *, noun: bool) -> str:
    """A whole question about a named product.

    Args:
        fragment: What is asked, without a sentence around it.
        name: The product.
        noun: Whether it is known to name a quality, so that "What is the ... of" may stand before it.
    """
    text = _ARTICLE.sub("", fragment)
    spoken = [word.text for word in words_of(text)]
    first, last = spoken[0], spoken[-1]
    if first == "how":
        whole = f"{text} does {name} have" if "many" in spoken[1:2] else f"{text} is {name}"
    elif first in PREPOSITIONS:
        whole = f"Is {name} available {text}" if first == "in" else f"Is {name} {text}"
    elif first == "any" and len(spoken) > 1 and not _ADJECTIVE.search(last):
        whole = f"Are there {lowered(text)} for {name}"
    elif _VERB.match(text.casefold()):
        whole = f"{name} {text}"
    elif last in _PREDICATE and len(spoken) > 1:
        whole = f"Is {lowered(text)} for {name}"
    elif last in _PREDICATE or _ADJECTIVE.search(last) or _ADJECTIVE.search(first):
        whole = f"Is {name} {lowered(text)}"
    elif noun and len(spoken) <= _MAX_NOUN_PHRASE:
        whole = f"What {_be(spoken)} the {lowered(text)} of {name}"
    else:
        whole = f"{text} for {name}"
    return as_question(whole)


def head_words(fragment: str) -> list[str]:
    """What a noun phrase is about: its words before a preposition; none where it is a choice or a negation."""
    spoken = [word.text for word in words_of(fragment)]
    if "or" in spoken or spoken[:1] == ["no"]:
        return []
    return spoken[: next((i for i, word in enumerate(spoken) if i and word in PREPOSITIONS), len(spoken))]


def has_article(fragment: str) -> bool:
    """Whether an article or a possessive shows that a fragment is a noun phrase."""
    return _ARTICLE.match(fragment) is not None


def _be(spoken: list[str]) -> str:
    head = (head_words(" ".join(spoken)) or spoken)[-1]
    plural = "and" in spoken or (head.endswith("s") and not head.endswith(_NO_PLURALS))
    return "are" if plural else "is"
