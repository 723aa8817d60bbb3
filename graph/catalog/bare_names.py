"""Bare names: texts that are a product's name from elsewhere, not a sentence about one."""

from collections.abc import Set as AbstractSet

from graph.catalog.alignment import Spoken
from graph.catalog.names import NameIndex
from graph.language.adjectives import SUPERLATIVES
from graph.language.function_words import (
    ARTICLES,
    AUXILIARIES,
    PREPOSITIONS,
    PRONOUNS,
    QUESTION_WORDS,
    REQUEST_VERBS,
)

LONG = 4
"""From so many content words on, a bare name is judged as a whole; shorter ones may be about a product's quality."""
LONGEST_SPOKEN = 6
"""Up to so many content words, a name that stands whole in a text is what it is about, whatever else it says."""
_MOST_WORDS = 60
"""Longer texts are no names."""
_MIN_KNOWN = 0.5
SPEECH = QUESTION_WORDS | AUXILIARIES | PRONOUNS | REQUEST_VERBS | {"any", "some"}
"""Words that make a text a sentence."""


def content(question: Spoken) -> list[str]:
    """The words of a text but articles and prepositions."""
    return [unit.text for unit in question.units if unit.text not in PREPOSITIONS | ARTICLES]


def may_be_name(question: Spoken, names: NameIndex) -> bool:
    """Whether a text may be a bare name: half of its words, and all that are words of speech, stand in names."""
    words = content(question)
    if not 0 < len(words) <= _MOST_WORDS:
        return False
    if any(word in SUPERLATIVES and word not in names for word in words):
        return False
    known = sum(word in names for word in words)
    return known >= _MIN_KNOWN * len(words) and all(word in names for word in words if word in SPEECH)


def is_speech(question: Spoken, name: AbstractSet[str]) -> bool:
    """Whether a text says what is no part of the name it may be: a question mark, a pronoun, a verb of asking."""
    words = {unit.text for unit in question.units}
    return not (words & SPEECH <= name) or ("?" in question.text and not words <= name)
