"""Passages: the sentences of evidence, and those of them that are read closely."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graph.support.wording import Wording, read
from ingestion.spans import sentence_spans

KEPT = 6
"""So many sentences of all evidence are read closely."""
LONGEST = 60
"""Words of a sentence; a longer one is cut."""


@dataclass(frozen=True, slots=True)
class Rarity:
    """How much a word says: its inverse document frequency over the largest there is, 0 to 1.

    Attributes:
        known: Of the stems that were seen often enough to count.
    """

    known: Mapping[str, float]

    def of(self, stem: str) -> float:
        """The rarity of a stem; what is not known is rare."""
        return self.known.get(stem, 1.0)

    def total(self, stems: "frozenset[str] | set[str]") -> float:
        """The sum over stems, the same in every process."""
        return sum(sorted(map(self.of, stems)))


@dataclass(frozen=True, slots=True)
class Passage:
    """Evidence beside a claim.

    Attributes:
        evidence: The texts, read.
        sentences: The sentences of all of them that share the most with the claim, most first; of equal ones the first.
    """

    evidence: tuple[Wording, ...]
    sentences: tuple[Wording, ...]


def passage(claim: Wording, evidence: Sequence[str], rarity: Rarity) -> Passage:
    """Cut evidence into sentences and keep those that share the most with the claim."""
    texts = tuple(map(read, evidence))
    sentences = [read(one) for text in evidence for one in sentences_of(text)] or [read("")]
    shared = [-rarity.total(claim.content & one.content) for one in sentences]
    order = sorted(range(len(sentences)), key=lambda place: (shared[place], place))[:KEPT]
    return Passage(texts, tuple(sentences[place] for place in order))


def sentences_of(text: str) -> list[str]:
    """The sentences of a text; a very long one in parts."""
    found: list[str] = []
    for start, end in sentence_spans(text):
        words = text[start:end].split()
        parts = range(0, len(words), LONGEST)
        found += [text[start:end]] if len(words) <= LONGEST else [" ".join(words[at : at + LONGEST]) for at in parts]
    return found
