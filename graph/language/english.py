"""English words, and how often each is printed."""

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
