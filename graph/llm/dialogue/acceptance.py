"""Acceptance: a model's rewrite is held to what every rewrite is held to, whatever it was told."""

import re
from collections.abc import Callable, Iterable

from rapidfuzz.distance import OSA

from graph.language.function_words import AUXILIARIES, FUNCTION_WORDS, QUESTION_WORDS
from graph.language.injection import instructs
from graph.language.terms import fold, terms
from graph.llm.dialogue.conversation import DialogueContext
from graph.rewriting.fragments import REQUESTS, fragment_of, lead_of
from graph.rewriting.scene import NameFinder
from graph.rewriting.words import content_words, words_of

MOST_NEW_WORDS = 3
"""Content words that neither question nor conversation holds: enough to phrase a question, too few to answer it."""
RESPELT, LEAST_RESPELT = 0.8, 4
"""Similarity from which on a word is another spelling, and how long it is at least: "battry"."""
_PIECE = re.compile(r"\w+")
_SENTENCE_START = re.compile(r"(?:\A|[.?!…:]\s)\W{0,9}\Z")
_REACH = 12
"""So far before a word the end of the sentence before it is looked for."""
_STAND_IN = re.compile(r"\b(?:this|that|these|those)\s+(\w+)|\b(\w+)\s+ones?\b", re.IGNORECASE)
"""Phrases that a name stands in for: "this phone", "the second one"."""


def fault_of(text: str, conversation: DialogueContext, names: NameFinder) -> str | None:
    """Why a rewrite cannot be used, as what it does; None for one that can."""
    return next((fault for fault, is_at_fault in _FAULTS if is_at_fault(text, conversation, names)), None)


def may_be_searched(text: str, conversation: DialogueContext, names: NameFinder) -> bool:
    """Whether a text may be searched beside the question: it orders nothing and is about no other product."""
    return not instructs(text) and not _names_other_product(text, conversation, names)


def _instructs(text: str, _: DialogueContext, __: NameFinder) -> bool:
    return instructs(text)


def _drops_content(text: str, conversation: DialogueContext, _: NameFinder) -> bool:
    """Whether content words of the question are gone that no name stands in for; ending and spelling may differ."""
    kept = _stems(content_words(text))
    asked = _stems(content_words(conversation.query) - _stand_ins(conversation.query))
    return any(not any(_is_respelt(term, other) for other in kept) for term in asked - kept)


def _is_respelt(term: str, other: str) -> bool:
    return term.isalpha() and len(term) >= LEAST_RESPELT and OSA.normalized_similarity(term, other) >= RESPELT


def _stand_ins(query: str) -> set[str]:
    return {fold(word) for match in _STAND_IN.finditer(query) for word in match.groups() if word}


def _names_other_product(text: str, conversation: DialogueContext, names: NameFinder) -> bool:
    """Whether it names a product of the shop by a word that the conversation does not hold."""
    held = _pieces(conversation.texts)
    mentioned = (text[mention.start : mention.end] for mention in names.mentions(text) if mention.known)
    return any(not _pieces([name]) - FUNCTION_WORDS <= held for name in mentioned)


def _invents_name(text: str, conversation: DialogueContext, _: NameFinder) -> bool:
    """Whether a number, a code or a capitalised word within a sentence is in nothing that was shown."""
    held = _pieces(conversation.texts) | FUNCTION_WORDS
    stems = _stems(conversation.texts)
    for match in _PIECE.finditer(text):
        word = match.group()
        near, start = max(match.start() - _REACH, 0), match.start()
        named = any(char.isupper() for char in word) and not _SENTENCE_START.search(text, near, start)
        strange = fold(word) not in held and (not word.isalpha() or stems.isdisjoint(terms(word)))
        if strange and (named or any(char.isdigit() for char in word)):
            return True
    return False


def _answers(text: str, conversation: DialogueContext, _: NameFinder) -> bool:
    """Whether a statement stands where something was asked."""
    query = conversation.query
    if _asks(query):
        return not _asks(text)
    return fragment_of(query) is not None and not _asks(text) and fragment_of(text) is None


def _asks(text: str) -> bool:
    first = next((word.text.split("'")[0] for word in words_of(text[lead_of(text) :])), "")
    return text.rstrip().endswith("?") or first in AUXILIARIES | QUESTION_WORDS | REQUESTS


def _adds_much(text: str, conversation: DialogueContext, _: NameFinder) -> bool:
    return len(set(terms(text)) - _stems(conversation.texts)) > MOST_NEW_WORDS


def _stems(texts: Iterable[str]) -> set[str]:
    return {term for text in texts for term in terms(text)}


def _pieces(texts: Iterable[str]) -> set[str]:
    return {fold(piece) for text in texts for piece in _PIECE.findall(text)}


_FAULTS: tuple[tuple[str, Callable[[str, DialogueContext, NameFinder], bool]], ...] = (
    ("gives orders", _instructs),
    ("leaves out words of the question", _drops_content),
    ("names a product that nobody named", _names_other_product),
    ("names what nobody named", _invents_name),
    ("answers instead of asking", _answers),
    ("adds what nobody said", _adds_much),
)
"""What a rewrite must not do, with what finds it."""
