"""The request: what a message that may ask for products wants of them, read once."""

import math
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, pairwise, takewhile

from textblob.en.inflect import pluralize

from graph.browsing.superlatives import Superlative, read_superlative
from graph.catalog.units import singular
from graph.language.english import noun_phrases
from graph.language.lexicon import ARTICLES, AUXILIARIES, PREPOSITIONS, PRICE, QUESTION_WORDS, positive
from graph.language.limits import Bound, Limit, limits_in
from graph.language.locale import phrases, table, word_class
from graph.language.negation import denies
from graph.language.quantities import NUMBER_WORDS, Written, quantities
from graph.language.terms import STOPWORDS, name_pattern, stems, terms, words
from graph.language.units import CURRENCIES, unit_of
from graph.rewriting.scene import category_heads, is_generic, is_kind, names_category, of_category
from graph.state import TurnState, products_in_question
from graph.understanding.parsed_question import MEASURING, ParsedQuestion
from ingestion.evidence import Product
from ingestion.stems import stem

FRAME = frozenset(map(stem, table("browsing")["frame"].split()))
"""Stems of words that frame a request and describe nothing."""
_FRAMING = MEASURING - frozenset(map(stem, word_class("features")))
"""Words that frame a question; those that name what products have are not among them."""
_SELLING = frozenset(table("browsing")["selling_verbs"].split())
_SAME = NUMBER_WORDS | dict.fromkeys(("person", "persons"), "people")
_WHICH = frozenset({"which", "what"})
_JOINED = re.compile(r"(?i)\b(?:and|plus|as well as)\b|[,&]\s")
"""Stands between things that are wanted together."""


def term_of(word: str) -> str:
    """The stem by which a word is compared; a figure as digits."""
    return stem(_SAME.get(word, word))


_NO_WISH = frozenset({Bound.AFTER, Bound.BEFORE, Bound.BEARS})
"""Bounds of times and loads, which limit no attribute by themselves."""


def is_price(limit: Limit) -> bool:
    """Whether a limit is one of the price: "more than 2 cameras" is none."""
    unit, thing = limit.quantity.unit, limit.counted
    return unit in CURRENCIES or (unit is None and singular(thing) == thing)


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


@dataclass(frozen=True)
class BrowsingRequest:
    """A turn, as far as products are chosen by it.

    Attributes:
        said: The message as it was said.
        query: The same, standing alone.
        searchable: Whether there is anything to look up.
        named: Products that it names.
        doubtful: Whether a name in it is not certain, or not sold here.
        unknown: Whether a name in it is not sold here.
        category: The catalog path that it names; empty for none.
        at_hand: Whether a product is spoken of or open beside it, which it may mean without naming it.
        intent: The likeliest intent; None where there is none.
        preferences: What the customer likes.
    """

    said: str
    query: str
    searchable: bool = True
    named: tuple[Product, ...] = ()
    doubtful: bool = False
    unknown: bool = False
    category: tuple[str, ...] = ()
    at_hand: bool = False
    intent: str | None = None
    preferences: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def text(self) -> str:
        """The question, its signs as words."""
        return self.query.replace("<", " under ").replace(">", " over ")

    @cached_property
    def clauses(self) -> tuple[str, ...]:
        """The questions that it asks, one after the other."""
        return tuple(clause.question for clause in ParsedQuestion.of(self.text, ()).clauses)

    @cached_property
    def limits(self) -> tuple[Limit, ...]:
        """Figures that may not be passed."""
        return tuple(one for one in limits_in(self.text) if one.bound not in _NO_WISH and one.quantity.is_number)

    @cached_property
    def spending(self) -> Written | None:
        """An amount of money that is no limit: "a gift for around $50"; None also beside a price that is one."""
        amounts = (one for one in quantities(self.text) if one.quantity.unit in CURRENCIES and one.quantity.is_number)
        return None if self.price else next(amounts, None)

    @cached_property
    def plain(self) -> str:
        """The question with spaces in the place of its limits and amounts of money."""
        plain = self.text
        spans = [(limit.start, limit.end) for limit in self.limits]
        spans += [(self.spending.start, self.spending.end)] if self.spending else []
        for start, end in spans:
            plain = f"{plain[:start]}{' ' * (end - start)}{plain[end:]}"
        return plain

    @cached_property
    def superlative(self) -> Superlative | None:
        """What is wanted most or least of; None also within a measured limit, in which nothing is ranked."""
        return None if self.measured else read_superlative(self.plain)

    @cached_property
    def terms(self) -> frozenset[str]:
        """Stems of the words that describe what is looked for."""
        return frozenset(stem(word) for word in words(self.plain) if word not in STOPWORDS) - FRAME - MEASURING

    @property
    def price(self) -> tuple[Limit, ...]:
        """The limits of the price."""
        return tuple(limit for limit in self.limits if is_price(limit))

    @property
    def measured(self) -> tuple[Limit, ...]:
        """The limits of anything else."""
        return tuple(limit for limit in self.limits if not is_price(limit))

    @property
    def is_limited(self) -> bool:
        """Whether it sets a price, or wants most or least of it."""
        ways = self.superlative.graded.names if self.superlative and self.superlative.graded else ()
        return bool(self.price) or any(name == PRICE for name, _ in ways)

    def distance(self, product: Product) -> float:
        """How far a product's price is from the amount that is named; nothing for no amount, most for no price."""
        wanted = self.price[0].quantity if self.price else self.spending.quantity if self.spending else None
        if wanted is None:
            return 0.0
        return abs(product.price.amount - wanted.number) if product.price else math.inf

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
            counts = _counted(said)
            found += [Property(count) for count in counts]
            apart = {term for count in counts for term in count}
            described = tuple(term for term in _described(said, known) if term not in apart)
            found.append(Property(described, limits, denies(said)))
        return [one for one in found if one.terms or one.limits]

    @cached_property
    def counts(self) -> tuple[Property, ...]:
        """What it counts: "a tent for 2 people"."""
        return tuple(map(Property, _counted(self.plain)))

    @property
    def asks_for_sale(self) -> bool:
        """Whether it asks what the shop sells."""
        opening = phrases("selling").match(self.text.lstrip())
        return opening is not None and not _SELLING.isdisjoint(words(self.text)[1:])

    @cached_property
    def sold(self) -> str:
        """What it asks whether the shop sells, as it says it; empty for nothing, or for nothing in particular."""
        phrase = next(iter(noun_phrases(self.plain)), "") if self.asks_for_sale and not self.category else ""
        spoken = words(phrase)
        return "" if any(map(is_generic, spoken)) or not FRAME.isdisjoint(stems(" ".join(spoken[-1:]))) else phrase

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
    def describes_kind(self) -> bool:
        """Whether it is no sentence, but says what products of a kind are to be: "kettle with temperature control"."""
        spoken = [word for word in words(self.plain) if word not in ARTICLES]
        head = list(takewhile(lambda word: word not in STOPWORDS, spoken))
        behind = spoken[len(head) : len(head) + 1]
        of_kind = bool(head and self.category) and names_category(head[-1], category_heads(self.category))
        return of_kind and (not behind or behind[0] in PREPOSITIONS)

    @property
    def asks_otherwise(self) -> bool:
        """Whether it is a question of another form, not a search."""
        return next(iter(words(self.text)), "") in AUXILIARIES | QUESTION_WORDS


def _described(text: str, known: AbstractSet[str]) -> tuple[str, ...]:
    spoken = [positive(word) for word in words(text) if word not in STOPWORDS and stem(word) not in known]
    told = pairwise(["", *map(term_of, spoken)])
    # Behind a figure stands what is counted: "3 people".
    return tuple(term for before, term in told if term not in FRAME | _FRAMING or before.isdecimal())


def _counted(text: str) -> list[tuple[str, str]]:
    """Each count of a text: a figure, and what it counts."""
    pairs = (pair for pair in pairwise(words(text)) if pair[1] not in STOPWORDS)
    told = (("1" if before == "one" else term_of(before), term_of(word)) for before, word in pairs)
    # "256 GB" measures.
    return [(figure, thing) for figure, thing in told if figure.isdecimal() and thing.isalpha() and not unit_of(thing)]


def request_of(state: TurnState, catalog: Mapping[str, Product]) -> BrowsingRequest:
    """Read a turn."""
    found = state["catalog"]
    return BrowsingRequest(
        said=state["query"],
        query=state["standalone_query"],
        searchable=state["searchable"],
        named=tuple(catalog[match.id] for match in found.matches if match.id in catalog),
        doubtful=bool(found.unknown or found.tied),
        unknown=bool(found.unknown),
        category=found.category,
        at_hand=bool(products_in_question(state)),
        intent=next(iter(state["intent"].selected), None) if "intent" in state else None,
        preferences=state["user"].preferences if "user" in state else {},
    )


_PAIR = 2
"""Of two products a comparative makes a table."""

Catalog = Mapping[str, Product]


@dataclass(frozen=True, slots=True)
class Scope:
    """The products that a request chooses among.

    Attributes:
        products: The products.
        called: What they are, in the plural: `tents`, `Samsung phones`; empty where the question names each of them, so
            that it compares rather than looks for some.
        nouns: Stems of the words that say what they are; none of them names a quality.
    """

    products: tuple[Product, ...]
    called: str
    nouns: frozenset[str]


def ranked_scope(superlative: Superlative, request: BrowsingRequest, catalog: Catalog) -> Scope | None:
    """The products named, else those of the kind, the category and the maker that a superlative ranges over.

    A question that names one product ranges over others only where it asks whether that one is it.
    """
    named = request.named
    if len(named) > (_PAIR if superlative.comparing else 1):
        nouns = frozenset(term for product in named for term in terms(product.name))
        return Scope(tuple(named), "", nouns)
    whether = next(iter(words(request.text)), "") in AUXILIARIES
    return None if superlative.comparing or (named and not whether) else kind_of(request, catalog)


def kind_of(request: BrowsingRequest, catalog: Catalog) -> Scope | None:
    """The products of the kind, the category and the maker that a question names; None where it names none."""
    path = {part.casefold() for part in request.category}
    pool = [product for product in catalog.values() if path <= {part.casefold() for part in product.category}]
    noun, brand = _noun(request, pool), _brand(request, catalog)
    if not (request.category or brand or noun):
        return None
    kind = "" if is_generic(noun) else noun
    if kind:
        pool = of_category(kind, pool) or _named_by(kind, pool)
    if brand:
        pool = [product for product in pool if (product.brand or "").casefold() == brand.casefold()]
    called = f"{brand} {_plural(kind) if kind else 'products'}".strip()
    which = request.which
    nouns = stems(f"{' '.join(request.category)} {noun} {brand}")
    if which and stem(which[-1]) in nouns:
        called = " ".join((*which[:-1], _plural(which[-1])))
    return Scope(tuple(pool), called, nouns)


def _noun(request: BrowsingRequest, products: Sequence[Product]) -> str:
    """The noun for what is chosen: that of "which phones", else one that names a category, else the phrase's head."""
    superlative = request.superlative
    heads = superlative.phrase[-1:] if superlative else ()
    spoken = [word for word in words(request.plain) if word not in STOPWORDS and stem(word) not in FRAME]

    categories = frozenset(head for product in products for head in category_heads(product.category))

    def is_told(word: str) -> bool:
        known = stem(word) not in FRAME and (names_category(word, categories) or _named_by(word, products))
        return is_generic(word) or bool(known)

    first = filter(is_told, request.which[-1:])
    named = (word for word in (*heads, *spoken) if stem(word) not in FRAME and names_category(word, categories))
    return next(chain(first, named, filter(is_told, heads)), "")


def _brand(request: BrowsingRequest, catalog: Catalog) -> str:
    """The maker whose name stands in a question, not in a product's name; the longest of several."""
    makers = {product.brand for product in catalog.values() if product.brand}
    text = request.text
    for product in request.named:
        text = text if product.name in makers else name_pattern(product.name).sub(" ", text)
    spoken = " ".join(word.replace("’", "'").removesuffix("'s") for word in words(text))
    found = [maker for maker in makers if f" {' '.join(words(maker))} " in f" {spoken} "]
    return max(found, key=len, default="")


def _named_by(noun: str, products: Sequence[Product]) -> list[Product]:
    """Those in whose name or aliases a noun stands."""
    wanted = singular(noun)
    near = (product for product in products if wanted in " ".join((product.name, *product.aliases)).casefold())
    return [product for product in near if is_kind(noun, product)]


def _plural(noun: str) -> str:
    return noun if singular(noun) != noun else str(pluralize(noun))
