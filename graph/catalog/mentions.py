"""Mentions: the product names in a question."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from graph.catalog.alignment import Alignment, Spoken, Stretches, elided
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
from graph.language.english import Vocabulary, ordinary_words
from graph.language.lexicon import FUNCTION_WORDS
from graph.language.locale import table
from graph.trained import EVEN

_MIN_LENGTH = 4
"""Letters of a word that may be mistyped."""
_CANDIDATES = 64
_MAX_UNITS = 400
_MAX_FITS = 6
_NEAREST = 3
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
        self._spelling = Vocabulary(names)
        self._corrections = lru_cache(maxsize=4096)(self._corrected)
        self._models: dict[str, list[str]] = defaultdict(list)
        for unit in names:
            if _mark(unit):
                self._models[_mark(unit)].append(unit)
        # Read once a process: better now than in a customer's first turn.
        ordinary_words()
        words_of_questions()

    def find(self, question: Spoken, context: Sequence[str]) -> list[Mention]:
        """Mentions in the order of a question; `context` are ids of products at hand, nearest first: they win ties."""
        mentions: list[Mention] = []
        found = {surface: Stretches(surface, question) for surface in self._surfaces(question, context)}
        pool = {surface: best for surface, own in found.items() if (best := own.best(question))}
        while pool:
            best = max(pool.values(), key=lambda one: (self._weight(one), one.score, one.ordered))
            rivals = [one for one in pool.values() if one.overlaps(best)]
            mention = self._decide(question, best, rivals, context)
            if mention is None:
                del pool[best.surface]
                continue
            mentions.append(mention)
            question = _without(question, mention)
            for surface, one in list(pool.items()):
                if _touches(question, one, mention):
                    del pool[surface]
                    pool |= {surface: again} if (again := found[surface].best(question)) else {}
            if mention.known and (other := elided(self._names, question, mention.fits[0])):
                pool[other.surface] = other
                found.setdefault(other.surface, Stretches(other.surface, question))
        strange = [mention for mention in mentions if not mention.known]
        # A known name may be a part of the name of something not sold here.
        own = [one for one in mentions if not (one.known and any(s.start <= one.start < s.end for s in strange))]
        return sorted([*own, *self._strangers(question, mentions)], key=lambda mention: mention.start)

    def _strangers(self, question: Spoken, mentions: list[Mention]) -> list[Mention]:
        """Model names that no product has ("the X9", "the Pixel 8"), where a product is spoken of.

        "IP68" and "Windows 11" are no products.
        """
        found = []
        for index, unit in enumerate(question.units):
            known = unit.text in self._names or unit.text in self._names.kinds
            if known or any(mention.start <= unit.start < mention.end for mention in mentions):
                continue
            last = self._last_of_stranger(question, index)
            if last is not None and _in_slot(question, index, last):
                nearest = self._nearest(unit.text, index)
                found.append(Mention(unit.start, question.units[last].end, nearest, known=False))
        return found

    def _last_of_stranger(self, question: Spoken, index: int) -> int | None:
        """Index of the last unit of a stranger's name that begins here, if one does."""
        unit, following = question.units[index], question.units[index + 1 : index + 2]
        if _mark(unit.text):
            return index if _mark(unit.text) in self._models else None
        named = unit.capital and unit.text not in FUNCTION_WORDS
        counted = any(after.model and (after.number or not is_measure(after.text)) for after in following)
        return index + 1 if named and counted else None

    def _nearest(self, text: str, index: int) -> tuple[Alignment, ...]:
        """Products whose model numbers have the same letters, nearest numbers first."""
        mark = _mark(text)
        number = int(text.removeprefix(mark)) if mark else 0
        near = sorted(self._models.get(mark, ()), key=lambda one: abs(int(one.removeprefix(mark)) - number))
        surfaces = [surface for unit in near[:_NEAREST] for surface in self._names.candidates({unit: 1.0}, _NEAREST)]
        return tuple(Alignment(surface, index, index, (), EVEN, 1.0, ordered=True) for surface in surfaces)

    def cut(self, text: str) -> Spoken:
        """A question's units, and the names' units that each may have meant."""
        cut = units(text, self._names)[:_MAX_UNITS]
        return Spoken(text, cut, [self._meant(unit) for unit in cut], self._names.kinds)

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
        return self._corrections(unit.text)

    def _corrected(self, word: str) -> Mapping[str, float]:
        """The names' words that one of letters may be mistyped for: another digit is another product."""
        ordinary = not ordinary_words().isdisjoint({word, f"{word}s"})
        if ordinary or not word.isalpha() or len(word) < _MIN_LENGTH:
            return {}
        near = ((known, edits) for known, edits in self._spelling.near(word) if len(known) >= _MIN_LENGTH)
        return {known: 1 - edits / max(len(word), len(known)) for known, edits in near}

    def _surfaces(self, question: Spoken, context: Sequence[str]) -> list[Surface]:
        """The names that might stand in the question."""
        wanted: dict[str, float] = {}
        for meant in question.meant:
            for unit, similarity in meant.items():
                wanted[unit] = max(similarity, wanted.get(unit, 0.0))
        surfaces = self._names.candidates(wanted, _CANDIDATES)
        at_hand = [surface for key in dict.fromkeys(context) for surface in self._names.of_product(key)]
        return list(dict.fromkeys([*surfaces, *at_hand]))

    def _weight(self, found: Alignment) -> float:
        """How much of the question a name explains."""
        return sum(self._names.idf(unit) for unit in found.covered) * found.similarity

    def _decide(
        self, question: Spoken, best: Alignment, rivals: list[Alignment], context: Sequence[str]
    ) -> Mention | None:
        """What the best alignment means beside those that overlap it; None where it means nothing."""
        equal = [found for found in rivals if self._weight(found) >= self._weight(best)]
        odd = contradicted(best, question, equal, self._names)
        if odd is not None and nameable(best):
            last = _last_of_line(question, odd, equal)
            return _mention(question, best.first, last, _distinct(equal), known=False)
        fitting = [found for found in equal if plausible(found, question) and not self._is_other_kind(found, question)]
        if not fitting:
            return None
        chosen = _fits(fitting, context)
        first, last = _with_maker(question, chosen)
        if len(chosen) == 1 and replaces(question, chosen[0], self._names):
            return _mention(question, *phrase(question, chosen[0], self._names), chosen, known=False)
        known = len(chosen) > 1 or not lacks_only_extension(chosen[0])
        return _mention(question, first, last, chosen, known=known)

    def _is_other_kind(self, found: Alignment, question: Spoken) -> bool:
        """Whether a part of a name stands before what something else is: "the trail shoes" are no phone "Trail 4"."""
        following = found.last + 1
        if found.whole or following == len(question.units) or following in question.breaks:
            return False
        noun = question.units[following].text
        category = self._names.products[found.product_id].category
        own = {unit.text for part in category for unit in units(part)}.union(
            *(surface.units for surface in self._names.of_product(found.product_id))
        )
        return noun in self._names.categories - own


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


def _without(question: Spoken, mention: Mention) -> Spoken:
    """The question with a mention's units meaning nothing any more."""
    pairs = zip(question.units, question.meant, strict=True)
    return replace(question, meant=[{} if mention.start <= one.start < mention.end else meant for one, meant in pairs])


_SLOTS = frozenset(table("names")["slots"].split())
"""Words after which a product's name is expected."""


def _mark(text: str) -> str:
    """The letters before the digits of a model number; empty for other units."""
    letters = text.rstrip("0123456789")
    return letters if letters.isalpha() and letters != text else ""


def _in_slot(question: Spoken, first: int, last: int) -> bool:
    """Whether a product is expected before, and nothing after turns it into a part or a quality."""
    cut = question.units
    before = cut[first - 1].text if first else None
    after = cut[last + 1].text if last + 1 < len(cut) and last + 1 not in question.breaks else None
    alone = before is None and after is None
    return alone or (before in _SLOTS and (after is None or after in FUNCTION_WORDS))
