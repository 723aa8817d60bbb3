"""What a claim says against its evidence: a no for a yes, a word for its opposite."""

from collections import defaultdict
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from importlib.resources import files

from graph.support.wording import Wording


def turned_round(claim: Wording, sentences: Sequence[Wording]) -> frozenset[str]:
    """Stems of what is denied here and said there, or the other way about, wherever there it is spoken of."""
    near = [one for one in sentences if one.content & claim.content]
    return frozenset(
        word
        for word in claim.content
        if (spoken := [one for one in near if word in one.content])
        and all((word in one.negated) != (word in claim.negated) for one in spoken)
    )


def covered_otherwise(claim: Wording, texts: Sequence[Wording], figures: AbstractSet[str] = frozenset()) -> float:
    """Share of a claim's content words that stand in texts, its names and some of its figures left out."""
    names = {token.stem for run in claim.names for token in run}
    asked = {token.stem for token in claim.tokens if token.telling and token.text not in figures} - names
    there = frozenset[str]().union(*(one.content for one in texts))
    return len(asked & there) / len(asked) if asked else 1.0


@cache
def opposites() -> dict[str, frozenset[str]]:
    """The opposites of each word that has any."""
    found: dict[str, set[str]] = defaultdict(set)
    for line in files("graph.support").joinpath("antonyms.txt").read_text(encoding="utf-8").splitlines():
        if "|" in line and not line.startswith("#"):
            one, other = (part.split() for part in line.split("|"))
            for word in one:
                found[word] |= set(other)
            for word in other:
                found[word] |= set(one)
    return {word: frozenset(others) for word, others in found.items()}
