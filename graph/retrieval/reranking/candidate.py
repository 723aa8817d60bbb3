"""What is reranked, and the part of it that answers."""

import re
from dataclasses import dataclass

_SERIALISED = re.compile(r"\{.*\}", re.DOTALL)
_REPEATED_IN_ANOTHER_UNIT = re.compile(r"normalized_value\s*:\s*\{[^}]*\},?")
_FORMAL_KEYS = re.compile(r"\b(?:unit|value|type|name)\s*:")
_BRACKETS = re.compile(r'[{}\[\]";]|(?<=\s),|_')
_QUESTION_FIRST = re.compile(r"^Question:\s*.*?\s*\bAnswer:\s*(?P<answer>.*)$", re.DOTALL)
_QUESTION_LAST = re.compile(r"^(?P<answer>.*?)\s*\bQuestion:\s*.*$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A piece of evidence that may answer a question.

    Attributes:
        text: What it says.
        source_type: Its kind, where that is known.
    """

    text: str
    source_type: str | None = None


def answer_of(candidate: Candidate) -> str:
    """What a candidate says, in plain words: of a Q&A the answer, for its question shares words with many."""
    if candidate.source_type == "qa":
        found = _QUESTION_FIRST.match(candidate.text) or _QUESTION_LAST.match(candidate.text)
        if found:
            return plain_words(found["answer"])
    return plain_words(candidate.text)


def plain_words(text: str) -> str:
    """Write a serialised attribute as words: `item_weight: {unit:pounds, value:2.5}` says "item weight: pounds, 2.5".

    Text without braces stays as it is.
    """
    if not _SERIALISED.search(text):
        return text
    said = _FORMAL_KEYS.sub(" ", _REPEATED_IN_ANOTHER_UNIT.sub(" ", text))
    return " ".join(_BRACKETS.sub(" ", said).split())
