"""Spelled: a question is rewritten with its mistyped words as they were meant."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Protocol

from graph.discourse import Discourse
from graph.language.detection import is_foreign
from graph.language.terms import words
from graph.parts import KnowledgeBase, Rewrite, Rewriter
from graph.rewriting.misspellings import Misspellings
from graph.rewriting.pending import find_reply
from graph.rewriting.scene import NameFinder, Scene
from graph.rewriting.words import Edit, Word, edited, words_of
from graph.turn import User
from ingestion.evidence import Product
from ingestion.source_types import SOURCE_TYPES

_EDITED_SOURCES = SOURCE_TYPES - {"review", "qa"}
"""Sources in which words are spelled as they should be; customers mistype."""
_AT_HAND = 4
_READ = 256
_CODE = frozenset("@/\\#_=&%+~*")
"""Signs that make a word beside them part of a code or an address."""


class ShopNames(NameFinder, Protocol):
    """The names of a shop's products, and the words they are made of."""

    def holds(self, word: str) -> bool:
        """Whether some product's name holds a folded word."""
        ...


class SpelledRewriter:
    """Corrects the mistyped words of a question, then has it made to stand alone.

    Names and the shop's own words stay as they are. What was typed is shown and searched as well: the turn keeps it.

    Args:
        rewriter: Makes a question stand alone.
        names: Finds product names, so that these are left to the catalog.
        knowledge: What the shop says, and so which rare words are words.
    """

    def __init__(self, rewriter: Rewriter, names: ShopNames, knowledge: KnowledgeBase) -> None:
        self._rewriter, self._names, self._knowledge = rewriter, names, knowledge
        self._own = frozenset(_own_words(knowledge))
        self._misspellings = Misspellings(self._holds)
        self._words_about = lru_cache(maxsize=_READ)(self._read_words)

    def rewrite(self, query: str, discourse: Discourse, user: User, catalog: Mapping[str, Product]) -> Rewrite:
        """Correct a question, and resolve what it leaves unsaid."""
        spelled = self._spelled(query, Scene(discourse, user, catalog, self._names))
        result = self._rewriter.rewrite(spelled, discourse, user, catalog)
        return replace(result, rewritten_by="rules") if spelled != query and result.rewritten_by == "none" else result

    def _spelled(self, query: str, scene: Scene) -> str:
        shouted = query.isupper()
        unknown = [
            word
            for word in words_of(query)
            if _is_plain(word, query, shouted=shouted) and self._misspellings.is_unknown(word.text)
        ]
        pending = scene.discourse.pending
        if not unknown or is_foreign(query) or (pending and find_reply(query, pending, scene)):
            return query
        mentions = scene.mentions(query)
        free = [word for word in unknown if not any(m.start < word.end and word.start < m.end for m in mentions)]
        named = [fit.surface.product_id for mention in mentions for fit in mention.fits[:1]]
        nearby = frozenset[str]().union(*map(self._words_about, dict.fromkeys([*named, *scene.at_hand][:_AT_HAND])))
        meant = ((word, self._misspellings.meant(word.text, nearby)) for word in free)
        return edited(query, [Edit(word.start, word.end, _as_cased(query, word, to)) for word, to in meant if to])

    def _holds(self, word: str) -> bool:
        """Whether the shop uses a word in its names or in what it says of more than one product."""
        if word in self._own or self._names.holds(word):
            return True
        return bool(self._knowledge.lexical(word, _EDITED_SOURCES, 1))

    def _read_words(self, product_id: str) -> frozenset[str]:
        about = self._knowledge.product_evidence(product_id, _EDITED_SOURCES)
        return frozenset(word for item in about for word in words(f"{item.title} {item.text}"))


def _own_words(knowledge: KnowledgeBase) -> Iterator[str]:
    """The words of makers, categories, places and the glossary."""
    products = knowledge.products.values()
    said = {text for product in products for text in (product.brand or "", *product.category)}
    said.update(entry.term for entry in knowledge.glossary)
    said.update(name for region, members in knowledge.regions.items() for name in (region, *members))
    for text in said:
        yield from words(text)


def _is_plain(word: Word, query: str, *, shouted: bool) -> bool:
    """Whether a word is written as words are: no name's capital, no shouted code, no piece of an address."""
    written, begins = query[word.start : word.end], word.start
    while begins and query[begins - 1] in " \t\r\n\"'(":
        begins -= 1
    around = {query[word.start - 1 : word.start], query[word.end : word.end + 1]}
    opens = (not begins or query[begins - 1] in ".!?") and written.istitle()
    return around.isdisjoint(_CODE) and (written.islower() or opens or shouted)


def _as_cased(query: str, word: Word, text: str) -> str:
    """A word with the capitals of the one that it takes the place of."""
    written = query[word.start : word.end]
    if written.isupper():
        return text.upper()
    return text.capitalize() if written[:1].isupper() else text
