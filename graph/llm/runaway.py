"""When an answer runs away: it goes on without saying anything, as badly guided or very small models do."""

from collections import Counter

from graph.llm.model import LanguageModelError

SPACE_LIMIT = 200
"""Most white-space characters in a row."""
SENTENCE_LIMIT = 1_000
"""Most characters of a sentence."""
ROW_LIMIT = 4_000
"""Most characters of a table's row."""
MARKER_LIMIT = 50
"""Most places of one sentence that carry a marker."""
REPETITION_LIMIT = 2
"""Most times that a sentence may be said."""


class RunawayAnswerError(LanguageModelError):
    """An answer goes on without end: white space, one sentence again and again, or a sentence that never ends."""


class RunawayGuard:
    """Watches one answer."""

    def __init__(self) -> None:
        self._spaces = 0
        self._said: Counter[str] = Counter()

    def character(self, character: str) -> None:
        """Count white space in a row.

        Raises:
            RunawayAnswerError: There was too much.
        """
        self._spaces = self._spaces + 1 if character.isspace() else 0
        _forbid(f"over {SPACE_LIMIT} white-space characters in a row", when=self._spaces > SPACE_LIMIT)

    def sentence(self, text: str) -> None:
        """Count how often a sentence or row is said, whatever its case.

        Raises:
            RunawayAnswerError: It was said too often.
        """
        said = text.casefold()
        self._said[said] += 1
        _forbid(f"the same sentence {self._said[said]} times", when=self._said[said] > REPETITION_LIMIT)

    @staticmethod
    def length(characters: int, markers: int = 0) -> None:
        """Look at a sentence that has not ended.

        Raises:
            RunawayAnswerError: It is too long or has too many markers.
        """
        _forbid(f"a sentence over {SENTENCE_LIMIT:,} characters without end", when=characters > SENTENCE_LIMIT)
        _forbid(f"over {MARKER_LIMIT} markers in one sentence", when=markers > MARKER_LIMIT)

    @staticmethod
    def row(characters: int) -> None:
        """Look at a table's row that has not ended.

        Raises:
            RunawayAnswerError: It is too long.
        """
        _forbid(f"a table row over {ROW_LIMIT:,} characters without end", when=characters > ROW_LIMIT)


def _forbid(reason: str, *, when: bool) -> None:
    if when:
        raise RunawayAnswerError(reason)
