"""The language of a question: answers are in English so far, and say so to whoever asks in another."""

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from graph.language.terms import STOPWORDS, words

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

FOREIGN = "I can only read and answer English so far. Could you ask that in English?"
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
