"""The judge of answers, by words.

It stands in for the entailment model of the Cite Before You Speak paper (section 3). It shares no code and no threshold
with the verifier of turns, and reads the whole evidence instead of the cited span; it cannot know what a word means, so
its figures tell changes, not truth.
"""

import re
from collections.abc import Sequence

from ingestion.lexical_index import FUNCTION_WORDS
from ingestion.stems import stem

LEAST_COVERED = 0.75
"""Share of a sentence's content words that must stand in the evidence."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")
_NEGATION = re.compile(r"(?i)\b(not|no|never|cannot|without|none|neither|nor)\b|n['’]t\b|:\s*false\b")
_CLAUSE = re.compile(r"(?<!\d)[.,](?!\d)|[;!?\n]|\bbut\b")
_ATTRIBUTION = frozenset(
    map(
        stem,
        """seller sellers customer customers reviewer reviewers review reviews says say said writes describes
        lists according manual specification description covers shop yes""".split(),
    )
)
"""Words with which an answer says who speaks; they claim nothing of the product."""


class LexicalJudge:
    """Asks of a sentence that its figures stand in the evidence, most of its words do, and its negation is theirs."""

    name = (
        f"lexical overlap: every figure and {LEAST_COVERED:.0%} of the content words stand in the evidence, "
        "which negates what the sentence negates"
    )

    def supports(self, sentence: str, evidence: Sequence[str], known: str = "") -> bool:
        """Whether all the evidence together supports a sentence.

        Args:
            sentence: Without markers.
            evidence: The texts it must follow from.
            known: What needs no support, such as the product's name.
        """
        text = "\n".join(evidence)
        if not text or _figures(sentence) - _figures(f"{text} {known}"):
            return False
        said = _content(sentence) - _ATTRIBUTION - _content(known)
        if said and len(said & _content(text)) < LEAST_COVERED * len(said):
            return False
        there = _clauses(text)
        return all(_negated_alike(clause, there) for clause in _clauses(sentence) if _content(clause) & said)


def _figures(text: str) -> set[str]:
    return {_THOUSANDS.sub("", figure).replace(",", ".").removesuffix(".0") for figure in _FIGURE.findall(text)}


def _content(text: str) -> set[str]:
    words = (word.casefold().replace("’", "'") for word in _WORD.findall(text))
    return {stem(word) for word in words if word not in FUNCTION_WORDS and not _NEGATION.search(word)}


def _clauses(text: str) -> list[str]:
    return [clause for clause in _CLAUSE.split(text) if clause.strip()]


def _negated_alike(clause: str, there: Sequence[str]) -> bool:
    """Whether one of the clauses that share most words with this one is negated just when this one is."""
    said = _content(clause)
    shared = [len(said & _content(other)) for other in there]
    nearest = [other for other, count in zip(there, shared, strict=True) if count == max(shared)]
    return any(_negates(other) == _negates(clause) for other in nearest)


def _negates(text: str) -> bool:
    return bool(_NEGATION.search(text))
