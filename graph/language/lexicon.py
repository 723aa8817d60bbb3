"""Closed and half-closed classes of English words by which questions are read; the lists stand in `lexicon.toml`."""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

from graph.language.function_words import ARTICLES, FUNCTION_WORDS

BE = frozenset("is are was were be been being am".split())
MODALS = frozenset(
    "do does did can could will would shall should may might must has have had don doesn didn won couldn".split()
)
OWNERS = frozenset("his her its their my your our".split())
DEMONSTRATIVES = frozenset("this that these those".split())
DETERMINERS = ARTICLES | OWNERS | DEMONSTRATIVES | frozenset("some any no other many which what all".split())
_REMEMBERED = 8192
"""Words whose classes are kept: reading a conversation asks for the same ones again and again."""

_EMPTY = frozenset(
    "else other others another such etc tell describe himself herself themselves itself both either neither lot".split()
)
_ADVERB = re.compile(r"\A\w{3,}ly")
_NO_ADVERBS = frozenset("family assembly supply july italy reply anomaly".split())
_DOUBLING = re.compile(r"\A[^aeiou]*[aeiou][bdgklmnprtv]")
_ADJECTIVE = re.compile(r"\A\w{2,}(?:ful|ous|less|able|ible|ical|mental|ional|tural|orial)")
_PARTICIPLE = re.compile(r"\A\w{4,}(?:ed|ing)")


@lru_cache(maxsize=_REMEMBERED)
def is_stop(word: str) -> bool:
    """Whether a lower-cased word names nothing by itself."""
    return word in FUNCTION_WORDS or word in _EMPTY or (bool(_ADVERB.fullmatch(word)) and word not in _NO_ADVERBS)


@lru_cache(maxsize=_REMEMBERED)
def is_verb(word: str) -> bool:
    """Whether a word may be a form of a verb; many may be nouns, too."""
    return word in _verbs() or (word.endswith("ed") and bool(_PARTICIPLE.fullmatch(word)))


@lru_cache(maxsize=_REMEMBERED)
def is_participle(word: str) -> bool:
    """Whether a word may follow "is" or "has" as a verb."""
    return word in _listed("irregular") or bool(_PARTICIPLE.fullmatch(word))


@lru_cache(maxsize=_REMEMBERED)
def is_adjective(word: str) -> bool:
    """Whether a word only modifies, so that a phrase that ends in it lacks its noun."""
    return word in _listed("adjectives") or bool(_ADJECTIVE.fullmatch(word))


@lru_cache(maxsize=1)
def _lists() -> dict[str, frozenset[str]]:
    text = files(__package__).joinpath("lexicon.toml").read_text(encoding="utf-8")
    return {name: frozenset(words.split()) for name, words in tomllib.loads(text).items()}


def _listed(name: str) -> frozenset[str]:
    return _lists()[name]


@lru_cache(maxsize=1)
def _verbs() -> frozenset[str]:
    return _listed("irregular").union(*map(_forms, _listed("verbs")))


def _forms(verb: str) -> set[str]:
    """The regular forms of a verb."""
    if verb.endswith("e"):
        return {verb, f"{verb}s", f"{verb}d", f"{verb[:-1]}ing"}
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return {verb, f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing"}
    third = f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else f"{verb}s"
    stem = verb + verb[-1] if _DOUBLING.fullmatch(verb) else verb
    return {verb, third, f"{verb}ed", f"{verb}ing", f"{stem}ed", f"{stem}ing"}
