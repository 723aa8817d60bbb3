"""A message: what leads in, whether it is a fragment, and edits that leave all other words alone."""

from collections.abc import Iterable, Sequence

from graph.language.lexicon import (
    AUXILIARIES,
    DEFINITE,
    FUNCTION_WORDS,
    INDEFINITE,
    PREPOSITIONS,
    QUESTION_WORDS,
    is_verb,
)
from graph.language.locale import table, word_class
from graph.language.terms import Word, words_of
from ingestion.evidence import Product

REQUESTS = word_class("requests")
"""Verbs that open a request ("show me the cheaper one")."""
_LEAD_INS = frozenset(table("words")["lead_ins"])
_SENTENCE = AUXILIARIES | QUESTION_WORDS | word_class("subjects")
"""Words of a whole sentence."""
_ADDED = word_class("narrowing")
_CONDITIONS = word_class("condition_openers")
_INVERTING = frozenset({"do", "does", "did"})
_ENDINGS = " \t\r\n?.!…"
_SENTENCE_ENDS = (". ", "! ", "? ", "\n")
_PAUSE = " \t\r\n,"


def content_words(text: str) -> set[str]:
    """The words of a question that carry its content."""
    return {word.base for word in words_of(text)} - FUNCTION_WORDS


Edit = tuple[int, int, str]
"""Where a stretch of a text begins and ends, and what takes its place."""


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Apply edits that do not overlap."""
    result = text
    for start, end, instead in sorted(edits, reverse=True):
        result = result[:start] + instead + result[end:]
    return result


def appended(text: str, phrase: str, joint: str = " ") -> str:
    """A question with a phrase before its closing punctuation."""
    body = text.rstrip(_ENDINGS)
    ending = text[len(body) :].strip()
    return f"{body}{joint}{phrase}{ending}"


def naming(text: str, products: Sequence[Product]) -> str:
    """A question with the products that it is about, at its end."""
    return appended(text, f"for {' and '.join(product.name for product in products)}")


def lead_of(query: str) -> int:
    """How many code points lead in before the question's own words, of which one is left at least."""
    words, first = words_of(query), 0
    while length := next((n for n in (2, 1) if first + n < len(words) and _phrase(words, first, n) in _LEAD_INS), 0):
        first += length
    end = words[first - 1].end if first else 0
    return len(query) - len(query[end:].lstrip(_PAUSE))


def _phrase(words: Sequence[Word], first: int, length: int) -> str:
    return " ".join(word.text for word in words[first : first + length])


def fragment_of(query: str) -> str | None:
    """The own words of a question without a sentence around it, behind what leads in ("and", "what about"); else None.

    Neither a whole sentence nor a request is one.
    """
    text = query[lead_of(query) :].strip(f"{_ENDINGS},")
    spoken = [word.base for word in words_of(text)]
    if not spoken or spoken[0] in REQUESTS or not _SENTENCE.isdisjoint(spoken):
        return None
    return text


def continues(fragment: str, previous: str) -> str | None:
    """The previous question's last sentence with the fragment's phrase in it ("and in red?"); None for one without."""
    spoken = words_of(fragment)
    text = previous.rstrip(_ENDINGS)
    body = text[max(text.rfind(mark) for mark in _SENTENCE_ENDS) + 1 :].strip()
    if spoken[0].text not in _CONDITIONS | PREPOSITIONS - {"about"}:
        return None
    words = words_of(body)
    for index in range(len(words) - 2, 0, -1):
        # "How long does it take *to ship* the wardrobe" has no such phrase.
        if words[index].text == spoken[0].text and not is_verb(words[index + 1].text):
            end = _phrase_end(words, index)
            return _as_question(f"{body[: words[index].start]}{fragment}{body[end:]}")
    return _as_question(f"{body} {fragment}") if spoken[0].text in _ADDED | _CONDITIONS else None


def _as_question(text: str) -> str:
    """A sentence with its first letter large and a question mark."""
    return f"{text[:1].upper()}{text[1:]}?"


def _phrase_end(words: Sequence[Word], preposition: int) -> int:
    """Where a prepositional phrase ends; what stands behind it in the question stays."""
    first = preposition + 1
    while first < len(words) - 1 and words[first].text in DEFINITE | INDEFINITE:
        first += 1
    last = first
    while last + 1 < len(words) and words[last + 1].text not in FUNCTION_WORDS:
        last += 1
    # After "does it", the last word of all is the verb: "how long does a refund to my card *take*".
    inverted = any(word.text in _INVERTING for word in words[:preposition])
    return words[last - (inverted and first < last == len(words) - 1)].end
