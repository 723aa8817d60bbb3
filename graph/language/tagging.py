"""Parts of speech of a message, by TextBlob's lexicon-based tagger, which also knows what is said in chats."""

import warnings
from functools import cache

from textblob.en.taggers import PatternTagger

_NOUN, _NAME = "NN", "NNP"
_MODIFIERS = ("JJ", "CD", "VBN", "VBG")
_JOINING = ("JJ", "VB", "NN")
"""Tags of a word that, right behind a noun, may be a noun of the same phrase that was not known: `headphone jack`."""


def noun_phrases(text: str) -> list[str]:
    """The noun phrases of a text as they stand in it, without their articles; not those whose end is in doubt."""
    words = [*_tagged(text), (len(text), len(text), ".")]
    found = []
    begin = 0
    for at, (_, _, tag) in enumerate(words):
        if tag.startswith((_NOUN, *_MODIFIERS)):
            continue
        last = words[at - 1][2] if begin < at else ""
        if last.startswith(_NOUN) and (last == _NAME or not tag.startswith(_JOINING)):
            found.append(text[words[begin][0] : words[at - 1][1]])
        begin = at + 1
    return found


def _tagged(text: str) -> list[tuple[int, int, str]]:
    """Where each word begins and ends, and its Penn Treebank tag; what stands between two words is a mark."""
    placed: list[tuple[int, int, str]] = []
    end = 0
    for word, tag in _tagger().tag(text):
        start = text.find(word, end)
        if start < 0:
            continue
        if text[end:start].strip():
            placed.append((end, start, "."))
        end = start + len(word)
        placed.append((start, end, tag))
    return placed


@cache
def _tagger() -> PatternTagger:
    tagger = PatternTagger()
    with warnings.catch_warnings():
        # The library reads its lexicon for the first text, and does not close the file.
        warnings.simplefilter("ignore", ResourceWarning)
        tagger.tag("one")
    return tagger
