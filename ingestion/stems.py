"""English stems, safe to ask for from several threads."""

from functools import lru_cache
from threading import Lock

import snowballstemmer

_STEMMER = snowballstemmer.stemmer("english")
_LOCK = Lock()


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a folded word; a possessive ending does not count."""
    # The stemmer keeps the word it works on in itself.
    with _LOCK:
        return str(_STEMMER.stemWord(word.replace("’", "'").removesuffix("'s")))
