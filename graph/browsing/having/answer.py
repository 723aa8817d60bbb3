"""The answer to "which of these have it": those that state it as cited cards, and of whom nothing is said."""

from collections.abc import Sequence

from graph.answering.absence import NEXT_STEP, joined
from graph.answering.candidate import cited, paragraph, remark, span
from graph.browsing.browsed import Browsed
from graph.browsing.having.reading import Property, asks_otherwise, asks_which, may_ask_which, properties_in
from graph.browsing.having.stating import Held, held_by, is_mentioned
from graph.browsing.ranking.reading import read_superlative
from graph.browsing.ranking.scope import Scope, kind_in
from graph.browsing.wishes import wish_of
from graph.draft import Block, Draft, Sentence
from graph.language.sentences import the
from graph.language.terms import terms
from graph.parts import Context
from graph.sensitive.claims import asked_in
from graph.state import TurnState
from graph.turn import Suggestion
from ingestion.evidence import Product

_CARDS = 5
_MOST = 500
"""Products that are looked through: of more, what each states would have to be read for one answer."""
_SURE = 0.85
_NEAR = 3
"""Products shown where none has it."""
_LONGEST = 3
"""Words of a property: of what is told in more, that nobody states it cannot be said."""
_OF_PRODUCTS = "product_spec"

_Row = tuple[Product, list[Held | None]]


def having(state: TurnState, parts: Context, *, searching: bool = False) -> Browsed | None:
    """The products of a kind that state what a question wants of them; None where it asks nothing of the sort.

    Args:
        state: The turn.
        parts: Where products state what they are.
        searching: Whether a message that is no question is a search for products.
    """
    scope, wanted = _asked(state, parts, searching=searching)
    if scope is None or not wanted:
        return None
    sensitive = asked_in(state["standalone_query"], parts.options.sensitive) is not None
    rows: list[_Row] = [
        (product, [held_by(product, one, parts, told_by_seller=not sensitive) for one in wanted])
        for product in scope.products
    ]
    unknown = [one for place, one in enumerate(wanted) if all(held[place] is None for _, held in rows)]
    if unknown:
        asked = asks_which(state["standalone_query"], scope.nouns) and state["intent"]["selected"][:1] == [_OF_PRODUCTS]
        return _unknown(scope) if asked and not _is_known(unknown, scope, parts) else None
    fitting = [row for row in rows if all(one is not None and one.meets for one in row[1])]
    return _fitting(fitting, rows, scope) if fitting else _none(rows, wanted, scope)


def _asked(state: TurnState, parts: Context, *, searching: bool) -> tuple[Scope | None, list[Property]]:
    """The products that a question is about, and what it wants of them."""
    query, catalog = state["standalone_query"], state["catalog"]
    if not (searching or may_ask_which(query)):
        return None, []
    superlative = read_superlative(query)
    if not state["searchable"] or catalog.get("unknown") or catalog.get("tied"):
        return None, []
    if superlative is not None and not superlative.comparing:
        return None, []
    scope = None if _names_one(state, parts) else kind_in(query, state, parts.knowledge.products)
    if scope is None or not 0 < len(scope.products) <= _MOST:
        return None, []
    if not asks_which(query, scope.nouns) and not (searching and not asks_otherwise(query)):
        return None, []
    wish = wish_of(query)
    limits = {term for figure in (wish.least, wish.most) if figure is not None for term in terms(f"{figure:g}")}
    least, most = wish.least or 0.0, wish.most if wish.most is not None else float("inf")
    if limits:
        priced = tuple(one for one in scope.products if one.price and least <= one.price.amount <= most)
        scope = Scope(priced, f"{scope.called} at that price", scope.named, scope.nouns)
    return (scope if scope.products else None), properties_in(query, scope.nouns | limits) or []


def _names_one(state: TurnState, parts: Context) -> bool:
    """Whether the question itself names a product, rather than the thread it stands in."""
    catalog = parts.knowledge.products
    names = (catalog[match["id"]].name for match in state["catalog"]["matches"] if match["id"] in catalog)
    return any(name.casefold() in state["standalone_query"].casefold() for name in names)


def _is_known(wanted: Sequence[Property], scope: Scope, parts: Context) -> bool:
    """Whether something is said of a property after all, or too much is asked for at once to tell."""
    if any(len(one.terms) > _LONGEST or one.bound for one in wanted):
        return True
    return any(is_mentioned(one, product, parts) for one in wanted for product in scope.products)


def _unknown(scope: Scope) -> Browsed:
    """Say that nothing is said of it, which is neither yes nor no."""
    said = f"The shop's information does not say that of any of its {len(scope.products)} {scope.called}."
    return _browsed([paragraph(remark(said), remark(NEXT_STEP))], [])


def _fitting(fitting: Sequence[_Row], rows: Sequence[_Row], scope: Scope) -> Browsed:
    ordered = _in_order(fitting)
    shown = ordered[:_CARDS]
    many = f"All {len(rows)}" if len(rows) == len(ordered) > 1 else f"{len(ordered)} of the shop's {len(rows)}"
    verb = "fit" if len(ordered) > 1 else "fits"
    more = ", for example" if len(ordered) > len(shown) else ""
    lead = remark(f"{many} {scope.called} {verb}{more}:")
    silent = [product for product, held in rows if _is_open(held)]
    blocks = [paragraph(lead), _cards([one for _, held in shown for one in held if one])]
    blocks += [paragraph(remark(_unsaid(silent)))] if silent else []
    return _browsed(blocks, shown)


def _is_open(held: Sequence[Held | None]) -> bool:
    """Whether a product denies nothing of what is wanted and leaves some of it open."""
    told = [one.meets if one else None for one in held]
    return None in told and False not in told


def _in_order(rows: Sequence[_Row]) -> list[_Row]:
    """Where figures are compared, what stays farthest within the bound last, as a shop's own order has no say in it."""
    return sorted(rows, key=lambda row: next((one.figure for one in row[1] if one and one.figure is not None), 0.0))


def _none(rows: Sequence[_Row], wanted: Sequence[Property], scope: Scope) -> Browsed:
    """Say that none states it, and what comes nearest."""
    told = [row for row in rows if all(row[1])] or [row for row in rows if any(row[1])]
    near = _nearest([row for row in told if _is_open(row[1])] or told, wanted)
    compared = any(one.bound for one in wanted)
    near = near[: 1 if compared else _NEAR]
    lead = f"None of the shop's {len(rows)} {scope.called} states that. {'The nearest' if compared else 'They state'}:"
    blocks = [paragraph(remark(lead)), _cards([one for _, held in near for one in held if one])]
    return _browsed([*blocks, paragraph(remark(NEXT_STEP))], near)


def _nearest(rows: Sequence[_Row], wanted: Sequence[Property]) -> list[_Row]:
    """Those that meet most of it first, and of those the ones whose figure is least off."""

    def off(row: _Row) -> tuple[int, float]:
        pairs = [(one, held) for one, held in zip(wanted, row[1], strict=True) if held]
        gaps = (abs(held.figure - one.bound.figure) for one, held in pairs if one.bound and held.figure is not None)
        return -sum(bool(held.meets) for _, held in pairs), sum(gaps)

    return sorted(rows, key=off)


def _unsaid(products: Sequence[Product]) -> str:
    named = joined([the(product.name) for product in products[:_CARDS]])
    others = f" and {len(products) - _CARDS} more" if len(products) > _CARDS else ""
    return f"The shop's information does not say whether the same holds for {named}{others}."


def _cards(held: Sequence[Held]) -> Block:
    return Block(kind="bullets", sentences=[_card(one) for one in held])


def _card(one: Held) -> Sentence:
    return cited(one.said, span(one.evidence, one.start, one.end), product_id=one.product.id)


def _browsed(blocks: list[Block], rows: Sequence[_Row]) -> Browsed:
    products = [product for product, _ in rows]
    draft = Draft(
        outcome="non_decision",
        blocks=blocks,
        confidence=_SURE,
        suggestions=[Suggestion(product_id=product.id, name=product.name) for product in products],
        listed=[product.id for product in products],
    )
    return Browsed(draft, {one.evidence.evidence_id: one.evidence for _, held in rows for one in held if one})
