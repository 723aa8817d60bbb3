"""Alignment: the words of a question beside those of a product's name."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import pairwise

from graph.catalog.names import NameIndex, Surface, has_digit
from graph.catalog.units import NameUnit
from graph.language.lexicon import CONJUNCTIONS, DEFINITE
from graph.language.locale import table

_BRIDGES, _LINKS, _ELIDING = (frozenset(table("names")[name].split()) for name in ("bridges", "links", "eliding"))
"""Words that may stand inside a name, alone or several together, and those behind which another's mark may follow."""

_WHOLE = 0.85

_BREAK = re.compile(r"[.!?;:]\s|\n")


@dataclass(frozen=True, slots=True)
class Alignment:
    """A stretch of the question's units that names a product, as far as it does.

    Attributes:
        surface: The name.
        first: Index of the first unit of the stretch.
        last: Index of the last unit, inclusive.
        covered: The name's units that were found.
        share: Share of the name's weight that was found (0 to 1).
        similarity: How alike the found units are written (0 to 1).
        ordered: Whether they stand in the name's order.
    """

    surface: Surface
    first: int
    last: int
    covered: tuple[str, ...]
    share: float
    similarity: float
    ordered: bool

    @property
    def product_id(self) -> str:
        """The product it names."""
        return self.surface.product_id

    @property
    def missing(self) -> tuple[str, ...]:
        """The name's units that were not found."""
        named = zip(self.surface.units, self.surface.weights, strict=True)
        return tuple(unit for unit, weight in named if weight and unit not in self.covered)

    @property
    def whole(self) -> bool:
        """Whether the name is given whole, or lacks only its maker or words that say little."""
        missing = frozenset(self.missing) - self.surface.brand
        tells = self.surface.distinctive | self.surface.marks
        if not missing:
            return not self.missing or not tells.isdisjoint(self.covered)
        return self.share >= _WHOLE and missing.isdisjoint(tells)

    @property
    def score(self) -> float:
        """How much of the name was found, and how well written (0 to 1)."""
        return round(min(self.share, 1.0) * self.similarity, 4)

    def overlaps(self, other: "Alignment") -> bool:
        """Whether both claim a unit of the question."""
        return self.first <= other.last and other.first <= self.last


@dataclass(frozen=True)
class Spoken:
    """A question cut for alignment.

    Attributes:
        text: The question.
        units: Its units.
        meant: For each unit, the known units it may have meant, with their similarity.
        kinds: Words for kinds of products, which may stand inside a name ("the Galaxy phone S8").
    """

    text: str
    units: Sequence[NameUnit]
    meant: Sequence[Mapping[str, float]]
    kinds: frozenset[str]

    @cached_property
    def breaks(self) -> frozenset[int]:
        """Indexes of units before which a clause ends."""
        gaps = ((index, self.text[one.end : other.start]) for index, (one, other) in enumerate(pairwise(self.units), 1))
        return frozenset(index for index, gap in gaps if _BREAK.search(f"{gap} "))


class Stretches:
    """The stretches of a question that may name a product, best first; what a mention took is noticed when it is asked.

    Args:
        surface: The name.
        question: The question.
    """

    def __init__(self, surface: Surface, question: Spoken) -> None:
        self._surface = surface
        self._heap: list[tuple[float, bool, int, int]] = []
        for first in range(len(question.meant)):
            self._push(question, first)

    def best(self, question: Spoken) -> Alignment | None:
        """The stretch that covers most of the name, in order and close together; None where nothing of it stands there.

        Args:
            question: The same question, of which some units may mean nothing any more: a stretch only loses by that.
        """
        while self._heap:
            place = heappop(self._heap)
            self._push(question, place[-1])
            if self._heap and self._heap[0] == place:
                return aligned(self._surface, question, place[-1])
        return None

    def _push(self, question: Spoken, first: int) -> None:
        if question.meant[first].keys().isdisjoint(self._surface.units):
            return
        found = aligned(self._surface, question, first)
        heappush(self._heap, (-found.score, not found.ordered, found.last - found.first, found.first))


def aligned(surface: Surface, question: Spoken, first: int) -> Alignment:
    """The stretch that begins with a unit of the name.

    It goes on as long as the name's units follow, over at most one bridge at a time, or a few links.
    """
    left = list(range(len(surface.units)))
    taken: list[tuple[int, float]] = []
    last = index = first
    bridges: list[str] = []
    while index < len(question.units):
        if index > first and index in question.breaks:
            break
        meant = question.meant[index]
        fitting = [(meant[surface.units[place]], -place) for place in left if surface.units[place] in meant]
        if fitting:
            similarity, place = max(fitting)
            left.remove(-place)
            taken.append((-place, similarity))
            last, bridges = index, []
        else:
            bridges.append(question.units[index].text)
            bridging = bridges[-1] in _BRIDGES or bridges[-1] in question.kinds
            if not _LINKS.issuperset(bridges) and (len(bridges) > 1 or not bridging):
                break
        index += 1
    places = [place for place, _ in taken]
    weight = sum(surface.weights[place] for place in places)
    similar = sum(surface.weights[place] * similarity for place, similarity in taken)
    return Alignment(
        surface=surface,
        first=first,
        last=last,
        covered=tuple(surface.units[place] for place in places),
        share=weight / surface.mass if surface.mass else 0.0,
        # Words that stand in every name weigh nothing and tell no product from another.
        similarity=similar / weight if weight else 0.0,
        ordered=places == sorted(places),
    )


def elided(names: NameIndex, question: Spoken, found: Alignment) -> Alignment | None:
    """The sibling, by a name that differs in a mark alone, whose mark follows a mention.

    It stands right behind it after a linking word ("the Tarn 2 or 3"), or ends its clause as if it were the name ("is
    the Tarn 2 lighter than the 3").
    """
    own = found.surface
    for index in range(found.last + 2, len(question.units)):
        mark, before = question.units[index].text, question.units[index - 1].text
        behind = question.units[index + 1 : index + 2]
        ends = not behind or index + 1 in question.breaks or behind[0].text in CONJUNCTIONS
        if not ((index == found.last + 2 and before in _ELIDING) or (ends and before in DEFINITE)):
            continue
        for place, unit in enumerate(own.units):
            if unit != mark and unit in own.marks and has_digit(unit) == has_digit(mark):
                for other in names.named((*own.units[:place], mark, *own.units[place + 1 :])):
                    return Alignment(other, index, index, other.units, share=1.0, similarity=1.0, ordered=True)
    return None
