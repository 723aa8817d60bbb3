"""What a claim says against its evidence: other figures, units and names, a no for a yes, a word for its opposite."""

from collections import defaultdict
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from importlib.resources import files

from graph.language.terms import stem
from graph.support.names import goes_on, numbered, places, unknown_words
from graph.support.passages import Passage
from graph.support.wording import Wording

NAMES = (
    "figures missing",
    "a figure is missing",
    "other units",
    "names missing",
    "a name is missing",
    "names not found whole",
    "a numbered name is not found",
    "name goes on",
    "only the claim negates",
    "only the evidence negates",
    "turned round",
    "opposites",
    "only the claim is universal",
    "figure changed",
    "unit changed",
    "name changed",
    "turned round alone",
)
"""The last four count as much of the claim as is covered otherwise: what is said but for this one thing is a swap."""


def contradiction(claim: Wording, passage: Passage) -> list[float]:
    """Describe a claim beside its evidence, one figure for each of `NAMES`."""
    near = [one for one in passage.sentences if one.content & claim.content] or passage.sentences[:1]
    figures = _figures_missing(claim, passage)
    units = _other_units(claim, passage)
    named = {token.text for run in claim.names for token in run if not token.text[0].isdigit()}
    unknown = unknown_words(claim, passage.evidence)
    unfound = [run for run in claim.names if len(run) > 1 and not places(run, passage.evidence)]
    unfound_number = any(map(numbered, unfound))
    longer = any(goes_on(run, passage.evidence) for run in claim.names)
    turned = bool(turned_round(claim, near))
    covered = covered_otherwise(claim, passage.evidence, figures)
    return [
        len(figures) / max(len({one.value for one in claim.quantities}), 1),
        float(bool(figures)),
        float(units),
        len(unknown) / max(len(named), 1),
        float(bool(unknown)),
        len(unfound) / max(len(claim.names), 1),
        float(unfound_number),
        float(longer),
        float(claim.negates and not any(one.negates for one in near)),
        float(not claim.negates and near[0].negates),
        float(turned),
        float(_opposed(claim, passage.sentences[0])),
        float(claim.universal and not any(one.universal for one in near)),
        bool(figures) * covered,
        units * covered,
        (bool(unknown) or unfound_number or longer) * covered,
        turned * covered,
    ]


def _figures_missing(claim: Wording, passage: Passage) -> set[str]:
    there = {one.value for text in passage.evidence for one in text.quantities}
    return {one.value for one in claim.quantities} - there


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


def _other_units(claim: Wording, passage: Passage) -> bool:
    """Whether a figure stands in the evidence with known units, and with none of them that the claim gives it."""
    units: dict[str, set[str | None]] = defaultdict(set)
    for text in passage.evidence:
        for one in text.quantities:
            units[one.value].add(one.unit)
    return any(
        one.unit is not None and one.value in units and not units[one.value] & {one.unit, None}
        for one in claim.quantities
    )


def _opposed(claim: Wording, best: Wording) -> bool:
    """Whether the claim has a word whose opposite is in the sentence, and neither has both."""
    words = {token.text for token in claim.tokens}
    theirs = {token.text for token in best.tokens}
    own = {token.stem for token in claim.tokens}
    return any(
        opposite in theirs and opposite not in words and stem(opposite) not in own
        for word in words - theirs
        for opposite in opposites().get(word, ())
    )


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
