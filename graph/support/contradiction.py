"""What a claim says against its evidence: a no for a yes."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

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
