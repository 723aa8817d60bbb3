"""Units: the pieces by which product names are compared, whatever their spelling."""

import re
from collections.abc import Container
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from graph.language.lexicon import FUNCTION_WORDS
from graph.language.locale import table
from graph.language.terms import fold

_WORD = re.compile(r"\d+(?:[.,]\d+)*(?:[\"″]|[^\W_]*)|[^\W_]+(?:['’][^\W\d_]+)?")
_RUN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_LONGEST_JOINED = 60
_MAX_MARK = 2
"""Letters that belong to a model number ("S8", "WH-1000XM4"); longer ones are words ("iphone13")."""

_NAMES = table("names")
_MEASURES: dict[str, str] = _NAMES["measures"]
_UNIT_SYMBOLS = frozenset(_NAMES["unit_symbols"].split())


@dataclass(frozen=True, slots=True)
class NameUnit:
    """One comparable piece of a text.

    Attributes:
        text: Its normal form: folded, singular, spelling variants joined.
        start: Where it begins in the text, in code points.
        end: Where it ends.
        capital: Whether it is written with a capital letter.
        plural: Whether a plural ending was taken off.
    """

    text: str
    start: int
    end: int
    capital: bool = False
    plural: bool = False

    @property
    def model(self) -> bool:
        """Whether it holds a digit, so that only the same text matches."""
        return any(char.isdigit() for char in self.text)

    @property
    def number(self) -> bool:
        """Whether it is a plain number."""
        return self.text[0].isdigit() and self.text[-1].isdigit() and not any(char.isalpha() for char in self.text)


def units(text: str, vocabulary: Container[str] = ()) -> list[NameUnit]:
    """Cut a text into units.

    Args:
        text: A name or a question.
        vocabulary: Known units; neighbours that together are one of them are joined ("mac book").
    """
    pieces: list[NameUnit] = []
    quoted = text.count('"') % 2 == 0
    for match in _WORD.finditer(text):
        at = match.start()
        word = match.group().rstrip('"') if quoted else match.group()
        pieces.extend(
            NameUnit(unit.text, unit.start + at, unit.end + at, unit.capital, unit.plural) for unit in _split_word(word)
        )
    pieces = _join_measures(pieces, text)
    return _join_known(pieces, vocabulary) if vocabulary else pieces


_PLURALS: dict[str, tuple[str, int]] = _NAMES["plurals"]
"""Plural endings, what stands in the singular instead, and the shortest word they are taken from."""
_NO_PLURALS = tuple(_NAMES["no_plurals"].split())


def is_measure(text: str) -> bool:
    """Whether a unit is an amount such as `256gb` or `14inch`, or a plain number."""
    return text[0].isdigit() and (text.lstrip("0123456789.,") or "cm") in _UNIT_SYMBOLS


@lru_cache(maxsize=4096)
def singular(word: str) -> str:
    """A word without its plural ending; only good for comparing, the same wrong form comes out on both sides."""
    for ending, (instead, shortest) in _PLURALS.items():
        if len(word) >= shortest and word.endswith(ending) and not word.endswith(_NO_PLURALS):
            return word.removesuffix(ending) + instead
    return word


@lru_cache(maxsize=65536)
def _split_word(word: str) -> tuple[NameUnit, ...]:
    """Units of one word, placed as if the text began with it."""
    bare = re.sub(r"(?<=\d)[\"″]$", "inch", re.sub(r"['’]s?$", "", word))
    runs = [(match.group(), match.start(), match.end()) for match in _RUN.finditer(bare)]
    joined: list[tuple[str, int, int]] = []
    for text, start, end in runs:
        if joined and start == joined[-1][2] and _glues(joined[-1][0], text):
            joined[-1] = (joined[-1][0] + text, joined[-1][1], end)
        else:
            joined.append((text, start, end))
    return tuple(_unit(text, start, min(end, len(word))) for text, start, end in joined)


def _unit(written: str, start: int, end: int) -> NameUnit:
    text = _measured(fold(written))
    bare = singular(text) if text.isalpha() and text not in FUNCTION_WORDS else text
    return NameUnit(bare, start, end, capital=written[0].isupper(), plural=bare != text)


def _glues(left: str, right: str) -> bool:
    """Whether two runs of one word are one model number or amount, not a word and a number."""
    # Only the end of the left one is looked at: it may have been joined of many runs.
    short = len(left) <= _MAX_MARK or any(char.isdecimal() for char in left[-_MAX_MARK - 1 :])
    return (len(right) <= _MAX_MARK if right[0].isalpha() else short) or fold(right) in {"inch", "mah", "ghz", "mhz"}


def _measured(text: str) -> str:
    """`14in` and `14inches` as `14inch`; other texts as they are."""
    letters = text.lstrip("0123456789")
    return text.removesuffix(letters) + _MEASURES.get(letters, letters) if letters != text else text


def _join_measures(pieces: list[NameUnit], text: str) -> list[NameUnit]:
    """Join "14 inch" and "256 GB" as they are in one word, and "X 3" as `x3`."""
    joined: list[NameUnit] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        symbol = _MEASURES.get(piece.text, piece.text)
        between = text[last.end : piece.start] if last else ""
        near = last is not None and len(between) <= 1
        figure = piece.text.isdigit() or (piece.text[:1].isdigit() and between == "-")
        if last and near and last.text.isdigit() and symbol in _UNIT_SYMBOLS and piece.text != "in":
            joined[-1] = replace(last, text=last.text + symbol, end=piece.end)
        elif last and near and figure and _is_mark(last):
            joined[-1] = replace(last, text=last.text + piece.text, end=piece.end)
        else:
            joined.append(piece)
    return joined


def _is_mark(unit: NameUnit) -> bool:
    return len(unit.text) <= _MAX_MARK and unit.text.isalpha() and unit.text not in FUNCTION_WORDS


def _join_known(pieces: list[NameUnit], vocabulary: Container[str]) -> list[NameUnit]:
    """Join neighbours that together are a known unit, and split a word into two known ones."""
    joined: list[NameUnit] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if last:
            together = last.text + piece.text
            code = piece.number and last.capital and len(last.text) == 1  # "S 13"
            apart = last.text in vocabulary and piece.text in vocabulary and not code
            if together in vocabulary and not apart:
                joined[-1] = replace(last, text=together, end=piece.end)
                continue
        joined.extend(_split_known(piece, vocabulary))
        _move_mark(joined, vocabulary)
    return joined


def _move_mark(joined: list[NameUnit], vocabulary: Container[str]) -> None:
    """Give the last letters of a word to the number behind it, where that makes known units ("aurorax2")."""
    if len(joined) == 1 or joined[-1].start != joined[-2].end:
        return
    word, number = joined[-2:]
    for cut in range(1, _MAX_MARK + 1):
        left, mark = word.text[:-cut], word.text[-cut:] + number.text
        if word.text not in vocabulary and left in vocabulary and mark in vocabulary:
            middle = word.end - cut
            joined[-2:] = [replace(word, text=left, end=middle), replace(number, text=mark, start=middle)]
            return


def _split_known(piece: NameUnit, vocabulary: Container[str]) -> list[NameUnit]:
    """A word as known units: itself, its two halves, or a model's number in the plural ("a pair of 5s")."""
    text = piece.text
    whole = text in vocabulary or len(text) != piece.end - piece.start
    if not whole and text[:-1].isdigit() and text[-1] == "s" and text[:-1] in vocabulary:
        return [replace(piece, text=text[:-1], plural=True)]
    if whole or len(text) > _LONGEST_JOINED or piece.model:
        return [piece]
    for cut in range(len(text) - 3, 2, -1):
        if text[:cut] in vocabulary and text[cut:] in vocabulary:
            middle = piece.start + cut
            return [replace(piece, text=text[:cut], end=middle), replace(piece, text=text[cut:], start=middle)]
    return [piece]


def synonyms_of(noun: str) -> frozenset[str]:
    """Everyday words for the kind of product that a noun in the singular stands for, itself among them; else none."""
    return _synonyms().get(noun, frozenset())


@cache
def _synonyms() -> dict[str, frozenset[str]]:
    groups = [frozenset(map(singular, group)) for group in table("kinds")["synonyms"]]
    return {word: group.union(*(other for other in groups if word in other)) for group in groups for word in group}
