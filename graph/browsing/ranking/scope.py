"""Scope: what a ranking is asked for, and of which products."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from graph.browsing.wishes import FRAME, wish_of
from graph.catalog.units import singular, units
from graph.language.lexicon import (
    ADJECTIVES,
    AUXILIARIES,
    COMPARATIVES,
    DEGREES,
    FUNCTION_WORDS,
    LEAST,
    MOST,
    SUPERLATIVES,
    Graded,
    superlative_of,
)
from graph.language.negation import denies
from graph.language.terms import STOPWORDS, name_pattern, terms, words
from graph.parts import Context
from graph.rewriting.topics import is_generic, is_kind
from graph.state import TurnState
from ingestion.evidence import Product
from ingestion.stems import stem

_COMPARING = frozenset("more less fewer better worse".split())
_TAKES_ADJECTIVE = frozenset("most least more less".split())
_JUDGED = {"best": MOST, "top": MOST, "highest": MOST, "better": MOST, "higher": MOST}
_JUDGED |= {"worst": LEAST, "lowest": LEAST, "worse": LEAST, "lower": LEAST}
_RATINGS = frozenset("rated reviewed rating ratings review reviews scored score stars".split())
_ORDINALS = {"second": 2, "third": 3, "fourth": 4, "fifth": 5, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5}
_LINKING = AUXILIARIES | frozenset("is are was be 's what's which's that's the a an your ones one".split())
_ENDS_PHRASE = FUNCTION_WORDS | frozenset("sell stock carry offer have has got made under below above".split())
_CHEAPEST_TO = re.compile(r"(?i)(?:\west|\b(?:most|least) \w+) to \w")
"""What is easiest or cheapest to do, which no attribute of a product tells."""
_BOUND = re.compile(
    r"(?i)\b(?:at least|at most|under|below|over|above|(?:more|less) than|up to|minimum|maximum)\s+\d[\d.,]{0,15}\s*"
    r"(?:-\s*)?(?:kg|g|mm|cm|m|km|ml|l|lb|oz|litres?|liters?|inch(?:es)?|gb|tb|mah|wh?|watts?|hz|hours?|people|persons?)\b"
)
"""A bound on something other than the price, within which nothing is ranked."""
_MEASURE = re.compile(r"(?i)\b(?:in terms of|by) (?:the )?(\w+(?: \w+)?)\W*$")


@dataclass(frozen=True, slots=True)
class Superlative:
    """What a question wants the most or the least of.

    Attributes:
        shown: The superlative as it is repeated: `lightest`, `most expensive`, `most`.
        graded: What its adjective measures; None where only a degree is said ("the most pockets").
        direction: 1, or -1 for the least of something or the opposite of what an adjective means ("least expensive").
        comparing: Whether it is a comparative, which ranks only products that are named.
        rating: Whether it ranks by what customers gave.
        phrase: The words that follow it up to the end of their noun phrase.
        verb: The verb before it, such as "holds" of "holds the most"; empty for "is".
        rest: The other content words of the question.
        place: Which place is asked for: 1 for the first, 2 for "the second cheapest".
    """

    shown: str
    graded: Graded | None
    direction: int
    comparing: bool
    rating: bool
    phrase: tuple[str, ...]
    verb: str
    rest: tuple[str, ...]
    place: int = 1

    def direction_for(self, way: str, *, timed: bool = False) -> int:
        """Whether more (1) or less (-1) of an attribute is wanted; what is fast takes the least time."""
        if self.graded is None or not self.graded.names:
            return self.direction
        own = dict(self.graded.names)
        hasty = timed and set(own.values()) == {MOST, LEAST}
        usual = self.graded.names[0][1] * (-1 if hasty else 1)
        return own.get(way, usual) * self.direction


def read_superlative(query: str) -> Superlative | None:
    """The first superlative or comparative of a question; None where it has none."""
    tokens = words(query)
    for index in range(len(tokens)):
        found = _rating(tokens, index) or _degree(tokens, index) or _adjective(tokens, index)
        if found is not None:
            return None if _CHEAPEST_TO.search(query) or _BOUND.search(query) else found
    return None


def _rating(tokens: Sequence[str], index: int) -> Superlative | None:
    word, following = tokens[index], tokens[index + 1] if index + 1 < len(tokens) else ""
    if word not in _JUDGED or following not in _RATINGS:
        return None
    shown = "highest" if _JUDGED[word] == MOST else "lowest"
    return _superlative(tokens, (index, index + 2), shown, None, _JUDGED[word], rating=True)


def _degree(tokens: Sequence[str], index: int) -> Superlative | None:
    """Read "the most", "the highest", "the least expensive"."""
    word, before = tokens[index], tokens[index - 1] if index else ""
    following = tokens[index + 1] if index + 1 < len(tokens) else ""
    if word not in DEGREES or before in {"at", "any", "no", "one", "once", "some"}:
        return None
    if word in _TAKES_ADJECTIVE and following in ADJECTIVES:
        shown = f"{'most' if DEGREES[word] == MOST else 'least'} {following}"
        return _superlative(tokens, (index, index + 2), shown, ADJECTIVES[following], DEGREES[word])
    shown = {"more": "most", "less": "least", "fewer": "fewest"}.get(word, word)
    return _superlative(tokens, (index, index + 1), shown, None, DEGREES[word])


def _adjective(tokens: Sequence[str], index: int) -> Superlative | None:
    """Read "lightest" and, to be compared, "lighter"."""
    word = tokens[index]
    adjective = SUPERLATIVES.get(word) or COMPARATIVES.get(word)
    if adjective is None:
        return None
    shown = word if word in SUPERLATIVES else superlative_of(adjective)
    return _superlative(tokens, (index, index + 1), shown, ADJECTIVES[adjective], MOST)


def _superlative(
    tokens: Sequence[str],
    at: tuple[int, int],
    shown: str,
    graded: Graded | None,
    direction: int,
    *,
    rating: bool = False,
) -> Superlative:
    start, end = at
    phrase = _phrase(tokens, end)
    before = list(tokens[:start])
    place = _ORDINALS.get(before[-1], 1) if before else 1
    before = before[:-1] if place > 1 else before
    while before and before[-1] in {"the", "your", "a", "by", "far"}:
        before.pop()
    verb = before[-1] if before and before[-1] not in _LINKING | FUNCTION_WORDS else ""
    after = tokens[end + len(phrase) :]
    said = [word for word in (*before, *after) if word not in STOPWORDS | FUNCTION_WORDS and word != verb]
    comparing = tokens[start] in _COMPARING or tokens[start] in COMPARATIVES
    return Superlative(shown, graded, direction, comparing, rating, phrase, verb, tuple(said), place)


def _phrase(tokens: Sequence[str], start: int) -> tuple[str, ...]:
    """The words of the noun phrase that begins at a place."""
    end = start
    while end < len(tokens) and tokens[end] not in _ENDS_PHRASE:
        end += 1
    return tuple(tokens[start:end])


def measured_by(query: str) -> tuple[str, ...]:
    """What a question ends with the measure of: "the biggest tent by weight"."""
    found = _MEASURE.search(query)
    return tuple(words(found[1])) if found else ()


_OWNER = re.compile(r"['’]s\b")
_PAIR = 2
"""Of two products a comparative makes a table."""
"""Says what a product is not: no word beside it describes the product."""
_PERSONS = dict.fromkeys(map(stem, ("person", "persons", "people")), stem("people"))
_DESCRIBING = frozenset({"spec", "feature", "description"})


@dataclass(frozen=True, slots=True)
class Scope:
    """What is ranked.

    Attributes:
        products: The products.
        called: What they are, in the plural: `tents`, `Samsung phones`; empty where each is named.
        named: Whether the question names each of them, so that it compares rather than looks for some.
        nouns: Stems of the words that say what they are; none of them names a quality.
    """

    products: tuple[Product, ...]
    called: str
    named: bool
    nouns: frozenset[str]


def scope_of(superlative: Superlative, state: TurnState, parts: Context) -> Scope | None:
    """The products named, else those of the kind, the category and the maker that a question says; None for no kind."""
    catalog = parts.knowledge.products
    matches = [catalog[match.id] for match in state["catalog"].matches if match.id in catalog]
    if len(matches) > (_PAIR if superlative.comparing else 1):
        return _together(matches, named=True)
    if superlative.comparing:
        return None
    if len(matches) == 1 and not _may_be_kind(matches[0], superlative, state, catalog):
        return None
    listed = [catalog[key] for key in state["discourse"].listed if key in catalog]
    carried = len(matches) == 1 and matches[0].name.casefold() not in state["query"].casefold()
    return _kind(superlative, state, catalog) or (_together(listed, named=False) if carried and listed else None)


def _may_be_kind(named: Product, superlative: Superlative, state: TurnState, catalog: Mapping[str, Product]) -> bool:
    """Whether a question that one product is found in ranks several, and does not ask what that product comes with.

    It does where it asks whether that product is the one, where the product only stands for what was spoken of, and
    where its name is a word for a kind or for a maker ("sunglasses", "Apple's cheapest").
    """
    query = state["standalone_query"]
    whether = next(iter(words(query)), "") in AUXILIARIES
    carried = named.name.casefold() not in state["query"].casefold()
    kind = {singular(word) for word in (*_which(query), *superlative.phrase)}
    makers = {(product.brand or "").casefold() for product in catalog.values()}
    called = {unit.text for unit in units(named.name)}
    return whether or carried or called <= kind or named.name.casefold() in makers


def _together(products: Sequence[Product], *, named: bool) -> Scope:
    """Products that are known one by one."""
    nouns = frozenset(term for product in products for term in terms(product.name))
    return Scope(tuple(products), "", named=named, nouns=nouns)


def described(
    scope: Scope, superlative: Superlative, quality: frozenset[str], state: TurnState, parts: Context
) -> Scope:
    """The products that have all that is said beside their kind and the quality, at a price that is asked for."""
    wish = wish_of(state["standalone_query"])
    beside = {singular(word) for word in (*_which(state["standalone_query"]), *superlative.phrase)}
    matches = (parts.knowledge.products[match.id] for match in state["catalog"].matches)
    # A name that is a word for a kind narrows it ("which dog food"); any other only says which one is asked about.
    others = (product for product in matches if not {unit.text for unit in units(product.name)} <= beside)
    named = {stem(word) for product in others for word in words(product.name)}
    said = [stem(word) for word in (*superlative.phrase, *superlative.rest) if word not in STOPWORDS]
    figures = {term for figure in (wish.least, wish.most) if figure is not None for term in terms(f"{figure:g}")}
    known = scope.nouns | quality | FRAME | figures | named
    wanted = [term for term in said if term not in known]
    limits = (wish.least or 0.0, wish.most if wish.most is not None else float("inf"))
    limited = wish.least is not None or wish.most is not None
    kept = tuple(
        product
        for product in scope.products
        if (not limited or (product.price and limits[0] <= product.price.amount <= limits[1]))
        and (not wanted or _has(product, wanted, parts))
    )
    narrower = len(kept) < len(scope.products) and bool(scope.called)
    called = "products that fit" if narrower else scope.called
    return Scope(kept, called, scope.named, scope.nouns)


def kind_in(query: str, state: TurnState, catalog: Mapping[str, Product]) -> Scope | None:
    """The products of the kind, the category and the maker that a question without a superlative names."""
    said = tuple(word for word in words(query) if word not in STOPWORDS)
    plain = Superlative("", None, 1, comparing=False, rating=False, phrase=(), verb="", rest=said)
    found = _kind(plain, state, catalog)
    which = _which(query)
    if found is None:
        return None
    called = " ".join((*which[:-1], _plural(which[-1]))) if which and stem(which[-1]) in found.nouns else found.called
    return Scope(found.products, called, named=False, nouns=found.nouns)


def _kind(superlative: Superlative, state: TurnState, catalog: Mapping[str, Product]) -> Scope | None:
    query = state["standalone_query"]
    path = {part.casefold() for part in state["catalog"].category}
    pool = [product for product in catalog.values() if path <= {part.casefold() for part in product.category}]
    named = [catalog[match.id].name for match in state["catalog"].matches if match.id in catalog]
    noun, brand = _noun(superlative, query, pool), _brand(query, named, catalog)
    kind = "" if is_generic(noun) else noun
    if kind:
        pool = of_category(kind, pool) or named_by(kind, pool)
    if brand:
        pool = [product for product in pool if (product.brand or "").casefold() == brand.casefold()]
    if not (path or brand or noun):
        return None
    called = f"{brand} {_plural(kind) if kind else 'products'}".strip()
    nouns = frozenset(stem(word) for word in words(f"{' '.join(path)} {noun} {brand}"))
    return Scope(tuple(pool), called, named=False, nouns=nouns)


def _noun(superlative: Superlative, query: str, products: Sequence[Product]) -> str:
    """The noun for what is ranked: that of "which phones", else one that names a category, else the phrase's head."""
    which, heads = _which(query)[-1:], superlative.phrase[-1:]
    told = [word for word in (*which, *heads) if is_generic(word) or stem(word) not in FRAME]
    first = (word for word in which if word in told and (is_generic(word) or _is_sold(word, products)))
    rest = dict.fromkeys((*heads, *superlative.rest))
    named = (word for word in rest if stem(word) not in FRAME and of_category(word, products))
    last = (word for word in heads if word in told and (is_generic(word) or _is_sold(word, products)))
    return next(chain(first, named, last), "")


def _is_sold(noun: str, products: Sequence[Product]) -> bool:
    return bool(of_category(noun, products) or named_by(noun, products))


def named_by(noun: str, products: Sequence[Product]) -> list[Product]:
    """Those in whose name or aliases a noun stands."""
    wanted = singular(noun)
    near = (product for product in products if wanted in " ".join((product.name, *product.aliases)).casefold())
    return [product for product in near if is_kind(noun, product)]


def of_category(noun: str, products: Sequence[Product]) -> list[Product]:
    """Those whose category the noun names, if it names one: a phone case is no phone."""
    wanted = singular(noun)
    paths = {product.category for product in products if product.category}
    heads = {path for path in paths if any(cut and cut[-1].text == wanted for cut in map(units, path))}
    heads = heads or {path for path in paths if is_kind(noun, Product(id="", name="", category=path))}
    return [product for product in products if product.category in heads]


def _which(query: str) -> tuple[str, ...]:
    """The words between "which" or "what" and the verb."""
    spoken = words(query)
    start = next((place for place, word in enumerate(spoken) if word in {"which", "what"}), None)
    if start is None:
        return ()
    end = start + 1
    while end < len(spoken) and spoken[end] not in STOPWORDS:
        end += 1
    return tuple(spoken[start + 1 : end])


def _brand(query: str, named: Sequence[str], catalog: Mapping[str, Product]) -> str:
    """The maker whose name stands in a question, not in a product's name; the longest of several."""
    makers = {product.brand for product in catalog.values() if product.brand}
    for name in (name for name in named if name not in makers):
        query = name_pattern(name).sub(" ", query)
    spoken = f" {' '.join(words(_OWNER.sub('', query)))} "
    found = [maker for maker in makers if f" {' '.join(words(maker))} " in spoken]
    return max(found, key=len, default="")


def _plural(noun: str) -> str:
    if singular(noun) != noun:
        return noun
    if noun.endswith("y") and noun[-2:-1] not in set("aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def _has(product: Product, wanted: Sequence[str], parts: Context) -> bool:
    """Whether a product is said to be all that is wanted; a figure counts with the word behind it ("2 person")."""
    items = parts.knowledge.product_evidence(product.id, _DESCRIBING)
    own = [line for item in items if item.product_id == product.id for line in item.text.splitlines()]
    said = [f"{product.name} {' '.join(product.category)}", *(line for line in own if not denies(line))]
    told = [_PERSONS.get(stem(word), stem(word)) for line in said for word in words(line)]
    pairs = set(pairwise(told))
    asked = [_PERSONS.get(term, term) for term in wanted]
    figured = [(one, following) for one, following in pairwise([*asked, ""]) if one[0].isdigit()]
    return set(asked) <= set(told) and all(pair in pairs for pair in figured)
