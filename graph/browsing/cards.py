"""Product cards: what fits a wish, each with a cited fact; and small talk."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graph.answering.absence import ONLY_THIS, foreign
from graph.answering.candidate import cited, paragraph, remark, span
from graph.answering.facts import STRUCTURED, SURE
from graph.answering.prose import sentence_of
from graph.browsing.facts import (
    CARDS,
    SPEAKING,
    Fact,
    attributes_of,
    bullets,
    first_fact,
    held_by,
    read_nearest,
    seller_terms,
    showing,
)
from graph.browsing.ranking import having, ranked
from graph.browsing.request import BrowsingRequest, kind_of
from graph.draft import Block, Draft
from graph.intents import NON_DECISION
from graph.language.english import is_foreign
from graph.language.locale import phrases, reply
from graph.language.negation import denies
from graph.language.terms import stems, terms, words
from graph.parts import Context, Statement
from graph.rewriting.scene import about_shop, is_browsing
from graph.sensitive.claims import asked_in
from graph.trained import EVEN
from ingestion.evidence import Product
from ingestion.source_types import POLICIES, SOURCE_TABLE

_CONFIDENT = 0.8
_MOST = 200
"""Products whose evidence is read for a need."""
_NEAR = 0.45
"""How near a statement must be to speak against its product."""
_REPLIES = ("thanks", "goodbye")
"""Phrases of small talk, and what is said to them."""
_UNSURE = 0.5
_CATEGORY = "category"
_OF_PRODUCTS = frozenset({None, NON_DECISION, "product_spec"})
"""Intents, the likeliest of which a description of products may have: "laptop on instalments" asks how to pay."""


@dataclass(frozen=True, slots=True)
class _Reason:
    """A statement that speaks for a product, or rules it out."""

    product: Product
    statement: Statement
    against: bool


def asks_to_browse(request: BrowsingRequest) -> bool:
    """Whether a message that asks for no decision asks for products, or for nothing that could be looked up."""
    talk = is_foreign(request.said) or any(phrases(name).search(request.said) for name in _REPLIES)
    of_kind = bool(request.category) and (not request.asks_otherwise or request.asks_for_sale or bool(request.which))
    # What is no kind of products may be sold all the same: gift cards.
    wanted = not request.sold and (request.is_limited or of_kind or is_browsing(request.said))
    return not request.searchable or talk or wanted


def products_asked(request: BrowsingRequest, parts: Context) -> Draft | None:
    """The answer to a question for products, by what they state; None where it asks for none, or nobody states it."""
    searching = _searches(request)
    found = ranked(request, parts) or having(request, parts, searching=searching)
    return found or (_cards(request, parts) if searching else None)


def _searches(request: BrowsingRequest) -> bool:
    """Whether a message that names no product looks for one of a kind, described alone or at a price."""
    sought = request.searchable and bool(request.category) and not request.named
    described = request.describes_kind and not request.at_hand and request.intent in _OF_PRODUCTS
    priced = bool(request.price) and not request.asks_otherwise
    of_rules = about_shop(request.text) or any(stems(request.text) & SOURCE_TABLE[kind].core for kind in POLICIES)
    return sought and (described or priced) and not of_rules


def browse_draft(request: BrowsingRequest, parts: Context) -> Draft:
    """Fitting products as cards, or a short reply to small talk."""
    found = ranked(request, parts) or having(request, parts, searching=True) or _cards(request, parts)
    found = found or _at_another_price(request, parts) or _departments(request, parts)
    return found or not_sold(request) or _small_talk(request)


def not_sold(request: BrowsingRequest) -> Draft | None:
    """That no product is of the kind that a question of sale names; None where it names none that is unknown."""
    if not request.sold or request.named:
        return None
    said = remark(reply("not_sold", name=request.sold))
    return Draft(outcome="no_answer", blocks=[paragraph(said)], confidence=_CONFIDENT, missing=[request.sold])


def wish_met(request: BrowsingRequest, parts: Context) -> Draft | None:
    """Cards of the products for which something speaks that they state; None where nothing does."""
    return _cards(request, parts, stated=True)


def _cards(request: BrowsingRequest, parts: Context, *, stated: bool = False) -> Draft | None:
    """The products that fit a wish in words, with the statement that meets a need; None where none does.

    Args:
        request: The wish.
        parts: Where products state what they are.
        stated: Whether words of a wish that products have are not enough.
    """
    if not request.searchable:
        return None
    pool = _of_count(_pool(request, parts.knowledge.products), request, parts)
    fitting = _fitting(request, pool, parts)
    # That something is safe or healthy for somebody is not told by what the reader takes to have to do with it; that it
    # is not, is told of the whole department.
    sensitive = asked_in(request.said, parts.options.sensitive) is not None
    looked_at = _department(request, parts) if sensitive and request.category else fitting if request.category else pool
    deciding = _deciding(request, looked_at, parts)
    against = {one.product.id: one.statement for one in deciding if one.against}
    meeting = {one.product.id: one for one in deciding if not (one.against or sensitive)}
    if stated and not meeting:
        return None
    met = [one.product for one in meeting.values()]
    told = _facts(met, request, parts)[:CARDS]
    rest = [] if meeting and not request.category else [one for one in fitting if one.id not in {*against, *meeting}]
    others = _facts(rest, request, parts)[: CARDS - len(told)]
    if not (told or others or against):
        return None
    blocks = _warnings(against.values(), parts)
    blocks += [paragraph(remark(reply("may_suit", many=len(told) > 1)))] if told else []
    blocks += _with_statements(told, {key: one.statement for key, one in meeting.items()})
    if others:
        plain = request.price or request.named or not _need(request)
        unmet = sensitive or not (plain or _fits_in_words(request, rest[0], parts))
        behind = "others_of_kind" if told or against else "cannot_rank" if unmet else None
        lead = reply(behind, many=len(others) > 1) if behind else _lead(request, rest, len(others))
        lead = reply("near_price") if request.spending and not behind else lead
        blocks += [paragraph(remark(lead)), bullets(fact.card for fact in others)]
    shown = [fact.product for fact in (*told, *others)]
    # Words that stand somewhere in a description are less than a kind, a limit, or a statement on the need.
    sure = bool(told or against or request.category or request.is_limited or request.named)
    return showing(blocks, shown, _CONFIDENT if sure else _UNSURE)


def _with_statements(facts: Iterable[Fact], statements: Mapping[str, Statement]) -> list[Block]:
    """The card of each product, and under it what it states."""
    blocks: list[Block] = []
    for fact in facts:
        one = statements[fact.product.id]
        blocks += [bullets([fact.card]), paragraph(sentence_of(one.evidence, one.start, one.end))]
    return blocks


def _at_another_price(request: BrowsingRequest, parts: Context) -> Draft | None:
    """The products of a kind whose prices are nearest to the one that none of them keeps to; None where some do."""
    scope = kind_of(request, parts.knowledge.products) if request.category and request.price else None
    pool = _of_count(scope.products if scope else (), request, parts)
    if not pool or any(map(request.affords, pool)):
        return None
    near = sorted((product for product in pool if product.price), key=request.distance)
    facts = _facts(near, request, parts)[:CARDS]
    return showing(
        [paragraph(remark(reply("another_price"))), bullets(fact.card for fact in facts)], near[:CARDS], SURE
    )


def _department(request: BrowsingRequest, parts: Context) -> list[Product]:
    """The products of the department in which the category that is named lies."""
    return [one for one in parts.knowledge.products.values() if one.category[:1] == request.category[:1]]


def _departments(request: BrowsingRequest, parts: Context) -> Draft | None:
    """A product of each department, for who asks what the shop sells and names nothing; None for anyone else."""
    if not request.searchable or request.named or request.category or _need(request):
        return None
    first: dict[str, Product] = {}
    for product in parts.knowledge.products.values():
        first.setdefault(next(iter(product.category), ""), product)
    stated = (attributes_of(product, parts).get(_CATEGORY) for product in first.values())
    facts = [fact for fact in stated if fact is not None][:CARDS]
    if not facts:
        return None
    blocks = [paragraph(remark(reply("sold"))), bullets(fact.card for fact in facts)]
    return showing(blocks, [fact.product for fact in facts], _CONFIDENT)


def _warns(one: Statement) -> bool:
    """Whether an attribute says no of what a need names ("Pregnancy and breastfeeding: Do not use")."""
    opening = " ".join(words(one.text.partition(":")[2])[:2])
    return one.evidence.source_type in STRUCTURED and denies(opening)


def _warnings(against: Iterable[Statement], parts: Context) -> list[Block]:
    """What rules products out for a need, before those that it does not rule out."""
    names = parts.knowledge.products
    told = [
        cited(
            f"{names[one.evidence.product_id].name}: “{one.text.rstrip('.')}”",
            span(one.evidence, one.start, one.end),
            product_id=one.evidence.product_id,
        )
        for one in against
        if one.evidence.product_id
    ]
    return [paragraph(remark(reply("ruled_out"))), bullets(told)] if told else []


def _pool(request: BrowsingRequest, catalog: Mapping[str, Product]) -> list[Product]:
    """The products that keep to the price: named ones or what goes with them, else those of the category and maker.

    Where an amount is no limit, those whose price is nearest to it come first.
    """
    pool = list(catalog.values())
    if request.named and not request.category:
        pool = _accessories(request, catalog) or list(request.named)
    elif request.category:
        scope = kind_of(request, catalog)
        pool = list(scope.products) if scope else []
    kept = list(filter(request.affords, pool))
    return sorted(kept, key=request.distance) if request.spending else kept


def _of_count(pool: Sequence[Product], request: BrowsingRequest, parts: Context) -> list[Product]:
    """Those of a pool that do not state another count than what is wanted: "a tent for 2 people" is none for 1."""
    kept = list(pool)
    for count in request.counts:
        stated = {product.id: held_by(product, count, parts, told_by_seller=False) for product in pool}
        kept = [product for product in kept if (fact := stated[product.id]) is None or fact.meets is not False]
    return kept


def _accessories(request: BrowsingRequest, catalog: Mapping[str, Product]) -> list[Product]:
    """Related products that the wish describes ("cases for it")."""
    called = " ".join(name for product in request.named for name in (product.name, *product.aliases))
    described = request.terms - stems(called)
    related = [catalog[key] for product in request.named for key in product.related if key in catalog]
    return [product for product in related if described & set(terms(f"{product.name} {' '.join(product.category)}"))]


def _fitting(request: BrowsingRequest, pool: Sequence[Product], parts: Context) -> list[Product]:
    """Those of a pool that have all the words of a wish, else all of it where a kind is named."""
    described = _need(request)
    if request.named and not request.category:
        return list(pool)
    if request.sold:  # "do you have dog beds": what is good for dogs is none
        kind = frozenset(terms(request.sold))
        pool = [product for product in pool if kind <= set(terms(" ".join((product.name, *product.aliases))))]
    kept = [product for product in pool if described and _fits_in_words(request, product, parts)]
    stands = request.category or ((request.is_limited or request.spending) and not described)
    return kept or (list(pool) if stands else [])


def _fits_in_words(request: BrowsingRequest, product: Product, parts: Context) -> bool:
    """Whether a product has all words of a need."""
    return _need(request) <= seller_terms(product, parts)


def _need(request: BrowsingRequest) -> frozenset[str]:
    """Stems of the words that describe more than a category."""
    return request.terms - {term for part in request.category for term in terms(part)}


def _deciding(request: BrowsingRequest, pool: Sequence[Product], parts: Context) -> list[_Reason]:
    """What speaks most clearly for or against products by a need, the clearest first; nothing where none is named."""
    if request.named or request.sold or not _need(request):
        return []
    wanted = {product.id: product for product in pool[:_MOST]}
    ordered = read_nearest(request.said, wanted.values(), SPEAKING, parts)
    # Who wants something not to be so is served by what denies it.
    warned = [] if denies(request.said) else [pair for pair in ordered if _warns(pair[0]) and pair[0].score >= _NEAR]
    against = [one for one, said in warned if said.no >= SURE * (said.yes + said.no)]
    meeting = [one for one, said in ordered if said.answers >= EVEN > said.no]
    found: dict[str, _Reason] = {}
    # What rules a product out counts before what speaks for it.
    for place, one in enumerate([*against, *meeting]):
        if product := wanted.get(one.evidence.product_id or ""):
            found.setdefault(product.id, _Reason(product, one, against=place < len(against)))
    return list(found.values())


def _preferred_first(products: Sequence[Product], preferences: Mapping[str, str], parts: Context) -> list[Product]:
    """What has most of the values that the user prefers first; the rest in its order behind it, none left out."""
    wanted = [value for text in preferences.values() if (value := frozenset(terms(text)))]
    if not wanted:
        return list(products)
    held = {product.id: set(seller_terms(product, parts)) for product in products}
    for product in products:
        held[product.id].update(*map(terms, product.variant_values))
    return sorted(products, key=lambda product: -sum(value <= held[product.id] for value in wanted))


def _facts(products: Sequence[Product], request: BrowsingRequest, parts: Context) -> list[Fact]:
    """What is told first of each product that states anything, those that the user prefers before the others."""
    ordered = _preferred_first(products, request.preferences, parts)
    return [fact for product in ordered if (fact := first_fact(product, parts))]


def _lead(request: BrowsingRequest, products: Sequence[Product], shown: int) -> str:
    if {product.id for product in products} <= {product.id for product in request.named}:
        return f"{ONLY_THIS}:"
    more = reply("for_example") if len(products) > shown else ""
    return reply("fits", many=len(products) > 1, count=len(products), more=more)


def _small_talk(request: BrowsingRequest) -> Draft:
    if is_foreign(request.said):
        return foreign()
    said = next((name for name in _REPLIES if phrases(name).search(request.said)), None)
    if said is None and not request.searchable:
        said = "understood" if phrases("trouble").search(request.said) else "opening"
    elif said is None:
        said = "none_fits" if request.limits or request.category else "outside"
    return Draft(outcome="non_decision", blocks=[paragraph(remark(reply(said)))], confidence=_CONFIDENT)
