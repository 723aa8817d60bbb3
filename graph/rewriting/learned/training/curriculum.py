"""The curriculum: what the packs teach, each counting for as much as it is like the questions of a shop."""

import zlib
from collections.abc import Sequence

import numpy as np

from graph.rewriting.learned.deciding import Ranker
from graph.rewriting.learned.training.lessons import fit, lesson_of
from graph.rewriting.learned.training.packs import Conversation, already_alone, without_page

FOLDS = 4
WITHOUT_PAGE = 1.0
"""How much an edit counts of a question that is read as if no page were open."""

CHATS = 4.0
"""How much an edit counts of the smaller pack, whose conversations have no page."""

ALONE = 2.0
"""How much an edit counts of a question that people have made to stand alone: it is to be left as it is."""


class Curriculum:
    """What conversations teach, whole or without those of a fold.

    Args:
        paged: Questions on an open page.
        chats: Questions without one.
    """

    def __init__(self, paged: Sequence[Conversation], chats: Sequence[Conversation]) -> None:
        pageless, alone = without_page(paged), already_alone(chats)
        self._lessons = [
            lesson_of(paged),
            lesson_of(pageless, WITHOUT_PAGE),
            lesson_of(chats, CHATS),
            lesson_of(alone, ALONE),
        ]
        self._folds = [np.array([fold_of(row) for row in rows]) for rows in (paged, pageless, chats, alone)]

    def ranker(self, *, without: int | None = None) -> Ranker:
        """What is learnt from all dialogues but those of a fold."""
        return fit([lesson.of(folds != without) for lesson, folds in zip(self._lessons, self._folds, strict=True)])


def fold_of(row: Conversation) -> int:
    """The fold that holds a dialogue back; by its id, so that a new row moves no other."""
    return zlib.crc32(row.dialogue.encode()) % FOLDS
