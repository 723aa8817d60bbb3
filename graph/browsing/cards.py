"""Product cards: what fits a wish, each with a cited fact, filters honoured exactly."""

import re
from collections.abc import Mapping, Sequence

from graph.answering.absence import ONLY_THIS, foreign
from graph.answering.candidate import cited, paragraph, remark, span
from graph.answering.matching import attribute_lines
from graph.answering.prose import sentence_of
from graph.browsing.having import having
from graph.browsing.ranking import ranked
from graph.browsing.which_product import attribute_cards
from graph.browsing.wishes import Wish, meeting, wish_of
from graph.draft import Block, Draft, Sentence
from graph.language.english import is_foreign
from graph.language.terms import terms, words
from graph.parts import Context, Statement
from graph.rewriting.topics import is_browsing
from graph.state import TurnState
from graph.turn import Suggestion
from ingestion.evidence import Evidence, Product
from ingestion.stems import stem

CARDS = 5
LEAST_FIT = 0.5
OPENING = "Hello! Ask me about a product, or about orders, delivery, returns and the like. What can I do for you?"
UNDERSTOOD = "I'm sorry to hear that. What is it about: a product, an order, a delivery or something else?"
OUTSIDE = "That is outside what this shop's information covers. I can help with its products, orders and policies."
NONE_FITS = "No product of this shop fits that. Shall I look without the limit?"
ASKING = re.compile(r"(?i)^\W*(how|is|are|do|does|can|what('s|\s+is|\s+are) the)\b")
"""Opens a question about what is shown rather than a search for it."""
TROUBLE = re.compile(r"(?i)\b(problem|issue|trouble|complain\w*|help|unhappy|angry|upset|question)\b")
ENQUIRING = re.compile(
    r"(?i)^\W*(what('s| is| are| was)|why|how|who|when|where)\b(?!.*\b(sell|stock|carry|offer|have)\b)"
)
"""Opens a question about the world rather than a search for products."""
REPLIES = (
    (re.compile(r"(?i)\b(thanks?|thank you|thx|cheers)\b"), "You're welcome. Is there anything else I can look up?"),
    (re.compile(r"(?i)\b(bye|goodbye|see you|good night)\b"), "Goodbye, and come back any time."),
)
CATALOG_KINDS = frozenset({"spec"})


def asks_to_browse(state: TurnState) -> bool:
    """Whether a message that asks for no decision asks for products, or for nothing that could be looked up."""
    query, wish = state["query"], wish_of(state["standalone_query"])
    limited = wish.order is not None or wish.most is not None or wish.least is not None
    talk = is_foreign(query) or any(pattern.search(query) for pattern, _ in REPLIES)
    return not state["searchable"] or talk or limited or bool(state["catalog"].category) or is_browsing(query)


def browse_draft(state: TurnState, parts: Context) -> tuple[Draft, dict[str, Evidence]]:
    """Fitting products as cards, or a short reply to small talk; the evidence of the cards comes with it."""
    first = ranked(state, parts) or having(state, parts, searching=True)
    if first is not None:
        return first.draft, first.evidence
    wish = wish_of(state["standalone_query"])
    products = _fitting(wish, state["catalog"].category, state, parts) if state["searchable"] else []
    needed = _needed(wish, products, state, parts)
    products = [product for product, _ in needed] or products
    preferred = state["user"].preferences
    products = products if wish.order else _preferred_first(products, preferred, parts)
    if not products:
        return _small_talk(state, wish), {}
    evidence = {product.id: _spec(product, parts) for product in products}
    shown = [product for product in products if evidence[product.id]][:CARDS]
    told, sources = attribute_cards(state["query"], shown, parts) if ASKING.search(state["query"]) else ([], {})
    cards = told or [card for product in shown if (card := _card(product, evidence[product.id]))]
    deciding = {} if told else {product.id: (product, one) for product, one in needed}
    sources |= {one.evidence.evidence_id: one.evidence for _, one in deciding.values()}
    lead = remark(_lead(products, len(cards), state))
    draft = Draft(
        outcome="non_decision",
        blocks=[paragraph(lead), *_shown(cards, deciding)],
        confidence=0.8,
        suggestions=[Suggestion(product_id=product.id, name=product.name) for product in shown],
        listed=[product.id for product in shown],
    )
    return draft, sources | {item.evidence_id: item for items in evidence.values() for item in items}


def _fitting(wish: Wish, category: tuple[str, ...], state: TurnState, parts: Context) -> list[Product]:
    catalog = parts.knowledge.products
    named = [catalog[match.id] for match in state["catalog"].matches]
    if named and not category:
        return _in_order([p for p in _accessories(named, wish, parts) or named if _priced(p, wish)], wish)
    pool = [p for p in catalog.values() if _priced(p, wish) and (not category or _within(p, category))]
    described = wish.terms - {term for part in category for term in terms(part)}
    limited = bool(category or wish.most or wish.least or wish.order)
    if not described:
        return _in_order(pool, wish) if limited else []
    if not limited and ENQUIRING.search(state["query"]):
        return []
    scored = [(len(described & _describing(p, parts)) / len(described), p) for p in pool]
    best = max((score for score, _ in scored), default=0.0)
    kept = [product for score, product in scored if score >= max(LEAST_FIT, best)]
    return _in_order(kept or (pool if category else []), wish)


def _shown(cards: Sequence[Sentence], deciding: Mapping[str, tuple[Product, Statement]]) -> list[Block]:
    """The cards as a list; under each what decides, where a need was named."""
    if not deciding:
        return [Block(kind="bullets", sentences=list(cards))]
    blocks = []
    for card in cards:
        product, one = deciding[card.product_id or ""]
        said = sentence_of(one.evidence, one.start, one.end, product)
        blocks += [Block(kind="bullets", sentences=[card]), paragraph(said)]
    return blocks


def _needed(
    wish: Wish, fitting: Sequence[Product], state: TurnState, parts: Context
) -> list[tuple[Product, Statement]]:
    """Products that meet a need, of those within the limits; none where a message names no need, or products."""
    if not state["searchable"] or state["catalog"].matches or wish.order:
        return []
    category = state["catalog"].category
    if not wish.terms - {term for part in category for term in terms(part)}:
        return []
    pool = fitting if category else [p for p in parts.knowledge.products.values() if _priced(p, wish)]
    return meeting(state["query"], pool, parts)


def _accessories(named: Sequence[Product], wish: Wish, parts: Context) -> list[Product]:
    """Related products that the wish describes ("cases for it")."""
    catalog = parts.knowledge.products
    described = wish.terms - {term for product in named for term in terms(product.name)}
    related = [catalog[key] for product in named for key in product.related if key in catalog]
    return [product for product in related if described & set(terms(f"{product.name} {' '.join(product.category)}"))]


def _within(product: Product, category: tuple[str, ...]) -> bool:
    folded = [part.casefold() for part in product.category]
    return all(part.casefold() in folded for part in category)


def _priced(product: Product, wish: Wish) -> bool:
    if wish.least is None and wish.most is None:
        return True
    if product.price is None:
        return False
    return (wish.least or 0.0) <= product.price.amount <= (wish.most or float("inf"))


def _describing(product: Product, parts: Context) -> frozenset[str]:
    items = parts.knowledge.product_evidence(product.id, frozenset({"spec", "feature", "description"}))
    own = " ".join(item.text for item in items if item.product_id == product.id)
    return frozenset(stem(word) for word in words(f"{product.name} {' '.join(product.category)} {own}"))


def _in_order(products: Sequence[Product], wish: Wish) -> list[Product]:
    if wish.order is None:
        return list(products)
    priced = [product for product in products if product.price]
    return sorted(priced, key=lambda p: p.price.amount if p.price else 0.0, reverse=wish.order == "dearest")


def _preferred_first(products: Sequence[Product], preferences: Mapping[str, str], parts: Context) -> list[Product]:
    """What has most of the values that the user prefers first; the rest in its order behind it, none left out."""
    wanted = [frozenset(terms(value)) for value in preferences.values()]
    if not any(wanted):
        return list(products)
    held = {product.id: _describing(product, parts) | _offering(product) for product in products}
    return sorted(products, key=lambda product: -sum(bool(value) and value <= held[product.id] for value in wanted))


def _offering(product: Product) -> frozenset[str]:
    values = (value for variant in product.variants for value in variant.attributes.values())
    return frozenset(term for value in values for term in terms(value))


def _spec(product: Product, parts: Context) -> list[Evidence]:
    return [e for e in parts.knowledge.product_evidence(product.id, CATALOG_KINDS) if e.product_id == product.id]


def _card(product: Product, evidence: Sequence[Evidence]) -> Sentence | None:
    for item in evidence:
        rows = {name: (value, start, end) for name, value, start, end in attribute_lines(item)}
        if "Price" in rows:
            value, start, end = rows["Price"]
            return cited(f"{product.name}, {value}", span(item, start, end), product_id=product.id)
        if rows:
            name, (value, start, end) = next(iter(rows.items()))
            return cited(f"{product.name} ({name.lower()}: {value})", span(item, start, end), product_id=product.id)
    return None


def _lead(products: Sequence[Product], shown: int, state: TurnState) -> str:
    if {product.id for product in products} <= {match.id for match in state["catalog"].matches}:
        return ONLY_THIS
    more = ", for example" if len(products) > shown else ""
    return f"{len(products)} product{'s fit' if len(products) > 1 else ' fits'}{more}:"


def _small_talk(state: TurnState, wish: Wish) -> Draft:
    query = state["query"]
    if is_foreign(query):
        return foreign()
    reply = next((said for pattern, said in REPLIES if pattern.search(query)), None)
    if reply is None and not state["searchable"]:
        reply = UNDERSTOOD if TROUBLE.search(query) else OPENING
    elif reply is None:
        filtered = wish.most is not None or wish.least is not None or state["catalog"].category
        reply = NONE_FITS if filtered else OUTSIDE
    return Draft(outcome="non_decision", blocks=[paragraph(remark(reply))], confidence=0.8)
