"""What the support model looks at: a few figures of a claim beside its evidence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from graph.support import contradiction, meaning, overlap
from graph.support.entailment.windows import windows
from graph.support.meaning import TokenEncoder, meanings
from graph.support.passages import Rarity, passage
from graph.support.wording import read

ENTAILED = "follows from a window"
NAMES = (*overlap.NAMES, *contradiction.NAMES, *meaning.NAMES, ENTAILED)
DIRECTIONS = tuple(-1 if name in {*overlap.LESS, *contradiction.NAMES} else 1 for name in NAMES)
"""Whether more of a figure may only speak for support, 1, or only against it, -1. What held this was learnt from one
kind of text and held on others; how long texts are did not, and is not looked at."""

LONG = 60
"""Evidence of more words is long: what tells support in pages is not what tells it in a line."""

Pair = tuple[str, Sequence[str]]
"""A claim and the texts that should support it together."""


class Entailment(Protocol):
    """Reads a claim together with a piece of evidence."""

    def log_odds(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """For each claim beside a piece of evidence the log odds that it follows, shape `(len(pairs),)`."""
        ...


@dataclass(frozen=True, slots=True)
class Reader:
    """What claims are read with.

    Attributes:
        encoder: Embeds their texts.
        entailment: Reads them together.
        rarity: How much words say.
    """

    encoder: TokenEncoder
    entailment: Entailment
    rarity: Rarity


def describe(pairs: Sequence[Pair], reader: Reader) -> NDArray[np.float32]:
    """Describe claims beside their evidence, shape `(len(pairs), len(NAMES))`; all are embedded at once."""
    claims = [read(claim) for claim, _ in pairs]
    passages = [passage(claim, texts, reader.rarity) for claim, (_, texts) in zip(claims, pairs, strict=True)]
    near = meanings(list(zip(claims, passages, strict=True)), reader.encoder)
    entailed = _entailed(pairs, reader)
    rows = [
        [*overlap.overlap(claim, own, reader.rarity), *contradiction.contradiction(claim, own), *figures, follows]
        for claim, own, figures, follows in zip(claims, passages, near, entailed, strict=True)
    ]
    return np.array(rows, dtype=np.float32).reshape(len(pairs), len(NAMES))


def is_long(evidence: Sequence[str]) -> bool:
    """Whether evidence is pages rather than lines."""
    return sum(len(text.split()) for text in evidence) > LONG


def _entailed(pairs: Sequence[Pair], reader: Reader) -> list[float]:
    """The log odds of each claim by the window that it follows from most; all are read at once."""
    shown = [windows(read(claim), texts, reader.rarity) for claim, texts in pairs]
    flat = [(claim, window) for (claim, _), own in zip(pairs, shown, strict=True) for window in own]
    odds = iter(reader.entailment.log_odds(flat).tolist() if flat else [])
    return [max(next(odds) for _ in own) for own in shown]
