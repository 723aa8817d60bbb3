"""Measures: what products are ranked by, and the value of each."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from graph.answering.matching import attribute_lines, statements
from graph.answering.prose import sentence_of
from graph.answering.reviews import average_rating, voices
from graph.browsing.ranking.scope import Scope, Superlative
from graph.draft import Sentence
from graph.language.families import covered_terms, family_of, positive
from graph.language.lexicon import PRICE
from graph.language.negation import opens_with_no
from graph.language.quantities import Amount, amount_of, comparable, duration_in, share_in
from graph.language.sentences import lower_name, state
from graph.language.terms import terms, words
from graph.parts import Context
from ingestion.evidence import Evidence, Product
from ingestion.stems import stem

_REVIEW = frozenset({"review"})
_FEWEST = 2

Rated = tuple[Product, Sentence, float, list[Evidence]]
"""A product, its average in a sentence, the same as a number, and its reviews."""


def rated(scope: Scope, direction: int, parts: Context) -> list[Rated]:
    """Products with ratings by their average, of equal ones those with more ratings first; none for fewer than two."""
    found: list[Rated] = []
    for product in scope.products:
        reviews = [
            item
            for item in parts.knowledge.product_evidence(product.id, _REVIEW)
            if item.product_id == product.id and item.rating is not None
        ]
        sentence = average_rating(reviews, product)
        if sentence is not None:
            stars = [chunks[0].rating or 0.0 for chunks in voices(reviews)]
            found.append((product, sentence, sum(stars) / len(stars), reviews))
    found.sort(key=lambda one: (-direction * round(one[2], 1), -len(voices(one[3]))))
    return found if len(found) >= _FEWEST else []


_STRUCTURED = frozenset({"spec", "datasheet"})
_RULES: Mapping[str, tuple[str, frozenset[str], Callable[[str], Amount | None]]] = {
    "warranty": ("warranty", frozenset(map(stem, "warranty guarantee".split())), duration_in),
    "return_policy": ("return period", frozenset(map(stem, "return returns refund".split())), duration_in),
    "delivery": ("delivery time", frozenset(map(stem, "delivery shipping ship ships deliver".split())), duration_in),
    "offer": ("discount", frozenset(map(stem, "discount offer reduction saving".split())), share_in),
}
"""Rules that a shop states product by product: what they set, the words that ask for it, and how it is read."""
_TIMED = re.compile(r"(?i)\b(time|life|duration|period)$")
"""Sets no term, so that nothing is stated."""
_MEANS_THE_SAME = 0.7
"""Cosine from which a phrase and an attribute's name mean the same."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What one product states.

    Attributes:
        product: The product.
        said: It in a sentence, without its full stop.
        value: It as a card shows it.
        evidence: Where it stands.
        start: Where in that evidence it begins.
        end: Where it ends.
        figure: It as a number, comparable with the others'.
    """

    product: Product
    said: str
    value: str
    evidence: Evidence
    start: int
    end: int
    figure: float


@dataclass(frozen=True, slots=True)
class Measure:
    """What products are ranked by.

    Attributes:
        name: What it is called inside a sentence.
        direction: 1 where the most is wanted, -1 where the least is.
        stated: What the products state that state it, best first.
    """

    name: str
    direction: int
    stated: tuple[Stated, ...]


_Line = tuple[Evidence, str, str, int, int]
"""Evidence, name and value of an attribute, start and end of its line."""
_Row = tuple[Product, str, str, Evidence, int, int, Amount]
"""Product, sentence, value, evidence, start, end, amount."""


def measure_of(superlative: Superlative, quality: Sequence[str], scope: Scope, parts: Context) -> Measure | None:
    """The first measure that a superlative may mean and that at least two of the products state; None for none.

    Args:
        superlative: What is wanted.
        quality: The words that name what is measured; empty where the adjective alone tells.
        scope: The products.
        parts: Where they state it.
    """
    lines = {product.id: attributes_of(product, parts) for product in scope.products}
    timed = _TIMED.search(" ".join(quality)) is not None
    names = list(dict.fromkeys(name for own in lines.values() for name in own))
    hints = frozenset(map(stem, superlative.phrase)) - scope.nouns
    for name in _ways(superlative, quality, hints, names, parts):
        way = names_measure(superlative, name)
        direction = superlative.direction_for(way)
        rows = [
            row
            for product in scope.products
            if (row := _row(product, lines[product.id].get(name), direction, timed=timed))
        ]
        stating = sum(name in own for own in lines.values())
        # What some of them state in another way could be more, or less.
        measure = _measured(_called(name, lines), rows) if len(rows) == stating else None
        if measure is not None:
            return _ordered(measure, superlative.direction_for(way, timed=rows[0][6].timed))
    open_ = superlative.graded is None or superlative.graded.open
    return _by_rule(superlative, quality, scope, parts) if open_ else None


def names_measure(superlative: Superlative, name: str) -> str:
    """The way in which an adjective names an attribute; the attribute itself where it knows none."""
    ways = superlative.graded.names if superlative.graded else ()
    return next((way for way, _ in ways if _named(way, [name])), name.casefold())


def _ways(
    superlative: Superlative, quality: Sequence[str], hints: frozenset[str], names: Sequence[str], parts: Context
) -> list[str]:
    """The attributes of the products that may be meant, likeliest first; `hints` are words such as "packed"."""
    ways = [way for way, _ in superlative.graded.names] if superlative.graded else []
    if not quality:
        hinted = [name for way in ways for name in names if hints & _stems(name) and _stems(way) <= _stems(name)]
        return [*hinted, *(name for way in ways for name in _named(way, names))]
    found = attributes_asked(quality, names)
    found.sort(key=lambda name: not any(_named(way, [name]) for way in ways))
    return found or _alike(quality, names, parts)


def _stems(name: str) -> set[str]:
    return {stem(word) for word in words(name)}


def attributes_asked(quality: Sequence[str], names: Sequence[str]) -> list[str]:
    """The attributes that words ask for, those that have most of them in their names and least beside them first."""
    asked = {stem(positive(word)) for word in quality}
    fits = [(-len(asked & set(terms(name))), len(words(name)), name) for name in names if asked <= _asked_by(name)]
    return [name for *_, name in sorted(fits)] if asked else []


def _asked_by(name: str) -> frozenset[str]:
    """Terms by which an attribute is asked for: its own, its family's cues and the other names of its family."""
    family = family_of(name)
    return covered_terms(name, "").union(*(family.names if family else ()))


def _named(way: str, names: Sequence[str]) -> list[str]:
    """Attributes that a way names, those that say least beside it first: a pot's weight is not the weight."""
    wanted, family = _stems(way), family_of(way)
    fits = [(len(words(name)), name) for name in names if wanted <= _stems(name)]
    return [name for _, name in sorted(fits) if family_of(name) is family]


def _alike(quality: Sequence[str], names: Sequence[str], parts: Context) -> list[str]:
    """The attribute that means most nearly what a phrase says."""
    if not names:
        return []
    vectors = parts.encoder.encode([" ".join(quality), *names])
    cosines = (vectors[1:] @ vectors[0]).tolist()
    cosine, name = max(zip(cosines, names, strict=True))
    return [name] if cosine >= _MEANS_THE_SAME else []


def attributes_of(product: Product, parts: Context) -> dict[str, _Line]:
    """Attribute (case folded) to where it is stated, the specification before the datasheet."""
    found: dict[str, _Line] = {}
    items = [e for e in parts.knowledge.product_evidence(product.id, _STRUCTURED) if e.product_id == product.id]
    for item in sorted(items, key=lambda e: e.source_type, reverse=True):
        for name, value, start, end in attribute_lines(item):
            found.setdefault(name.casefold(), (item, name, value, start, end))
    return found


def _called(name: str, lines: Mapping[str, Mapping[str, _Line]]) -> str:
    """An attribute as it is written inside a sentence."""
    return next(lower_name(own[name][1]) for own in lines.values() if name in own)


def _row(product: Product, line: _Line | None, direction: int, *, timed: bool) -> _Row | None:
    if line is None:
        return None
    item, name, value, start, end = line
    money = product.price if name.casefold() == PRICE else None
    amount = Amount((money.amount,), money.currency) if money else amount_of(value, direction)
    if amount is None or ((timed or _TIMED.search(name)) and not amount.timed):
        return None
    return product, state(product.name, name, value).removesuffix("."), value, item, start, end, amount


def _by_rule(superlative: Superlative, quality: Sequence[str], scope: Scope, parts: Context) -> Measure | None:
    """Rank by a rule of the shop for each product, such as its warranty."""
    kind = rule_asked(quality)
    if kind is None:
        return None
    name, _, read = _RULES[kind]
    stated = [(product, rule) for product in scope.products if (rule := rule_of(product, kind, parts))]
    rows: list[_Row] = []
    for product, (item, start, end, text) in stated:
        amount = read(text)
        if amount is not None:
            said = sentence_of(item, start, end, product).text.removesuffix(".")
            rows.append((product, said, text, item, start, end, amount))
        elif not opens_with_no(text):
            return None
    measure = _measured(name, rows)
    return _ordered(measure, superlative.direction_for(name, timed=read is duration_in)) if measure else None


def rule_asked(quality: Sequence[str]) -> str | None:
    """The kind of rule that words ask for, such as `warranty`; None for none."""
    asked = {stem(word) for word in quality}
    return next((kind for kind, (_, cues, _) in _RULES.items() if asked & cues), None)


def rule_of(product: Product, kind: str, parts: Context) -> tuple[Evidence, int, int, str] | None:
    """The one rule of a kind for a product alone, where it stands and what it says; None for none, or several."""
    today = parts.clock.now().date().isoformat()
    items = parts.knowledge.product_evidence(product.id, frozenset({kind}))
    items = [item for item in items if item.product_id == product.id and _holds(item, today)]
    if len(items) != 1:
        return None
    start, end = statements(items[0])[0]
    text = items[0].text[start:end].removeprefix(f"{product.name}: ").removesuffix(".")
    return items[0], start, end, text


def _holds(item: Evidence, today: str) -> bool:
    """Whether a rule holds today and for everybody."""
    current = (item.valid_from or "") <= today <= (item.valid_until or "9999")
    return current and not (item.region or item.membership)


def _measured(name: str, rows: Sequence[_Row]) -> Measure | None:
    """What at least two products state, told in one unit; None where that cannot be done for each."""
    figures = comparable([row[6] for row in rows])
    if len(rows) < _FEWEST or None in figures:
        return None
    stated = (
        Stated(product, said, value, item, start, end, figure or 0.0)
        for (product, said, value, item, start, end, _), figure in zip(rows, figures, strict=True)
    )
    return Measure(name, 1, tuple(stated))


def _ordered(measure: Measure, direction: int) -> Measure:
    ranked = sorted(measure.stated, key=lambda one: -direction * one.figure)
    return Measure(measure.name, direction, tuple(ranked))
