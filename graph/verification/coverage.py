"""Lexical coverage: which words of a sentence its citations say, in their own words or in those that mean the same."""

from graph.answering.reviews import aspect_words
from graph.language.families import covered_terms
from graph.language.terms import stem, terms, words
from graph.verification.case import Case
from graph.verification.derivation import plain
from graph.verification.ranking import without_ranking
from ingestion.source_types import SOURCE_TABLE

FRAME = frozenset(
    map(
        stem,
        """seller describes lists writes manual says customer customers review reviews reviewer reviewers judge judges
        mention mentions report reports positive critical neutral average share both comes come costs cost weighs weigh
        stock price made makes run runs q all separately sells shop pros cons for against yes no these variants
        specification covers""".split(),
    )
)
"""Stems of the words with which answers are framed; they state nothing of the product."""
_LONGEST_FRAME = 12
"""Words around a quotation that say who speaks."""


def uncovered(case: Case) -> tuple[tuple[str, ...], float]:
    """Compare a sentence with what it cites.

    Returns:
        Stems of its content words that nothing cited says, and the share of all that something does. Figures and the
        words of an answer's frame count as neither.
    """
    told = terms(without_ranking(case))
    said = {term for term in told if term not in FRAME and not term[0].isdigit()}
    allowed = _allowed(case)
    missing = tuple(term for term in dict.fromkeys(told) if term in said and term not in allowed)
    return missing, 1.0 - len(missing) / len(said) if said else 1.0


def _allowed(case: Case) -> set[str]:
    allowed = {term for text in (case.cited, case.named, case.names) for term in terms(text)}
    for line in case.cited.splitlines():
        name, colon, value = line.partition(":")
        if colon:
            allowed |= covered_terms(name, value)
    for kind in {item.source_type for item in case.items}:
        allowed |= SOURCE_TABLE[kind].stems | set(map(stem, kind.split("_")))
    if any(item.op == "count" for item in case.derived):
        allowed |= aspect_words()
    return allowed | {term for item in case.derived for term in terms(plain(item.value))}


def is_framed(words_outside: str) -> bool:
    """Whether words only say who speaks."""
    return all(term in FRAME for term in terms(words_outside)) and len(words(words_outside)) <= _LONGEST_FRAME
