"""Passages: what of evidence is read beside a claim."""

from collections.abc import Sequence

from graph.support.wording import Wording, read
from ingestion.spans import sentence_spans

WINDOW = 75
"""Words that fit the reader's window beside a claim."""
LONGEST = 60
"""Words of a sentence; a longer one is read in parts."""


def nearest_sentences(claim: Wording, evidence: Sequence[str]) -> list[str]:
    """The sentences of evidence, those that share the most words with a claim first, of equal ones the first."""
    sentences = [one for text in evidence for one in sentences_of(text)]
    shared = [-len(claim.content & read(one).content) for one in sentences]
    return [sentences[place] for place in sorted(range(len(sentences)), key=lambda place: (shared[place], place))]


def window(claim: Wording, evidence: Sequence[str]) -> str:
    """The evidence itself where it is short; else its nearest sentences, as many as fit, in their own order."""
    whole = " ".join(evidence)
    if len(whole.split()) <= WINDOW:
        return whole
    nearest = nearest_sentences(claim, evidence)
    chosen, left = set[str](), WINDOW
    for one in nearest:
        if (size := len(one.split())) <= left:
            chosen.add(one)
            left -= size
    return " ".join(one for text in evidence for one in sentences_of(text) if one in chosen)


def sentences_of(text: str) -> list[str]:
    """The sentences of a text; a very long one in parts."""
    found: list[str] = []
    for start, end in sentence_spans(text):
        words = text[start:end].split()
        parts = range(0, len(words), LONGEST)
        found += [text[start:end]] if len(words) <= LONGEST else [" ".join(words[at : at + LONGEST]) for at in parts]
    return found
