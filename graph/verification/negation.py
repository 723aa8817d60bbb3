"""Negation: a sentence denies what its cited words deny, and nothing else."""

import re

from graph.language.terms import words
from graph.support.contradiction import covered_otherwise, turned_round
from graph.support.passages import nearest_sentences
from graph.support.wording import Wording, read
from graph.verification.case import Case

_DENIAL = re.compile(
    r"(?i)\b(not|no|never|cannot|without|none|neither|nor|nobody|nothing|lacks?|lacking|except|excluding|excluded|"
    r"excludes|unavailable|unable|false|fails?|free of|out of stock|sold out|prohibit\w*|forbid\w*|only)\b"
    r"|n['’]t\b|\bnon-?|-free\b|:\s*n\b|\bun\w{4,}"
)
_SAYS_NO = re.compile(r"(?i)\b(not|no|never|cannot|without|none|neither|nor)\b|n['’]t\b")

_SAME_MATTER = 0.8
"""Share of the other words that must be there."""
_SAME_WORDS = 0.9
"""Share of the words of two sentences that both have, where they say the same."""


def unfound_negation(case: Case) -> tuple[str, ...]:
    """The word by which a sentence denies what nothing cited denies."""
    denial = _SAYS_NO.search(case.said.text)
    if denial is None or _DENIAL.search(f"{case.cited}\n{case.named}"):
        return ()
    return (denial[0],)


def lost_negation(case: Case) -> tuple[str, ...]:
    """The words that a sentence affirms where its cited words deny them, or the other way about.

    Only where a cited sentence says all the rest of the sentence: else they may speak of another matter. Where both say
    the same words, they must deny equally often: "not no" is another thing than "no".
    """
    if case.derived:
        return ()
    best = read(next(iter(nearest_sentences(case.said, case.quotes)), ""))
    if covered_otherwise(case.said, [best, *case.above]) < _SAME_MATTER:
        return ()
    turned = turned_round(case.said, [best])
    if not turned and _same_words(case.said, best) and _denials(case.said) % 2 != _denials(best) % 2:
        return tuple(token.text for token in case.said.tokens if token.negates) or tuple(words(case.said.text))
    return tuple(dict.fromkeys(token.text for token in case.said.tokens if token.stem in turned))


def _same_words(one: Wording, other: Wording) -> bool:
    both = one.content & other.content
    return len(both) >= _SAME_WORDS * len(one.content | other.content) > 0


def _denials(wording: Wording) -> int:
    return sum(token.negates for token in wording.tokens)
