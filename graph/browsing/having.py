"""Having: "which of them have X", answered product by product."""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise

from graph.answering.absence import NEXT_STEP, joined
from graph.answering.candidate import cited, paragraph, remark, span
from graph.browsing.browsed import Browsed
from graph.browsing.ranking.measures import attributes_asked, attributes_of
from graph.browsing.ranking.scope import Scope, kind_in, read_superlative
from graph.browsing.wishes import FRAME, wish_of
from graph.draft import Block, Draft, Sentence
from graph.language.families import family_of, positive
from graph.language.lexicon import AUXILIARIES, QUESTION_WORDS
from graph.language.negation import denies, excludes
from graph.language.quantities import NUMBER_WORDS, amount_of, quantities
from graph.language.sentences import NO, YES, opening_of, state, the
from graph.language.terms import STOPWORDS, terms, words
from graph.parts import Context
from graph.sensitive.claims import asked_in
from graph.state import TurnState
from graph.turn import Suggestion
from graph.understanding.bounds import Claim, claim_in
from graph.understanding.parsed_question import IMPLIED, MEASURING
from ingestion.evidence import Evidence, Product
from ingestion.source_types import SOURCE_TYPES
from ingestion.spans import sentence_spans
from ingestion.stems import stem

_WHICH = re.compile(r"(?i)^\W*(?:(?:and|so|but|or|ok|okay|hi|hello|hey|please)\W+)*(?:which|what)\b")
_SELLS = re.compile(
    r"(?i)^\W*(?:do|does|have|can|are)\s+(?:you|u|the shop|there)\b"
    r"(?=.*\b(?:have|sell|stock|carry|offer|got|show|any)\b)"
)
_OF = re.compile(r"(?i)^\W*(?:ones? )?of (?:your|the|these|those)\b")
_JOINED = re.compile(r"(?i)(?:(?<!\s)\s+)?(?:(?:,\s*)?\b(?:and(?:\s+also)?|plus|as\s+well\s+as)\b\s*|[,&]\s+)")
_EITHER = re.compile(r"(?i)\bor\b")
_BEHIND = re.compile(r"(?i)(?<!\d)(\d[\d.,]{0,15}+(?: ?[^\W\d_]+)?) or (more|less|fewer|lighter|heavier|longer)\b")
_UP_TO = re.compile(r"(?i)\bup to\b")
_MONEY = frozenset("$€£")
_FRAMING = MEASURING - frozenset(map(stem, "support size capacity".split()))
"""Words that frame a question; those that name what products have are not among them."""


@dataclass(frozen=True, slots=True)
class Property:
    """What a product is wanted to have.

    Attributes:
        said: The words that say it.
        terms: Their stems, figures among them as digits.
        bound: The figure it is compared with; None for no comparison.
        denied: Whether it is wanted not to be so.
    """

    said: str
    terms: tuple[str, ...]
    bound: Claim | None
    denied: bool


def may_ask_which(query: str) -> bool:
    """Whether a question opens as one for products does, whatever it asks for."""
    return bool(_WHICH.match(query) or _SELLS.match(query))


def asks_which(query: str, kind: AbstractSet[str]) -> bool:
    """Whether a question asks which products of a kind are something, or whether the shop sells such.

    Args:
        query: The question.
        kind: Stems of the words that say what they are.
    """
    opening = _WHICH.match(query)
    if opening is None:
        return _SELLS.match(query) is not None
    following = words(_OF.sub("", query[opening.end() :]))
    head: list[str] = []
    for word in following:
        if word in STOPWORDS | AUXILIARIES or (head and stem(word) not in kind and stem(head[-1]) in kind):
            break
        head.append(word)
    return bool(head) and stem(head[-1]) in kind


def asks_otherwise(query: str) -> bool:
    """Whether a message is a question of another form, not a search."""
    return next(iter(words(query)), "") in AUXILIARIES | QUESTION_WORDS


def properties_in(query: str, known: AbstractSet[str]) -> list[Property] | None:
    """The properties that are wanted together; none where nothing is, None where one or the other is.

    Args:
        query: The question.
        known: Stems of the words that say what the products are, and of those about their price.
    """
    told = _BEHIND.sub(lambda found: f"{_bound_of(found[2])} {found[1]}", query)
    told = _UP_TO.sub("at most", told)
    if _EITHER.search(told):
        return None
    found = [_property(piece, known) for piece in _JOINED.split(told)]
    return [one for one in found if one.terms or one.bound]


def _bound_of(word: str) -> str:
    return "at least" if word.lower() in {"more", "heavier", "longer"} else "at most"


def _property(piece: str, known: AbstractSet[str]) -> Property:
    claim = claim_in(piece)
    bound = claim if claim and claim.relation in ("more", "less") and claim.unit not in _MONEY | {""} else None
    rest = piece.replace(bound.text, " ") if bound else piece
    spoken = [NUMBER_WORDS.get(word, word) for word in words(rest)]
    kept = [stem(positive(word)) for word in spoken if word not in STOPWORDS and stem(word) not in known]
    kept = [term for term in kept if term not in FRAME | _FRAMING]
    if bound and not kept and bound.unit in IMPLIED:
        kept = [stem(IMPLIED[bound.unit])]
    return Property(piece.strip(" ?.!"), tuple(kept), bound, denied=denies(rest))


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
        return not excludes(value)
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
            if not excludes(text) and _has_all(wanted.terms, _told(text)):
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
        asked = asks_which(state["standalone_query"], scope.nouns) and state["intent"].selected[:1] == [_OF_PRODUCTS]
        return _unknown(scope) if asked and not _is_known(unknown, scope, parts) else None
    fitting = [row for row in rows if all(one is not None and one.meets for one in row[1])]
    return _fitting(fitting, rows, scope) if fitting else _none(rows, wanted, scope)


def _asked(state: TurnState, parts: Context, *, searching: bool) -> tuple[Scope | None, list[Property]]:
    """The products that a question is about, and what it wants of them."""
    query, catalog = state["standalone_query"], state["catalog"]
    if not (searching or may_ask_which(query)):
        return None, []
    superlative = read_superlative(query)
    if not state["searchable"] or catalog.unknown or catalog.tied:
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
    names = (catalog[match.id].name for match in state["catalog"].matches if match.id in catalog)
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
