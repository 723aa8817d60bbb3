"""Unknown names: texts that look like a product's name and that the catalog does not have."""

from collections import defaultdict
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from graph.catalog.alignment import Spoken
from graph.catalog.names import NameIndex
from graph.catalog.units import NameUnit, is_measure
from graph.language.lexicon import (
    ARTICLES,
    AUXILIARIES,
    FUNCTION_WORDS,
    PREPOSITIONS,
    PRONOUNS,
    QUESTION_WORDS,
    REQUEST_VERBS,
    SUPERLATIVES,
)

LONG = 4
"""From so many content words on, a bare name is judged as a whole; shorter ones may be about a product's quality."""
LONGEST_SPOKEN = 6
"""Up to so many content words, a name that stands whole in a text is what it is about, whatever else it says."""
_MOST_WORDS = 60
"""Longer texts are no names."""
_MIN_KNOWN = 0.5
SPEECH = QUESTION_WORDS | AUXILIARIES | PRONOUNS | REQUEST_VERBS | {"any", "some"}
"""Words that make a text a sentence."""


def content(question: Spoken) -> list[str]:
    """The words of a text but articles and prepositions."""
    return [unit.text for unit in question.units if unit.text not in PREPOSITIONS | ARTICLES]


def may_be_name(question: Spoken, names: NameIndex) -> bool:
    """Whether a text may be a bare name: half of its words, and all that are words of speech, stand in names."""
    words = content(question)
    if not 0 < len(words) <= _MOST_WORDS:
        return False
    if any(word in SUPERLATIVES and word not in names for word in words):
        return False
    known = sum(word in names for word in words)
    return known >= _MIN_KNOWN * len(words) and all(word in names for word in words if word in SPEECH)


def is_speech(question: Spoken, name: AbstractSet[str]) -> bool:
    """Whether a text says what is no part of the name it may be: a question mark, a pronoun, a verb of asking."""
    words = {unit.text for unit in question.units}
    return not (words & SPEECH <= name) or ("?" in question.text and not words <= name)


_SLOTS = frozenset("the of about and or versus vs than compare sell stock buy carry".split())
"""Words after which a product's name is expected."""


@dataclass(frozen=True, slots=True)
class Stranger:
    """The name of something that is not sold here: where it stands, and the ids of the nearest products."""

    start: int
    end: int
    nearest: tuple[str, ...]


class UnknownNames:
    """Finds model names that no product has ("the X9", "the Pixel 8").

    Only names in a place where a product is spoken of count: "IP68" and "Windows 11" are no products.

    Args:
        names: The index of the catalog's names.
    """

    def __init__(self, names: NameIndex) -> None:
        self._names = names
        self._by_mark: dict[str, list[str]] = defaultdict(list)
        for unit in names:
            mark = _mark(unit)
            if mark:
                self._by_mark[mark].append(unit)

    def find(self, question: Spoken, free: Sequence[NameUnit]) -> list[Stranger]:
        """Strangers among the units that no known name claims."""
        unclaimed = set(free)
        found: list[Stranger] = []
        for index, unit in enumerate(question.units):
            if unit not in unclaimed or unit.text in self._names or unit.text in self._names.kinds:
                continue
            last = self._last(question, index)
            if last is not None and _in_slot(question, index, last):
                nearest = self._nearest(unit.text)
                found.append(Stranger(unit.start, question.units[last].end, nearest))
        return found

    def _last(self, question: Spoken, index: int) -> int | None:
        """Index of the last unit of a stranger that begins here, if one does."""
        unit = question.units[index]
        if _mark(unit.text):
            return index if _mark(unit.text) in self._by_mark else None
        following = index + 1
        if unit.capital and unit.text not in FUNCTION_WORDS and following < len(question.units):
            after = question.units[following]
            if after.model and (after.number or not is_measure(after.text)):
                return following
        return None

    def _nearest(self, text: str) -> tuple[str, ...]:
        """Products whose model numbers have the same letters, nearest numbers first."""
        number = _number(text)
        near = sorted(self._by_mark.get(_mark(text), ()), key=lambda unit: abs(_number(unit) - number))
        return tuple(dict.fromkeys(key for unit in near[:3] for key in self._names.holding(unit)))


def _mark(text: str) -> str:
    """The letters before the digits of a model number; empty for other units."""
    letters = text.rstrip("0123456789")
    return letters if letters.isalpha() and letters != text else ""


def _number(text: str) -> int:
    digits = text[len(_mark(text)) :]
    return int(digits) if digits.isdigit() else 0


def _in_slot(question: Spoken, first: int, last: int) -> bool:
    """Whether a product is expected before, and nothing after turns it into a part or a quality."""
    cut = question.units
    before = cut[first - 1].text if first else None
    after = cut[last + 1].text if last + 1 < len(cut) and last + 1 not in question.breaks else None
    alone = before is None and after is None
    return alone or (before in _SLOTS and (after is None or after in FUNCTION_WORDS))
