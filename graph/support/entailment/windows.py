"""Windows: stretches of evidence that are short enough to be read together with a claim."""

from collections.abc import Sequence

from graph.support.entailment.pairs import pieces
from graph.support.passages import Rarity, sentences_of
from graph.support.wording import Wording, read

MOST = 3
"""So many windows that share the most with the claim are read."""
_SIZE = 100
"""Word pieces of a window; a longer sentence is one by itself."""


def windows(claim: Wording, evidence: Sequence[str], rarity: Rarity) -> list[str]:
    """The windows of evidence that share the most with a claim, most first; of equal ones the first."""
    found = [window for text in evidence for window in _windows(text)]
    shared = [-rarity.total(claim.content & read(window).content) for window in found]
    order = sorted(range(len(found)), key=lambda place: (shared[place], place))[:MOST]
    return [found[place] for place in order] or [""]


def _windows(text: str) -> list[str]:
    """Runs of sentences as long as fit, each beginning one sentence later; none inside another."""
    parts = sentences_of(text)
    sizes = [pieces(part) for part in parts]
    found, reached = [], 0
    for start in range(len(parts)):
        end, size = start + 1, sizes[start]
        while end < len(parts) and size + sizes[end] <= _SIZE:
            size += sizes[end]
            end += 1
        if end > reached:
            found.append(" ".join(parts[start:end]))
            reached = end
    return found
