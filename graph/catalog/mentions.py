"""Mentions: the product names in a question."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from graph.catalog.alignment import Alignment, Spoken, Stretches, elided, spoken
from graph.catalog.names import EXTENSIONS, NameIndex, Surface
from graph.catalog.plausibility import (
    contradicted,
    lacks_only_extension,
    missing_words,
    nameable,
    phrase,
    plausible,
    replaces,
    words_of_questions,
)
from graph.catalog.units import NameUnit, is_measure, units
from graph.language.english import ordinary_words
from graph.language.lexicon import FUNCTION_WORDS
from graph.language.locale import table

_MIN_LENGTH = 4
_TWO_EDITS_FROM = 8


class Spelling:
    """Corrections of words towards a vocabulary.

    Only words of letters are corrected: another digit is another product. One edit is allowed (a swap of neighbours
    counts as one), two in long words; the first letter stands, unless it changed places with the second. Ordinary words
    are never corrected.

    Args:
        vocabulary: The known words.
    """

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self._buckets: dict[tuple[str, int], list[str]] = defaultdict(list)
        for word in vocabulary:
            if word.isalpha() and len(word) >= _MIN_LENGTH:
                self._buckets[word[0], len(word)].append(word)
        self.corrections = lru_cache(maxsize=4096)(self._corrections)

    def _corrections(self, word: str) -> tuple[tuple[str, float], ...]:
        """Known words near a word with their similarity (0 to 1), nearest first."""
        if not word.isalpha() or len(word) < _MIN_LENGTH or not ordinary_words().isdisjoint({word, word + "s"}):
            return ()
        edits = 2 if len(word) >= _TWO_EDITS_FROM else 1
        lengths = range(len(word) - edits, len(word) + edits + 1)
        near = [known for length in lengths for known in self._buckets.get((word[0], length), ())]
        near += [known for known in self._buckets.get((word[1], len(word)), ()) if known[1] == word[0]]
        found = extract(word, near, scorer=OSA.distance, score_cutoff=edits, limit=None)
        return tuple((known, 1 - distance / max(len(word), len(known))) for known, distance, _ in found)


_CANDIDATES = 64
_MAX_UNITS = 400
_MAX_FITS = 6
_WITHOUT_MEASURE = 0.95
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of a question that names a product.

    Attributes:
        start: Where it begins, in code points.
        end: Where it ends.
        fits: The products it fits about equally, best first; a single one is what it means.
        known: False for the name of something that is not sold here; `fits` are then the nearest.
    """

    start: int
    end: int
    fits: tuple[Alignment, ...]
    known: bool = True


class MentionFinder:
    """Finds the products that a text names.

    Args:
        names: The index of the catalog's names.
    """

    def __init__(self, names: NameIndex) -> None:
        self._names = names
        self._spelling = Spelling(names)
        # Read once a process: better now than in a customer's first turn.
        ordinary_words()
        words_of_questions()

    def find(self, text: str, context: Sequence[str]) -> list[Mention]:
        """Mentions in their order in the text.

        Args:
            text: A question.
            context: Ids of products at hand, nearest first; they win ties.
        """
        question = self.cut(text)
        stretches = self._stretches(question, context)
        pool = [best for found in stretches.values() if (best := found.best)]
        mentions: list[Mention] = []
        while pool:
            best = max(pool, key=lambda found: (self._weight(found), found.score, found.ordered))
            rivals = [found for found in pool if found.overlaps(best)]
            mention = self._decide(question, best, rivals, context)
            if mention is None:
                pool.remove(best)
                continue
            mentions.append(mention)
            touched = [found for found in pool if _touches(question, found, mention)]
            pool = [found for found in pool if not _touches(question, found, mention)]
            question, first, last = _without(question, mention)
            for found in stretches.values():
                found.read_again(question, first, last)
            other = elided(self._names, question, mention.fits[0]) if mention.known else None
            if other is not None:
                pool.append(other)
                stretches.setdefault(other.surface, Stretches(other.surface, question))
            again = (stretches[found.surface].best for found in touched)
            pool += [found for found in again if found]
        return sorted(_outside_strangers(mentions), key=lambda mention: mention.start)

    def cut(self, text: str) -> Spoken:
        """A question's units, and the names' units that each may have meant."""
        cut = units(text, self._names)[:_MAX_UNITS]
        return spoken(text, cut, [self._meant(unit) for unit in cut], self._names)

    def _meant(self, unit: NameUnit) -> Mapping[str, float]:
        if self._names.is_silent(unit.text):
            return {}
        number = unit.text.rstrip(_LETTERS)
        # "45 l" of a name that says 45.
        bare = {number: _WITHOUT_MEASURE} if is_measure(unit.text) and number in self._names else {}
        if unit.text in self._names:
            return bare | {unit.text: 1.0}
        if bare or unit.text in FUNCTION_WORDS or unit.text in self._names.kinds:
            return bare
        return dict(self._spelling.corrections(unit.text))

    def _stretches(self, question: Spoken, context: Sequence[str]) -> dict[Surface, Stretches]:
        """Every way in which a name might stand in the question."""
        wanted: dict[str, float] = {}
        for meant in question.meant:
            for unit, similarity in meant.items():
                wanted[unit] = max(similarity, wanted.get(unit, 0.0))
        surfaces = self._names.candidates(wanted, _CANDIDATES)
        at_hand = [surface for key in dict.fromkeys(context) for surface in self._names.of_product(key)]
        return {surface: Stretches(surface, question) for surface in dict.fromkeys([*surfaces, *at_hand])}

    def _weight(self, found: Alignment) -> float:
        """How much of the question a name explains."""
        return sum(self._names.idf(unit) for unit in found.covered) * found.similarity

    def _decide(
        self, question: Spoken, best: Alignment, rivals: list[Alignment], context: Sequence[str]
    ) -> Mention | None:
        """What the best alignment means beside those that overlap it; None where it means nothing."""
        equal = [found for found in rivals if self._weight(found) >= self._weight(best)]
        others = [found for found in rivals if found.product_id != best.product_id]
        shorter = [found for found in others if found.whole and plausible(found, question)]
        if best.gap and not best.whole and shorter:
            return _mention(question, best.first, best.last, _distinct([*shorter, best]), known=False)
        odd = contradicted(best, question, equal, self._names)
        if odd is not None and nameable(best):
            last = _last_of_line(question, odd, equal)
            return _mention(question, best.first, last, _distinct(equal), known=False)
        fitting = [found for found in equal if plausible(found, question)]
        if not fitting:
            return None
        chosen = _fits(fitting, context)
        first, last = _with_maker(question, chosen)
        if len(chosen) == 1 and replaces(question, chosen[0], self._names):
            return _mention(question, *phrase(question, chosen[0], self._names), chosen, known=False)
        known = len(chosen) > 1 or not lacks_only_extension(chosen[0])
        return _mention(question, first, last, chosen, known=known)


def _fits(fitting: list[Alignment], context: Sequence[str]) -> list[Alignment]:
    """The likeliest products: the one named whole, or all of which equally few words are missing.

    A product at hand decides a tie.
    """
    whole = [found for found in _distinct(fitting) if found.whole]
    if whole:
        tied = [found for found in whole if found.score == whole[0].score]
    else:
        fewest = min(missing_words(found) for found in fitting)
        tied = _distinct([found for found in fitting if missing_words(found) == fewest])
    at_hand = [found for key in context for found in tied if found.product_id == key]
    return at_hand[:1] if len(tied) > 1 and at_hand else tied


def _outside_strangers(mentions: list[Mention]) -> list[Mention]:
    """All but the known names that are part of the name of something not sold here."""
    strange = [mention for mention in mentions if not mention.known]
    return [one for one in mentions if not any(one.known and s.start <= one.start < s.end for s in strange)]


def _last_of_line(question: Spoken, last: int, line: list[Alignment]) -> int:
    """Where the name of a stranger ends that goes on like the names of its line ("Tarn 18 *Studio*")."""
    own = EXTENSIONS.union(*(found.surface.units for found in line))
    while last + 1 < len(question.units) and last + 1 not in question.breaks and question.units[last + 1].text in own:
        last += 1
    return last


def _with_maker(question: Spoken, chosen: list[Alignment]) -> tuple[int, int]:
    """The stretch of a name, and of its maker's just before it."""
    first = chosen[0].first
    makers = frozenset.intersection(*(found.surface.maker for found in chosen))
    while first > 0 and first not in question.breaks and question.units[first - 1].text in makers:
        first -= 1
    return first, chosen[0].last


def _touches(question: Spoken, found: Alignment, mention: Mention) -> bool:
    """Whether an alignment claims a unit of a mention."""
    return question.units[found.first].start < mention.end and mention.start < question.units[found.last].end


def _distinct(found: list[Alignment]) -> list[Alignment]:
    """The best alignment of each product, best first."""
    ranked = sorted(found, key=lambda alignment: (-alignment.score, not alignment.ordered))
    return list({alignment.product_id: alignment for alignment in reversed(ranked)}.values())[::-1]


def _mention(question: Spoken, first: int, last: int, fits: list[Alignment], *, known: bool) -> Mention:
    return Mention(question.units[first].start, question.units[last].end, tuple(fits[:_MAX_FITS]), known)


def _without(question: Spoken, mention: Mention) -> tuple[Spoken, int, int]:
    """The question with a mention's units meaning nothing any more, and the first and the last of them."""
    taken = [i for i, unit in enumerate(question.units) if mention.start <= unit.start < mention.end]
    meant = list(question.meant)
    for place in taken:
        meant[place] = {}
    return replace(question, meant=meant), taken[0], taken[-1]


_SLOTS = frozenset(table("names")["slots"].split())
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
