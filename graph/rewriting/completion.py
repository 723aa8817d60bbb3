"""Completion: a fragment and a product's name as a whole question."""

import re

from graph.language.function_words import PREPOSITIONS
from graph.rewriting.words import as_question, lowered, words_of

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
