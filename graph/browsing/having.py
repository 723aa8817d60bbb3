"""Having: the products of a kind that state what is wanted of them ("which of them have X")."""

from collections.abc import Sequence
from dataclasses import replace

from graph.answering.absence import NEXT_STEP, joined
from graph.answering.candidate import paragraph, remark
from graph.browsing.facts import (
    CARDS,
    MOST,
    SURE,
    Fact,
    attributes_asked,
    attributes_of,
    held_by,
    is_mentioned,
    showing,
)
from graph.browsing.kinds import Scope, kind_of
from graph.browsing.request import BrowsingRequest, Property
from graph.browsing.superlatives import stems_of
from graph.draft import Block, Draft
from graph.language.sentences import the
from graph.parts import Context
from graph.sensitive.claims import asked_in
from ingestion.evidence import Product

_NEAR = 3
"""Products shown where none has it."""
_LONGEST = 3
"""Words of a property: of what is told in more, that nobody states it cannot be said."""
_OF_PRODUCTS = "product_spec"

_Row = tuple[Product, list[Fact | None]]
"""A product, and what it states of each property."""


def having(request: BrowsingRequest, parts: Context, *, searching: bool = False) -> Draft | None:
    """The products of a kind that state what is wanted of them; None where nothing of the sort is asked.

    Args:
        request: The turn.
        parts: Where products state what they are.
        searching: Whether a message that is no question is a search for products.
    """
    scope = _scope(request, parts, searching=searching)
    if scope is None:
        return None
    superlative = request.superlative
    known = scope.nouns.union(stems_of(" ".join((*superlative.said, superlative.verb))) if superlative else ())
    wanted = _apart(request.properties(known), scope, parts)
    if not wanted:
        return None
    by_seller = asked_in(request.text, parts.options.sensitive) is None
    rows: list[_Row] = [
        (product, [held_by(product, one, parts, told_by_seller=by_seller) for one in wanted])
        for product in scope.products
    ]
    unknown = [one for place, one in enumerate(wanted) if all(held[place] is None for _, held in rows)]
    if unknown:
        asked = request.asks_which(scope.nouns) and request.intent == _OF_PRODUCTS
        return _unknown(scope) if asked and not _is_known(unknown, scope, parts) else None
    fitting = [row for row in rows if all(fact is not None and fact.meets for fact in row[1])]
    return _fitting(fitting, rows, scope) if fitting else _none(rows, wanted, scope)


def _scope(request: BrowsingRequest, parts: Context, *, searching: bool) -> Scope | None:
    """The products that a question is about, at the price that it sets."""
    asks = request.searchable and not request.doubtful and (searching or request.asks_for_sale or request.which)
    # Of what most is wanted a search tells only what is wanted beside it.
    ranks = request.superlative is not None and not request.superlative.comparing and not searching
    if not asks or ranks or any(product.name.casefold() in request.text.casefold() for product in request.named):
        return None
    scope = kind_of(request, parts.knowledge.products)
    if scope is None or not 0 < len(scope.products) <= MOST:
        return None
    if not (request.asks_which(scope.nouns) or (searching and not request.asks_otherwise)):
        return None
    if request.price:
        priced = tuple(filter(request.affords, scope.products))
        scope = replace(scope, products=priced, called=f"{scope.called} at that price")
    return scope if scope.products else None


def _apart(wanted: Sequence[Property], scope: Scope, parts: Context) -> list[Property]:
    """The properties, a limit apart from words that name no attribute ("for 3 people under 2 kg")."""
    names = {name for product in scope.products for name in attributes_of(product, parts)}
    found: list[Property] = []
    for one in wanted:
        apart = one.limits and one.terms and not attributes_asked(one.terms, list(names))
        found += [replace(one, limits=()), replace(one, terms=())] if apart else [one]
    return found


def _is_known(wanted: Sequence[Property], scope: Scope, parts: Context) -> bool:
    """Whether something is said of a property after all, or too much is asked for at once to tell."""
    if any(len(one.terms) > _LONGEST or one.limits for one in wanted):
        return True
    return any(is_mentioned(product, one, parts) for one in wanted for product in scope.products)


def _unknown(scope: Scope) -> Draft:
    """Say that nothing is said of it, which is neither yes nor no."""
    said = f"The shop's information does not say that of any of its {len(scope.products)} {scope.called}."
    return showing([paragraph(remark(said), remark(NEXT_STEP))], [], SURE)


def _fitting(fitting: Sequence[_Row], rows: Sequence[_Row], scope: Scope) -> Draft:
    # Of compared figures, what stays farthest within the limit comes last: a shop's own order has no say in it.
    ordered = sorted(fitting, key=lambda row: next((f.figure for f in row[1] if f and f.figure is not None), 0.0))
    of = f"of the shop's {len(rows)}" if len(rows) > 1 else "of the shop's"
    many = f"All {len(rows)}" if len(rows) == len(ordered) > 1 else f"{len(ordered)} {of}"
    verb = "fit" if len(ordered) > 1 else "fits"
    more = ", for example" if len(ordered) > CARDS else ""
    silent = [product for product, held in rows if _is_open(held)]
    unsaid = [paragraph(remark(_unsaid(silent)))] if silent else []
    return _browsed(f"{many} {scope.called} {verb}{more}:", ordered[:CARDS], unsaid)


def _is_open(held: Sequence[Fact | None]) -> bool:
    """Whether a product denies nothing of what is wanted and leaves some of it open."""
    told = [fact.meets if fact else None for fact in held]
    return None in told and False not in told


def _none(rows: Sequence[_Row], wanted: Sequence[Property], scope: Scope) -> Draft:
    """Say that none states it, and what comes nearest."""
    told = [row for row in rows if all(row[1])] or [row for row in rows if any(row[1])]
    near = _nearest([row for row in told if _is_open(row[1])] or told, wanted)
    compared = any(one.limits for one in wanted)
    lead = f"None of the shop's {len(rows)} {scope.called} states that. {'The nearest' if compared else 'They state'}:"
    return _browsed(lead, near[: 1 if compared else _NEAR], [paragraph(remark(NEXT_STEP))])


def _nearest(rows: Sequence[_Row], wanted: Sequence[Property]) -> list[_Row]:
    """Those that meet most of it first, and of those the ones whose figure is least off."""

    def off(row: _Row) -> tuple[int, float]:
        pairs = [(one.limits[0], fact) for one, fact in zip(wanted, row[1], strict=True) if fact and one.limits]
        gaps = (abs(fact.figure - limit.quantity.number) for limit, fact in pairs if fact.figure is not None)
        return -sum(bool(fact and fact.meets) for fact in row[1]), sum(gaps)

    return sorted(rows, key=off)


def _unsaid(products: Sequence[Product]) -> str:
    named = joined([the(product.name) for product in products[:CARDS]])
    others = f" and {len(products) - CARDS} more" if len(products) > CARDS else ""
    return f"The shop's information does not say whether the same holds for {named}{others}."


def _browsed(lead: str, rows: Sequence[_Row], behind: Sequence[Block]) -> Draft:
    facts = [fact for _, held in rows for fact in held if fact]
    cards = Block(kind="bullets", sentences=[fact.sentence for fact in facts])
    blocks = [paragraph(remark(lead)), cards, *behind]
    return showing(blocks, [product for product, _ in rows], SURE)
