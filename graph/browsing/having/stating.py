"""Stating: what a product states of a property, and whether that meets it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from graph.answering.bounds import Claim
from graph.browsing.having.reading import Property
from graph.browsing.ranking.measures import attributes_asked, attributes_of
from graph.language.amounts import amount_of
from graph.language.families import family_of
from graph.language.quantities import NUMBER_WORDS, quantities
from graph.language.sentences import NO, YES, opening_of, state
from graph.language.terms import stem, terms, words
from graph.parts import Context
from ingestion.evidence import Evidence, Product
from ingestion.source_types import SOURCE_TYPES
from ingestion.spans import sentence_spans

_DENIED = re.compile(r"(?i)\b(?:no|not|none|never|without|cannot|except|excluding)\b|n['’]t\b")
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Held:
    """What a product states of a property.

    Attributes:
        product: The product.
        said: It in words.
        evidence: Where it stands.
        start: Where in that evidence it begins.
        end: Where it ends.
        meets: Whether the property is met; None for what only has to do with it ("20,000 mm" with "waterproof").
        figure: What is compared, in the unit that was asked for; None where nothing is.
    """

    product: Product
    said: str
    evidence: Evidence
    start: int
    end: int
    meets: bool | None
    figure: float | None = None


def held_by(product: Product, wanted: Property, parts: Context, *, told_by_seller: bool) -> Held | None:
    """What a product states of a property: an attribute, else a sentence of the seller; None for nothing.

    Args:
        product: The product.
        wanted: The property.
        parts: Where products state what they are.
        told_by_seller: Whether what the seller says outside of the specification counts.
    """
    if wanted.bound:
        return _compared(product, wanted, wanted.bound, parts)
    found = _attribute(product, wanted, parts)
    if found is None and told_by_seller and not wanted.denied:
        found = _described(product, wanted, parts)
    return found or _akin(product, wanted, parts)


def _compared(product: Product, wanted: Property, bound: Claim, parts: Context) -> Held | None:
    """The attribute whose figure is compared with the one that was asked for."""
    own = attributes_of(product, parts)
    limit = amount_of(f"{bound.figure:g} {bound.unit}")
    names = attributes_asked(wanted.terms, list(own)) if wanted.terms else list(own)
    for name in names if limit else []:
        item, title, value, start, end = own[name]
        amount = amount_of(value, 1 if bound.relation == "more" else -1)
        figure = amount.measured_in(limit.unit) if limit and amount and len(amount.sides) == 1 else None
        if figure is not None and limit and amount and limit.unit is not None and amount.unit is not None:
            beyond = figure > bound.figure if bound.relation == "more" else figure < bound.figure
            meets = beyond or (bound.inclusive and figure == bound.figure)
            said = state(product.name, title, value)
            return Held(product, said, item, start, end, meets != wanted.denied, figure)
    return None


def _attribute(product: Product, wanted: Property, parts: Context) -> Held | None:
    """The attribute that is named so, a yes or no before others, else the one whose value names it."""
    asked = frozenset(wanted.terms)
    figures = frozenset(filter(_FIGURE.fullmatch, asked))
    found: list[tuple[int, int, Held]] = []
    for item, name, value, start, end in attributes_of(product, parts).values():
        named = frozenset(terms(name))
        decided = opening_of(value) in YES | NO
        # "5G" is the name of a thing, not five of them.
        meets = opening_of(value) in YES if decided and asked <= named else _meets(asked, figures, named, value)
        if meets is not None:
            said = state(product.name, name, value)
            rank = 0 if decided else 1 if asked <= named else 2
            found.append((rank, len(words(name)), Held(product, said, item, start, end, meets != wanted.denied)))
    return min(found, key=lambda one: one[:2])[2] if found else None


def _akin(product: Product, wanted: Property, parts: Context) -> Held | None:
    """An attribute by whose kind a property is asked for, which does not decide it."""
    asked = frozenset(wanted.terms)
    for item, name, value, start, end in attributes_of(product, parts).values():
        family = family_of(name)
        if family and asked and asked <= family.stems and opening_of(value) not in YES | NO:
            return Held(product, state(product.name, name, value), item, start, end, None)
    return None


def _meets(asked: frozenset[str], figures: frozenset[str], named: frozenset[str], value: str) -> bool | None:
    """Whether a value that is no yes or no tells of such things, or so many; None where it is about something else."""
    things = asked - figures
    if opening_of(value) in YES | NO or not things or not things <= named.union(_told(value)):
        return None
    if not figures:
        return not _DENIED.search(value)
    stated = {written.quantity.value for written in quantities(value)}
    return figures <= stated if stated and (things & named or asked <= set(_told(value))) else None


def _told(text: str) -> list[str]:
    return [stem(NUMBER_WORDS.get(word, word)) for word in words(text)]


def _described(product: Product, wanted: Property, parts: Context) -> Held | None:
    """A sentence of the seller that has all the words, a figure with the word behind it, and denies nothing."""
    items = parts.knowledge.product_evidence(product.id, frozenset({"feature", "description"}))
    for item in sorted(
        (item for item in items if item.product_id == product.id), key=lambda e: e.source_type != "feature"
    ):
        for start, end in sentence_spans(item.text):
            text = item.text[start:end]
            if not _DENIED.search(text) and _has_all(wanted.terms, _told(text)):
                said = text.strip("-•* ").rstrip(".")
                return Held(product, f"{product.name}: “{said}”", item, start, end, meets=True)
    return None


def _has_all(asked: Sequence[str], told: Sequence[str]) -> bool:
    beside = set(pairwise(told))
    figured = [pair for pair in pairwise([*asked, ""]) if _FIGURE.fullmatch(pair[0])]
    return set(asked) <= set(told) and all(pair in beside for pair in figured)


def is_mentioned(wanted: Property, product: Product, parts: Context) -> bool:
    """Whether anything that is known of a product, customers' words too, speaks of a property."""
    items = parts.knowledge.product_evidence(product.id, SOURCE_TYPES)
    return any(set(wanted.terms) <= set(_told(item.text)) for item in items if item.product_id == product.id)
