"""The request: what a message that may ask for products wants of them, read once."""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, takewhile

from graph.browsing.superlatives import Superlative, read_superlative
from graph.catalog.units import singular
from graph.language.families import positive
from graph.language.lexicon import AUXILIARIES, QUESTION_WORDS
from graph.language.locale import phrases, table
from graph.language.negation import denies
from graph.language.quantities import NUMBER_WORDS, Written, quantities
from graph.language.terms import STOPWORDS, WORD, fold, words
from graph.language.units import CURRENCIES
from graph.state import TurnState
from graph.understanding.parsed_question import MEASURING
from ingestion.evidence import Product
from ingestion.stems import stem

FRAME = frozenset(map(stem, table("browsing")["frame"].split()))
"""Stems of words that frame a request and describe nothing."""
_FRAMING = MEASURING - frozenset(map(stem, "support size capacity".split()))
"""Words that frame a question; those that name what products have are not among them."""
_SELLING = frozenset(table("browsing")["selling_verbs"].split())
_SAME = NUMBER_WORDS | dict.fromkeys(("person", "persons"), "people")
_WHICH = frozenset({"which", "what"})
_JOINED = re.compile(r"(?i)\b(?:and|plus|as well as)\b|[,&]\s")
"""Stands between things that are wanted together."""


def term_of(word: str) -> str:
    """The stem by which a word is compared; a figure as digits."""
    return stem(_SAME.get(word, word))


@dataclass(frozen=True, slots=True)
class Limit:
    """A figure that what is wanted may not pass, such as "under 2 kg".

    Attributes:
        least: Whether it is the least that is wanted, and not the most.
        inclusive: Whether the figure itself still fits.
        figure: The figure.
        unit: The standard name of its unit; None for a bare number.
        money: Whether it is a price.
        start: Where it begins in the message.
        end: Where it ends.
    """

    least: bool
    inclusive: bool
    figure: float
    unit: str | None
    money: bool
    start: int
    end: int

    def holds(self, figure: float) -> bool:
        """Whether a figure in the same unit keeps to it."""
        beyond = figure > self.figure if self.least else figure < self.figure
        return beyond or (self.inclusive and figure == self.figure)


_SIDES = {"below": (False, False), "at_most": (False, True), "above": (True, False), "at_least": (True, True)}
_LIMITS = table("browsing")["limits"]
_BEFORE = {phrase: side for name, side in _SIDES.items() for phrase in _LIMITS[name]}
_BEHIND = {phrase: least for name, least in (("or_less", False), ("or_more", True)) for phrase in _LIMITS[name]}
_FILLERS, _BETWEEN = frozenset(_LIMITS["fillers"].split()), frozenset(_LIMITS["between"].split())
_TO = frozenset({"to", "-", "–", "and"})
_SIGNS = " $€£"
_Word = tuple[str, int, int]
"""A word, where it begins and where it ends."""
_LONGEST, _REACH = 3, 8
"""Words of a phrase that makes a figure a limit, and those before a figure that are looked at."""


def limits_in(text: str) -> tuple[Limit, ...]:
    """The limits of a text, in order; a figure that nothing makes one is none."""
    spoken = [(fold(found[0]), *found.span()) for found in WORD.finditer(text)]
    starts = [start for _, start, _ in spoken]
    figures = [one for one in quantities(text) if one.quantity.is_number]
    read: list[Limit] = []
    for one, following in zip(figures, [*figures[1:], None], strict=False):
        at, after = bisect_left(starts, one.start), bisect_left(starts, one.end)
        before, behind = spoken[max(0, at - _REACH) : at], spoken[after : after + 2]
        if read and one.start < read[-1].end:
            continue
        if following and _is_range(text, one, following, before):
            both = (before[-1][1] if before else one.start, following.end)
            unit = one.quantity.unit or following.quantity.unit
            read += [_limit(one, unit, (True, True), both), _limit(following, unit, (False, True), both)]
        else:
            read += _single(one, before, behind)
    return tuple(read)


def _is_range(text: str, one: Written, following: Written, before: Sequence[_Word]) -> bool:
    """Whether two figures are the ends of what is wanted: "between 1 and 2 kg", "$300 to $500"."""
    gap = text[one.end : following.start].strip(_SIGNS).casefold()
    led = bool(before) and before[-1][0] in _BETWEEN
    return gap in _TO and (led or (gap != "and" and one.quantity.unit in CURRENCIES))


def _single(one: Written, before: Sequence[_Word], behind: Sequence[_Word]) -> list[Limit]:
    """The limit that stands before a figure, or behind it."""
    unit = one.quantity.unit
    lead = [*before]
    while lead and lead[-1][0] in _FILLERS:
        lead.pop()
    for length in range(min(_LONGEST, len(lead)), 0, -1):
        side = _BEFORE.get(" ".join(word for word, *_ in lead[-length:]))
        if side:
            # "More than 2 cameras" is no price.
            counts = bool(behind) and behind[0][0] not in STOPWORDS and singular(behind[0][0]) != behind[0][0]
            return [_limit(one, unit, side, (lead[-length][1], one.end), counts=counts)]
    for length in (2, 1):
        least = _BEHIND.get(" ".join(word for word, *_ in behind[:length]))
        if least is not None:
            return [_limit(one, unit, (least, True), (one.start, behind[:length][-1][2]))]
    return []


def _limit(
    one: Written, unit: str | None, side: tuple[bool, bool], at: tuple[int, int], *, counts: bool = False
) -> Limit:
    money = unit in CURRENCIES or (unit is None and not counts)
    return Limit(*side, one.quantity.number, unit, money, *at)


@dataclass(frozen=True, slots=True)
class Property:
    """What a product is wanted to have.

    Attributes:
        terms: Stems of the words that say it, figures among them as digits.
        limits: What its figure has to keep to; none for no comparison.
        denied: Whether it is wanted not to be so.
    """

    terms: tuple[str, ...]
    limits: tuple[Limit, ...] = ()
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Wish:
    """What the words of a message want.

    Attributes:
        text: The message.
        plain: The same with spaces in the place of its limits.
        limits: Figures that may not be passed.
        order: `cheapest` or `dearest`, where one of them should come first.
        superlative: What is wanted most or least of; None also within a measured limit, in which nothing is ranked.
        terms: Stems of the words that describe what is looked for.
    """

    text: str
    plain: str
    limits: tuple[Limit, ...]
    order: str | None
    superlative: Superlative | None
    terms: frozenset[str]

    @property
    def price(self) -> tuple[Limit, ...]:
        """The limits of the price."""
        return tuple(limit for limit in self.limits if limit.money)

    @property
    def measured(self) -> tuple[Limit, ...]:
        """The limits of anything else."""
        return tuple(limit for limit in self.limits if not limit.money)

    @property
    def is_limited(self) -> bool:
        """Whether it sets a price or an order by it."""
        return self.order is not None or bool(self.price)

    def affords(self, product: Product) -> bool:
        """Whether a product's price keeps to all limits; what has none keeps to none."""
        amount = product.price.amount if product.price else None
        return all(amount is not None and limit.holds(amount) for limit in self.price)

    def properties(self, known: AbstractSet[str]) -> list[Property]:
        """The properties that are wanted together; none where one or the other is.

        Args:
            known: Stems of the words that say what the products are.
        """
        if "or" in words(self.plain):
            return []
        found: list[Property] = []
        cuts = [0, *(at for cut in _JOINED.finditer(self.plain) for at in cut.span()), len(self.plain)]
        for start, end in zip(cuts[::2], cuts[1::2], strict=True):
            said = self.plain[start:end]
            limits = tuple(limit for limit in self.measured if start <= limit.start < end)
            found.append(Property(_described(said, known), limits, denies(said)))
        return [one for one in found if one.terms or one.limits]

    @property
    def asks_for_sale(self) -> bool:
        """Whether it asks what the shop sells."""
        opening = phrases("selling").match(self.text.lstrip())
        return opening is not None and not _SELLING.isdisjoint(words(self.text)[1:])

    @property
    def which(self) -> tuple[str, ...]:
        """The words between "which" or "what" and the verb; of "which of your tents" those behind "your"."""
        spoken = words(self.text)
        start = next((place for place, word in enumerate(spoken, 1) if word in _WHICH), len(spoken))
        following = spoken[start:]
        following = following[following.index("of") + 2 :] if "of" in following[:2] else following
        return tuple(takewhile(lambda word: word not in STOPWORDS, following))

    def asks_which(self, kind: AbstractSet[str]) -> bool:
        """Whether it asks which products of a kind, by stems of its words, are something, or whether such are sold."""
        return self.asks_for_sale or any(stem(word) in kind for word in self.which)

    @property
    def asks_otherwise(self) -> bool:
        """Whether it is a question of another form, not a search."""
        return next(iter(words(self.text)), "") in AUXILIARIES | QUESTION_WORDS


def _described(text: str, known: AbstractSet[str]) -> tuple[str, ...]:
    spoken = [positive(word) for word in words(text) if word not in STOPWORDS and stem(word) not in known]
    told = pairwise(["", *map(term_of, spoken)])
    # Behind a figure stands what is counted: "3 people".
    return tuple(term for before, term in told if term not in FRAME | _FRAMING or before.isdecimal())


@lru_cache(maxsize=256)
def wish_of(query: str) -> Wish:
    """Read what a message wants."""
    text = query.replace("<", " under ").replace(">", " over ")
    limits = limits_in(text)
    plain = text
    for limit in limits:
        plain = f"{plain[: limit.start]}{' ' * (limit.end - limit.start)}{plain[limit.end :]}"
    order = next((name for name in ("cheapest", "dearest") if phrases(name).search(text)), None)
    superlative = read_superlative(plain) if all(limit.money for limit in limits) else None
    described = frozenset(stem(word) for word in words(plain) if word not in STOPWORDS) - FRAME - MEASURING
    return Wish(text, plain, limits, order, superlative, described)


@dataclass(frozen=True, slots=True)
class BrowsingRequest:
    """A turn, as far as products are chosen by it.

    Attributes:
        said: The message as it was said.
        wish: What it wants, with the names in it that it stands for.
        searchable: Whether there is anything to look up.
        named: Products that it names.
        doubtful: Whether a name in it is not certain, or not sold here.
        unknown: Whether a name in it is not sold here.
        category: The catalog path that it names; empty for none.
        listed: Products on show, in order.
        intent: The likeliest intent; None where there is none.
        preferences: What the customer likes.
    """

    said: str
    wish: Wish
    searchable: bool
    named: tuple[Product, ...]
    doubtful: bool
    unknown: bool
    category: tuple[str, ...]
    listed: tuple[Product, ...]
    intent: str | None
    preferences: Mapping[str, str]

    @property
    def text(self) -> str:
        """The question, standing alone."""
        return self.wish.text


def request_of(state: TurnState, catalog: Mapping[str, Product]) -> BrowsingRequest:
    """Read a turn."""
    found = state["catalog"]
    listed = state["discourse"].listed if "discourse" in state else []
    return BrowsingRequest(
        said=state["query"],
        wish=wish_of(state["standalone_query"]),
        searchable=state["searchable"],
        named=tuple(catalog[match.id] for match in found.matches if match.id in catalog),
        doubtful=bool(found.unknown or found.tied),
        unknown=bool(found.unknown),
        category=found.category,
        listed=tuple(catalog[key] for key in listed if key in catalog),
        intent=next(iter(state["intent"].selected), None) if "intent" in state else None,
        preferences=state["user"].preferences if "user" in state else {},
    )
