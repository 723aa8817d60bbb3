"""What a claim says against its evidence: other figures, units and names, a no for a yes, a word for its opposite."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from graph.language.terms import stem
from graph.support.passages import Passage
from graph.support.wording import Token, Wording

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
    known = {token.text for text in passage.evidence for token in text.tokens}
    named = {token.text.removesuffix("'s") for run in claim.names for token in run if not token.text[0].isdigit()}
    unknown = named - known - {word.removesuffix("'s") for word in known}
    unfound = [run for run in claim.names if len(run) > 1 and not _places(run, passage)]
    numbered = any(any(token.text[0].isdigit() for token in run) for run in unfound)
    longer = any(_goes_on(run, passage) for run in claim.names)
    turned = _turned(claim, near)
    covered = _otherwise_covered(claim, passage, figures)
    return [
        len(figures) / max(len({one.value for one in claim.quantities}), 1),
        float(bool(figures)),
        float(units),
        len(unknown) / max(len(named), 1),
        float(bool(unknown)),
        len(unfound) / max(len(claim.names), 1),
        float(numbered),
        float(longer),
        float(claim.negates and not any(one.negates for one in near)),
        float(not claim.negates and near[0].negates),
        float(turned),
        float(_opposed(claim, passage.sentences[0])),
        float(claim.universal and not any(one.universal for one in near)),
        bool(figures) * covered,
        units * covered,
        (bool(unknown) or numbered or longer) * covered,
        turned * covered,
    ]


def _figures_missing(claim: Wording, passage: Passage) -> set[str]:
    there = {one.value for text in passage.evidence for one in text.quantities}
    return {one.value for one in claim.quantities} - there


def _turned(claim: Wording, near: Sequence[Wording]) -> bool:
    """Whether something is denied here and said there, or the other way about, wherever there it is spoken of."""
    for word in claim.content:
        spoken = [one for one in near if word in one.content]
        if spoken and all((word in one.negated) != (word in claim.negated) for one in spoken):
            return True
    return False


def _otherwise_covered(claim: Wording, passage: Passage, figures: set[str]) -> float:
    """Share of the claim's content words that stand in the evidence, its missing figures and its names left out."""
    names = {token.stem for run in claim.names for token in run}
    asked = {token.stem for token in claim.tokens if token.telling and token.text not in figures} - names
    there = frozenset[str]().union(*(one.content for one in passage.evidence))
    return len(asked & there) / len(asked) if asked else 1.0


def _other_units(claim: Wording, passage: Passage) -> bool:
    """Whether a figure stands in the evidence with known units, and with none of them that the claim gives it."""
    units: dict[str, set[str | None]] = defaultdict(set)
    for text in passage.evidence:
        for one in text.quantities:
            units[one.value].add(one.unit)
    return any(
        one.unit is not None and one.value in units and one.unit not in units[one.value] for one in claim.quantities
    )


def _places(run: Sequence[Token], passage: Passage) -> list[tuple[Wording, int]]:
    """Where a name stands whole in the evidence: in which text, and the word behind it."""
    name = [token.text.removesuffix("'s") for token in run]
    return [
        (text, at + len(name))
        for text in passage.evidence
        for at in range(len(text.tokens) - len(name) + 1)
        if all(name[step] == text.tokens[at + step].text.removesuffix("'s") for step in range(len(name)))
    ]


def _goes_on(run: Sequence[Token], passage: Passage) -> bool:
    """Whether the evidence has a name only as the beginning of a longer one ("X2" in "X2 Pro")."""
    ends = _places(run, passage)
    return bool(ends) and all(_named_on(text, end) for text, end in ends)


def _named_on(text: Wording, at: int) -> bool:
    if at >= len(text.tokens):
        return False
    following = text.tokens[at]
    return following.capital and text.text[text.tokens[at - 1].end : following.start] in {" ", "-"}


def _opposed(claim: Wording, best: Wording) -> bool:
    """Whether the claim has a word whose opposite is in the sentence, and neither has both."""
    words = {token.text for token in claim.tokens}
    theirs = {token.text for token in best.tokens}
    own = {token.stem for token in claim.tokens}
    return any(
        opposite in theirs and opposite not in words and stem(opposite) not in own
        for word in words - theirs
        for opposite in _opposites().get(word, ())
    )


@cache
def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for line in files("graph.support").joinpath("antonyms.txt").read_text(encoding="utf-8").splitlines():
        if "|" in line and not line.startswith("#"):
            one, other = (part.split() for part in line.split("|"))
            for word in one:
                found[word] |= set(other)
            for word in other:
                found[word] |= set(one)
    return {word: frozenset(others) for word, others in found.items()}
