"""Which product of a kind is meant: what each of them states, and a question back."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from scipy.special import expit

from graph.answering.candidate import paragraph, remark
from graph.answering.choice import LEAST
from graph.answering.prose import sentence_of
from graph.browsing.facts import (
    CARDS,
    TELLING,
    Fact,
    attributes_asked,
    attributes_of,
    bullets,
    named,
    read_nearest,
    seller_terms,
    showing,
    with_name,
)
from graph.browsing.request import BrowsingRequest, Scope, kind_of
from graph.draft import Draft, Sentence
from graph.intents import FOR_SHOP, OF_PRODUCT
from graph.language.lexicon import AUXILIARIES
from graph.language.locale import phrases, reply
from graph.language.sentences import joined, the
from graph.language.terms import STOPWORDS, stems, terms, words
from graph.parts import Context, Statement
from graph.rewriting.references import find_pronoun
from graph.sensitive.claims import asked_in
from graph.trained import EVEN
from graph.turn import Clarification
from ingestion.evidence import Product
from ingestion.stems import stem

_UNSURE = 0.5
_PRICES = "offers_and_discounts"


def which_of_kind(draft: Draft, request: BrowsingRequest, parts: Context) -> Draft | None:
    """A question back with the products of the kind that was named; None where the draft may stand, or none was."""
    scope = None if request.named or request.doubtful else kind_of(request, parts.knowledge.products)
    if scope is None or not scope.products or not _may_ask(draft, request, scope):
        return None
    if request.category and len({product.category for product in scope.products}) > 1:
        return None  # a department is no kind of products: any five of it would be a guess
    wanted = request.terms - scope.nouns
    products = sorted(scope.products, key=lambda product: -len(wanted & seller_terms(product, parts)))
    shown = products[:CARDS]
    superlative = request.superlative
    is_open = _is_open(draft, request)
    if is_open and superlative is not None and not superlative.comparing and len(products) > 1:
        facts = facts_asked("price", shown, parts)
        lead = remark(reply("cannot_rank", many=len(shown) > 1))
        blocks = [paragraph(lead), bullets(fact.card for fact in facts)]
        return showing(blocks, shown, _UNSURE)
    # A rule of the shop names attributes in passing: "swap shoes for another size".
    named_alone = is_open or draft.outcome == "no_answer" or request.intent not in FOR_SHOP
    # Where nothing else can be said, that of each is told which would be told of it alone.
    least = float(expit(LEAST["prose"])) if is_open else EVEN
    told = [
        said
        for clause in request.clauses
        for said in _told_by_each(clause, shown, scope, parts, least, named_alone=named_alone)
    ]
    if not (told or is_open):
        return None
    asked = reply("which_one", names=joined([the(product.name) for product in shown], reply("or")))
    if len(products) == 1:
        asked = reply("this_one", name=the(shown[0].name))
    labels = {product.name: product.id for product in shown}
    return Draft(
        outcome="ambiguous",
        blocks=[*([bullets(_each_once(told, shown))] if told else []), paragraph(remark(asked))],
        confidence=_UNSURE,
        clarification=Clarification(question=asked, options=list(labels)),
        options=labels,
        pending_kind="product",
        listed=[product.id for product in shown],
    )


def _each_once(told: Iterable[Sentence], products: Sequence[Product]) -> list[Sentence]:
    """What products state, those of one together in their order, without what is cited before."""
    order = [product.id for product in products]
    once = {tuple((one.evidence_id, one.start) for one in sentence.spans): sentence for sentence in told}
    return sorted(once.values(), key=lambda sentence: order.index(sentence.product_id or ""))


def _told_by_each(
    clause: str, products: Sequence[Product], scope: Scope, parts: Context, least: float, *, named_alone: bool
) -> list[Sentence]:
    """What each of the products states of what is asked: the attribute that is named, else what is read to answer it.

    A sensitive claim is not told by what is merely read. The attribute that is read to answer best is told of each that
    states it.

    Args:
        clause: A question.
        products: The products.
        scope: What they are.
        parts: Where they state it.
        least: Probability that a statement answers from which on it is told.
        named_alone: Whether to name an attribute is enough.
    """
    if named_alone and (facts := facts_asked(clause, products, parts, scope.nouns)):
        return [with_name(fact).card for fact in facts]
    if asked_in(clause, parts.options.sensitive) is not None:
        return []
    first: dict[str, Statement] = {}
    for one, said in read_nearest(clause, products, TELLING, parts):
        if said.answers >= least and one.evidence.product_id:
            first.setdefault(one.evidence.product_id, one)
    attributes = {product.id: attributes_of(product, parts) for product in products}
    stated = {key: _stated(one, attributes[key]) for key, one in first.items()}
    surest = next(iter(stated.values()), None)
    told: list[Sentence] = []
    for product in products:
        near, own = first.get(product.id), stated.get(product.id)
        fact = attributes[product.id].get(surest.attribute) if surest else own
        if fact is not None:
            told.append(with_name(fact).card)
        elif near is not None and own is None:
            told.append(named(product.name, sentence_of(near.evidence, near.start, near.end)))
    return told


def _stated(one: Statement, attributes: Mapping[str, Fact]) -> Fact | None:
    """The attribute that a statement states, if it does."""
    own = (fact for fact in attributes.values() if one.evidence.evidence_id == fact.where.evidence_id)
    return next((fact for fact in own if one.start <= fact.where.start < one.end), None)


def _may_ask(draft: Draft, request: BrowsingRequest, scope: Scope) -> bool:
    """Whether a draft leaves room for asking which product is meant: it is no likely answer, and speaks of no other."""
    pronoun = find_pronoun(request.said)
    if pronoun and (request.at_hand or scope.nouns.isdisjoint(stems(request.said[: pronoun.start]))):
        return False
    return _is_open(draft, request) or draft.outcome == "no_answer" or draft.confidence < EVEN


def _is_open(draft: Draft, request: BrowsingRequest) -> bool:
    """Whether a draft asks for a product without offering any, or tells of one that nobody named."""
    if draft.clarification is not None:
        return draft.asks_openly
    priced = request.intent == _PRICES and phrases("price_asked").search(request.text) is not None
    general = not priced and request.intent not in OF_PRODUCT
    if general or (draft.outcome == "no_answer" and not AUXILIARIES.isdisjoint(words(request.said)[:1])):
        return False
    told = [sentence for block in draft.blocks for sentence in block.sentences if sentence.factual]
    of_products = bool(told) and all(sentence.product_id for sentence in told)
    return draft.outcome == "no_answer" or (draft.outcome == "clear" and of_products)


def facts_asked(
    query: str, products: Sequence[Product], parts: Context, nouns: AbstractSet[str] = frozenset()
) -> list[Fact]:
    """What each of the products states of the one thing that is asked for; nothing where no attribute is asked for.

    Args:
        query: A question.
        products: The products.
        parts: Where they state it.
        nouns: Stems of the words of the question for what they are.
    """
    said = " ".join(f"{product.name} {' '.join(product.category)}" for product in products)
    kinds = stems(said) | nouns
    asked = [word for word in words(query) if word not in STOPWORDS and stem(word) not in kinds]
    own = {product.id: attributes_of(product, parts) for product in products}
    stated = list(dict.fromkeys(name for lines in own.values() for name in lines))
    # "Are the poles steel or wood?" names the attribute beside its values.
    spelled = (name for name in sorted(stated, key=len, reverse=True) if set(terms(name)) <= set(map(stem, asked)))
    names = attributes_asked(asked, stated) or list(spelled)
    found = ([lines[name] for name in names if name in lines] for lines in own.values())
    return [facts[0] for facts in found if facts]
