"""Leaning: questions that only make sense after what was said before them."""

import re

from graph.language.function_words import CONJUNCTIONS, QUESTION_WORDS
from graph.rewriting.gate import Reading
from graph.rewriting.references import find_pronoun, has_empty_pronoun, has_own_antecedent
from graph.rewriting.scene import Scene
from graph.rewriting.words import content_words, words_of

_FEW = 1
_POINTING = re.compile(
    r"\b(?:is|are|was|were|do|does|did|can|could|will|would|of|for|with|about|after|before)\s+(?:this|that|these|those)"
    r"(?=\s*(?:$|[?.!,])|\s+(?:is|are|was|be|have|has|do|mean|work|happen|take|cost|apply|include|cover)\b)",
    re.IGNORECASE,
)
"""A demonstrative that stands for something said: "how does that work?", "and after this?"."""


def leans(reading: Reading, scene: Scene) -> bool:
    """Whether a question leans on the thread or the open page: by a pronoun, as a fragment, or by saying too little."""
    page = scene.user.page
    has_context = scene.discourse.turns or page.product_id or page.products or page.titles
    if not has_context or any(mention.known for mention in reading.mentions):
        return False
    place = _place_of_pronoun(reading.query)
    if place is not None:
        return not has_own_antecedent(reading.query, place, scene)
    return not has_empty_pronoun(reading.query) and _says_too_little(reading)


def _place_of_pronoun(query: str) -> int | None:
    """Where a pronoun stands for something said, in code points."""
    pronoun, pointing = find_pronoun(query), _POINTING.search(query)
    if pronoun is not None:
        return pronoun.start
    return pointing.start() if pointing else None


def _says_too_little(reading: Reading) -> bool:
    """Whether a question without a pronoun is one only after another one: "and the display?", "what happens then?"."""
    if only_asks_on(reading.query):
        return True
    if reading.fragment is not None:
        return reading.fragment.led or not (reading.shop or reading.browsing or reading.category)
    return reading.asks and not reading.shop and len(content_words(reading.query)) <= _FEW


def only_asks_on(query: str) -> bool:
    """Whether a question only asks on: "Why?", "And how?"."""
    spoken = {word.text for word in words_of(query)}
    return bool(spoken & QUESTION_WORDS) and spoken <= QUESTION_WORDS | CONJUNCTIONS
