"""What is reranked, and the part of it that answers."""

import re
from dataclasses import dataclass

from graph.language.notation import has_braces

_REPEATED_IN_ANOTHER_UNIT = re.compile(r"normalized_value\s*:\s*\{[^}]{0,500}\},?")
_FORMAL_KEYS = re.compile(r"\b(?:unit|value|type|name)\s*:")
_BRACKETS = re.compile(r'[{}\[\]";]|(?<=\s),|_')
_QUESTION, _ANSWER = re.compile(r"\bQuestion:"), re.compile(r"\bAnswer:")


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
    found = exchange_of(candidate.text) if candidate.source_type == "qa" else None
    return plain_words(found[1] if found else candidate.text)


def exchange_of(text: str) -> tuple[str, str] | None:
    """The question and the answer of a Q&A, whichever stands first; None where it names no question."""
    asked = _QUESTION.search(text)
    if asked is None:
        return None
    before, behind = text[: asked.start()], text[asked.end() :]
    if not before.strip() and (found := _ANSWER.search(behind)):
        return behind[: found.start()].strip(), behind[found.end() :].lstrip()
    return behind.lstrip(), before.rstrip()


def plain_words(text: str) -> str:
    """Write a serialised attribute as words: `item_weight: {unit:pounds, value:2.5}` says "item weight: pounds, 2.5".

    Text without braces stays as it is.
    """
    if not has_braces(text):
        return text
    said = _FORMAL_KEYS.sub(" ", _REPEATED_IN_ANOTHER_UNIT.sub(" ", text))
    return " ".join(_BRACKETS.sub(" ", said).split())
