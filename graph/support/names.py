"""Names: whether a text has a name whole, and not only as the beginning of a longer one."""

from collections.abc import Sequence

from graph.support.wording import Token, Wording, without_possessive

_LONGEST = 12
"""Words of a name; a longer one is known by its beginning."""


def unknown_words(claim: Wording, texts: Sequence[Wording]) -> set[str]:
    """Words of a claim's names that stand in none of the texts."""
    known = {token.text for text in texts for token in text.tokens}
    named = {without_possessive(token.text) for run in claim.names for token in run if not token.text[0].isdigit()}
    return named - known - {word for text in texts for word in text.bare}


def places(run: Sequence[Token], texts: Sequence[Wording]) -> list[tuple[Wording, int]]:
    """Where a name stands whole: in which text, and the word behind it."""
    name = tuple(without_possessive(token.text) for token in run[:_LONGEST])
    return [
        (text, at + len(run))
        for text in texts
        for at in text.places_of(name[0])
        if text.bare[at : at + len(name)] == name
    ]


def goes_on(run: Sequence[Token], texts: Sequence[Wording]) -> bool:
    """Whether texts have a name only as the beginning of a longer one ("X2" in "X2 Pro")."""
    ends = places(run, texts)
    return bool(ends) and all(_named_on(text, end) for text, end in ends)


def numbered(run: Sequence[Token]) -> bool:
    """Whether a name has a number in it."""
    return any(token.text[0].isdigit() for token in run)


def _named_on(text: Wording, at: int) -> bool:
    if at >= len(text.tokens):
        return False
    following = text.tokens[at]
    between = text.text[text.tokens[at - 1].end : following.start]
    return not between or (following.capital and between in {" ", "-"})
