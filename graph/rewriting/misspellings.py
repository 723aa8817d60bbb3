"""Misspellings: the word that a mistyped one was meant to be ("teh wieght", "waranty").

A noisy channel (Kernighan, Church and Gale, 1990): of the known words that are near, the one that is said so often and
mistyped so easily that no other is about as likely.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from itertools import groupby

from graph.catalog import LocalCatalog
from graph.discourse import Discourse
from graph.language.english import Vocabulary, is_foreign, ordinary_words, printed_words
from graph.language.families import cue_words
from graph.language.lexicon import QUESTION_WORDS
from graph.language.terms import Word, words, words_of
from graph.parts import KnowledgeBase, Rewrite, Rewriter
from graph.rewriting.message import edited
from graph.rewriting.rules import find_reply
from graph.rewriting.scene import Scene
from graph.trained import CLEAR
from graph.turn import User
from ingestion.evidence import Product
from ingestion.source_types import SOURCE_TYPES
from ingestion.stems import stem

_SHORT, _LONG = 4, 7
"""A word of so few letters may lack one and not have a wrong one; a wrong consonant needs a long word."""
_SWAPPED, _COMMONEST = 3, 3000
"""Words of so few letters are only read as one of the commonest, of so many uses among a million, with two neighbours
swapped."""
_NEARBY = 200
"""Uses among a million words that a word of the product at hand has by standing there."""
_HARDLY = 0.1
"""How easily a consonant is mistaken, or a second mistake made, beside a vowel or a swap."""
_VOWELS = frozenset("aeiouy")

_SHORT_FORMS = {"u": "you", "ur": "your", "pls": "please", "plz": "please"}
"""Words as they are typed in a hurry."""

Holds = Callable[[str], bool]


class Misspellings:
    """Tells mistyped words from rare ones, and reads them.

    A word is mistyped only where nobody knows it: English does not, customers do not, and neither does the shop.

    Args:
        holds: Whether the shop knows a word: by a product's name, its glossary or its documents.
    """

    def __init__(self, holds: Holds) -> None:
        self._holds = lru_cache(maxsize=4096)(holds)
        # Read once a process: better now than in a customer's first turn.
        _english(), asked_words(), _shortened()

    def is_unknown(self, word: str) -> bool:
        """Whether a folded word lacks its apostrophe, or may be mistyped: the shop does not know it, nor English."""
        if not word.isascii() or not word.isalpha():
            return False
        if word in _shortened():
            return word not in _SHORT_FORMS or not self._holds(word)
        # No list holds every noun that is made a verb ("lasered").
        forms = {word, word.removesuffix("s"), stem(word) if word.endswith(("ed", "ing")) else word}
        english = any(form in uses() or form in ordinary_words() for form in forms)
        return len(word) >= _SWAPPED and not english and not self._holds(word)

    def meant(self, word: str, nearby: frozenset[str]) -> str | None:
        """The word that an unknown one was meant to be; None where none is near or several are.

        Args:
            word: In lower case.
            nearby: Words of the products at hand: known, and likely meant.
        """
        if word in nearby or word in _shortened():
            return _shortened().get(word)
        near = {*_english().near(word), *Vocabulary(nearby).near(word)}
        said = {known: uses().get(known, 0.0) + _NEARBY * (known in nearby) for known, _ in near}
        weights = {known: weight for known, edits in near if (weight := said[known] * _ease(word, known, edits))}
        best = max(weights, key=lambda known: weights[known], default=None)
        if best is None or weights[best] < CLEAR * sum(weights.values()):
            return None
        return best if best in asked_words() or best in nearby or self._holds(best) else None


@cache
def asked_words() -> frozenset[str]:
    """Common English words, and those by which attributes and policies are asked for."""
    return (ordinary_words() | cue_words()) & uses().keys()


@cache
def uses() -> Mapping[str, float]:
    """English word to its uses among a million printed ones."""
    total = sum(printed_words().values())
    return {word: count / total * 1e6 for word, count in printed_words().items() if word.isalpha()}


def _ease(word: str, known: str, edits: int) -> float:
    """How easily a known word is mistyped so: letters change places, and vowels are what spellers get wrong."""
    swapped = edits == 1 and sorted(word) == sorted(known)
    if len(word) <= _SWAPPED:
        return float(swapped and uses().get(known, 0.0) >= _COMMONEST)
    alike, long = _consonants(word) == _consonants(known), len(word) >= _LONG
    # A letter too many is one that was doubled, but in a long word.
    fits = len(known) > len(word) or long or (len(word) > _SHORT and len(_undoubled(known)) >= len(_undoubled(word)))
    if swapped or (alike and edits == 1 and fits):
        return 1.0
    return _HARDLY if long and (alike or (edits == 1 and len(known) >= len(word))) else 0.0


def _consonants(word: str) -> str:
    """The sound of a word without its vowels: its first letter, and its other consonants without doubles."""
    return word[0] + _undoubled(letter for letter in word[1:] if letter not in _VOWELS)


def _undoubled(letters: Iterable[str]) -> str:
    return "".join(letter for letter, _ in groupby(letters))


@cache
def _english() -> Vocabulary:
    return Vocabulary(uses())


@cache
def _shortened() -> Mapping[str, str]:
    """Contractions by what is typed without an apostrophe ("dont"), unless that is a word ("well"), and short forms."""
    whole = [*(word for word in printed_words() if "'" in word), *(f"{word}'s" for word in QUESTION_WORDS)]
    bare = {word.replace("'", ""): word for word in whole}
    return {word: contraction for word, contraction in bare.items() if word not in ordinary_words()} | _SHORT_FORMS


_EDITED_SOURCES = SOURCE_TYPES - {"review", "qa"}
"""Sources in which words are spelled as they should be; customers mistype."""
_AT_HAND = 4
_READ = 256
_CODE = frozenset("@/\\#_=&%+~*")
"""Signs that make a word beside them part of a code or an address."""


class SpelledRewriter:
    """Corrects the mistyped words of a question, then has it made to stand alone.

    Names and the shop's own words stay as they are. What was typed is shown and searched as well: the turn keeps it.

    Args:
        rewriter: Makes a question stand alone.
        names: Finds product names, so that these are left to the catalog.
        knowledge: What the shop says, and so which rare words are words.
    """

    def __init__(self, rewriter: Rewriter, names: LocalCatalog, knowledge: KnowledgeBase) -> None:
        self._rewriter, self._names, self._knowledge = rewriter, names, knowledge
        products = knowledge.products.values()
        said = " ".join(text for product in products for text in (product.brand or "", *product.category))
        places = " ".join(name for region, members in knowledge.regions.items() for name in (region, *members))
        self._own = frozenset(words(f"{said} {places}"))
        self._misspellings = Misspellings(self._holds)
        self._words_about = lru_cache(maxsize=_READ)(self._read_words)

    def rewrite(self, query: str, discourse: Discourse, user: User, catalog: Mapping[str, Product]) -> Rewrite:
        """Correct a question, and resolve what it leaves unsaid."""
        spelled = self._spelled(query, Scene(discourse, user, catalog, self._names))
        result = self._rewriter.rewrite(spelled, discourse, user, catalog)
        return replace(result, rewritten_by="rules") if spelled != query and result.rewritten_by == "none" else result

    def _spelled(self, query: str, scene: Scene) -> str:
        plain = (word for word in words_of(query) if _is_plain(word, query))
        unknown = [word for word in plain if self._misspellings.is_unknown(word.text)]
        pending = scene.discourse.pending
        if not unknown or is_foreign(query) or (pending and find_reply(query, pending, scene)):
            return query
        mentions = scene.mentions(query)
        free = [word for word in unknown if not any(m.start < word.end and word.start < m.end for m in mentions)]
        named = [fit.surface.product_id for mention in mentions for fit in mention.fits[:1]]
        nearby = frozenset[str]().union(*map(self._words_about, dict.fromkeys([*named, *scene.near][:_AT_HAND])))
        meant = ((word, self._misspellings.meant(word.text, nearby)) for word in free)
        return edited(query, [(word.start, word.end, _as_cased(to, word, query)) for word, to in meant if to])

    def _holds(self, word: str) -> bool:
        """Whether the shop uses a word in its names or in what it says of more than one product."""
        if word in self._own or self._names.holds(word):
            return True
        return bool(self._knowledge.lexical(word, _EDITED_SOURCES, 1))

    def _read_words(self, product_id: str) -> frozenset[str]:
        about = self._knowledge.product_evidence(product_id, _EDITED_SOURCES)
        return frozenset(word for item in about for word in words(f"{item.title} {item.text}"))


def _is_plain(word: Word, query: str) -> bool:
    """Whether a word is written as words are: no name's capital, no shouted code, no piece of an address."""
    written, begins = query[word.start : word.end], word.start
    while begins and query[begins - 1] in " \t\r\n\"'(":
        begins -= 1
    around = {query[word.start - 1 : word.start], query[word.end : word.end + 1]}
    opens = (not begins or query[begins - 1] in ".!?") and written.istitle()
    return around.isdisjoint(_CODE) and (written.islower() or opens or query.isupper())


def _as_cased(text: str, word: Word, query: str) -> str:
    """A word with the capitals of the one that it takes the place of."""
    written = query[word.start : word.end]
    return text.upper() if written.isupper() else text.capitalize() if written.istitle() else text
