"""Fragments: questions that leave out their verb or their product, made whole ("and the display?", "in red?")."""

import re
from dataclasses import dataclass

from graph.catalog.function_words import AUXILIARIES, CONJUNCTIONS, PREPOSITIONS, PRONOUNS, QUESTION_WORDS
from graph.rewriting.words import as_question, lowered, words_of

_LEAD = re.compile(
    r"^\s*(?:(?:and|or|but|ok(?:ay)?|so|also|then|well|now|hmm|oh|plus|cool|great|thanks|thank you)[\s,]+)*"
    r"(?:(?:what|how)\s+about\s+|what\s+of\s+)?(?:and\s+)?",
    re.IGNORECASE,
)
_TRAIL = re.compile(r"[\s,]*(?:\b(?:then|though|please|instead|too|as well|anyway)\b)?[\s?!.…]*$", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|its|their|a|an)\s+", re.IGNORECASE)
_ADJECTIVE = re.compile(
    r"(?:proof|able|ible|less|ful|ous|ive|free|resistant|safe|friendly|compatible|washable|certified|approved|rated"
    r"|ish|ic|tight|ready|good|new|used|vegan|organic|genuine|original|authentic|adjustable|included|worth it)$"
)
_VERB = re.compile(r"^(?:comes?|runs?|fits?|works?|includes?|supports?|made|needs?|lasts?|ships?|charges?|feels?)\b")
_MAX_DEGREE = 3
_MAX_PHRASE = 4
_DEGREES = frozenset({"how"})
_COUNTS = frozenset({"many"})
_PLURAL_EXCEPTIONS = ("ss", "us", "is")
_SUBJECTS = frozenset({"i", "you", "we", "they", "he", "she", "it", "this", "that", "there"})
_REQUESTS = frozenset("show list find give tell compare recommend suggest see search explain describe help".split())


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
    text = _TRAIL.sub("", query[start:]).strip()
    spoken = [word.text.split("'")[0] for word in words_of(text)]
    if not spoken or spoken[0] in AUXILIARIES | _REQUESTS or not _SUBJECTS.isdisjoint(spoken):
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


def completed(fragment: str, name: str) -> str:
    """A fragment as a whole question about a named product."""
    text = _ARTICLE.sub("", fragment)
    spoken = [word.text for word in words_of(text)]
    first = spoken[0]
    if first == "how":
        return _degree(text, spoken, name)
    if first in PREPOSITIONS:
        return as_question(f"Is {name} available {text}" if first == "in" else f"Is {name} {text}")
    if first == "any":
        rest = text.split(maxsplit=1)[-1]
        return as_question(f"Is {name} {text}" if _ADJECTIVE.search(text) else f"Are there any {rest} for {name}")
    if _VERB.match(text.casefold()):
        return as_question(f"{name} {text}")
    if _ADJECTIVE.search(spoken[-1]) or _ADJECTIVE.search(" ".join(spoken)):
        return as_question(f"Is {name} {text}")
    be = "are" if _is_plural(spoken) else "is"
    return as_question(f"What {be} the {lowered(text)} of {name}")


def continues(fragment: str, previous: str) -> str | None:
    """The previous question with the fragment's prepositional phrase in it ("and in red?"); None for other fragments."""
    spoken = words_of(fragment)
    if len(spoken) == 1 or spoken[0].text not in PREPOSITIONS - {"about"}:
        return None
    body = previous.rstrip(" ?.!")
    for word in reversed(words_of(body)):
        if word.text == spoken[0].text and word.start and len(words_of(body[word.start :])) <= _MAX_PHRASE:
            return as_question(f"{body[: word.start]}{fragment}")
    return as_question(f"{body} {fragment}")


def _degree(text: str, spoken: list[str], name: str) -> str:
    if len(spoken) > 1 and spoken[1] in _COUNTS:
        return as_question(f"{text} does {name} have")
    return as_question(f"{text} is {name}")


def _is_plural(spoken: list[str]) -> bool:
    head = next((i for i, word in enumerate(spoken) if word in PREPOSITIONS), len(spoken))
    last = spoken[max(head - 1, 0)]
    joined = not CONJUNCTIONS.isdisjoint(spoken)
    return joined or (last.endswith("s") and not last.endswith(_PLURAL_EXCEPTIONS) and last not in PRONOUNS)
