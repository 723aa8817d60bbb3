"""What a claim says against its evidence: other figures, units and names, a no for a yes, a word for its opposite."""

from collections import defaultdict
from functools import cache
from importlib.resources import files

from graph.language.terms import stem
from graph.support.passages import Passage
from graph.support.wording import Token, Wording

NAMES = (
    "figures missing",
    "a figure is missing",
    "figures missing from the sentence",
    "has figures",
    "other units",
    "names missing",
    "a name is missing",
    "name goes on",
    "only the claim negates",
    "only the sentence negates",
    "turned round",
    "opposites",
    "only the claim is universal",
)


def contradiction(claim: Wording, passage: Passage) -> list[float]:
    """Describe a claim beside its evidence, one figure for each of `NAMES`."""
    best = passage.sentences[0]
    said = {one.value for one in claim.quantities}
    there = {one.value for text in passage.evidence for one in text.quantities}
    near = {one.value for one in best.quantities}
    named = {token.text for run in claim.names for token in run if not token.text[0].isdigit()}
    known = {token.text for text in passage.evidence for token in text.tokens}
    unknown = {name for name in named if name.removesuffix("'s") not in known and name not in known}
    turned = claim.content & best.content & (claim.negated ^ best.negated)
    return [
        len(said - there) / len(said) if said else 0.0,
        float(bool(said - there)),
        len(said - near) / len(said) if said else 0.0,
        float(bool(said)),
        float(_other_units(claim, passage)),
        len(unknown) / len(named) if named else 0.0,
        float(bool(unknown)),
        float(any(_goes_on(run, passage) for run in claim.names)),
        float(claim.negates and not best.negates),
        float(best.negates and not claim.negates),
        float(bool(turned)),
        float(_opposed(claim, best)),
        float(claim.universal and not best.universal),
    ]


def _other_units(claim: Wording, passage: Passage) -> bool:
    """Whether a figure stands in the evidence with known units, and with none of them that the claim gives it."""
    units: dict[str, set[str | None]] = defaultdict(set)
    for text in passage.evidence:
        for one in text.quantities:
            units[one.value].add(one.unit)
    return any(
        one.unit is not None and one.value in units and one.unit not in units[one.value] for one in claim.quantities
    )


def _goes_on(run: tuple[Token, ...], passage: Passage) -> bool:
    """Whether the evidence has a name only as the beginning of a longer one ("X2" in "X2 Pro")."""
    name = [token.text for token in run]
    ends = [
        (text, at + len(name))
        for text in passage.evidence
        for at in range(len(text.tokens) - len(name) + 1)
        if [token.text for token in text.tokens[at : at + len(name)]] == name
    ]
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
