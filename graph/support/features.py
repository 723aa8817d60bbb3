"""What the support model looks at: a few figures of a claim beside its evidence."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graph.support import contradiction, meaning, overlap
from graph.support.meaning import TokenEncoder, meanings
from graph.support.passages import Rarity, passage
from graph.support.wording import read

NAMES = (*overlap.NAMES, *contradiction.NAMES, *meaning.NAMES)
DIRECTIONS = tuple(-1 if name in {*overlap.LESS, *contradiction.NAMES} else 1 for name in NAMES)
"""Whether more of a figure may only speak for support, 1, or only against it, -1. What held this was learnt from one
kind of text and held on others; how long texts are did not, and is not looked at."""

Pair = tuple[str, Sequence[str]]
"""A claim and the texts that should support it together."""


def describe(pairs: Sequence[Pair], encoder: TokenEncoder, rarity: Rarity) -> NDArray[np.float32]:
    """Describe claims beside their evidence, shape `(len(pairs), len(NAMES))`; all are embedded at once."""
    claims = [read(claim) for claim, _ in pairs]
    passages = [passage(claim, texts, rarity) for claim, (_, texts) in zip(claims, pairs, strict=True)]
    near = meanings(list(zip(claims, passages, strict=True)), encoder)
    rows = [
        [*overlap.overlap(claim, own, rarity), *contradiction.contradiction(claim, own), *figures]
        for claim, own, figures in zip(claims, passages, near, strict=True)
    ]
    return np.array(rows, dtype=np.float32).reshape(len(pairs), len(NAMES))
