"""Asked words: the words that customers ask with, and how often."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from graph.intents.utterances import UTTERANCES
from graph.language.english import ordinary_words, printed_words
from graph.language.terms import STOPWORDS, fold, words
from graph.rewriting.flag_examples import UTTERANCES as FLAG_UTTERANCES

_SLOT = re.compile(r"\{\w+\}")


@cache
def asked_words() -> Mapping[str, int]:
    """Word to its uses in the training utterances; the cues of attributes and policies are used once at least.

    What is in no list of English was mistyped there.
    """
    english = ordinary_words().union(printed_words(), STOPWORDS)
    counts = Counter(word for line in _utterances() for word in words(_SLOT.sub(" ", fold(line))))
    counts.update({word for word in (*_cues(), *STOPWORDS) if word not in counts})
    return {word: count for word, count in counts.items() if word.isalpha() and word in english}


@cache
def uses() -> Mapping[str, float]:
    """English word to its uses among the asked words; print, counted as if it were as long, adds to what they lack."""
    asked, printed = asked_words(), printed_words()
    share = sum(asked.values()) / sum(printed.values())
    return {word: asked.get(word, 0) + printed.get(word, 0) * share for word in {*printed, *asked} if word.isalpha()}


def _utterances() -> Iterator[str]:
    for folder in (UTTERANCES, FLAG_UTTERANCES):
        for file in sorted(folder.glob("*.txt")):
            yield from file.read_text(encoding="utf-8").splitlines()


def _cues() -> Iterator[str]:
    """The words by which attributes and policies are asked for."""
    for table in ("families", "sources"):
        text = files("graph.language").joinpath(f"{table}.toml").read_text(encoding="utf-8")
        for entry in _entries(tomllib.loads(text)):
            yield from words(" ".join(entry.get("cues", ())))


def _entries(table: Mapping[str, object]) -> Iterator[Mapping[str, list[str]]]:
    """The tables of a file, in a list or each under a name of its own."""
    for value in table.values():
        yield from value if isinstance(value, list) else [value]  # type: ignore[misc]  # what TOML holds
