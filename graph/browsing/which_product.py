"""Asking back which one of a kind is meant: "blender price" names no blender, so each one's price is told."""

import re

from graph.answering.absence import joined
from graph.answering.candidate import cited, paragraph, remark, span
from graph.browsing.browsed import Browsed
from graph.browsing.ranking.measures import attributes_asked, attributes_of, rule_asked, rule_of
from graph.browsing.ranking.scope import Superlative, named_by, of_category, read_superlative
from graph.browsing.wishes import FRAME
from graph.catalog.units import singular, units
from graph.draft import Block, Draft, Sentence
from graph.intents import OF_PRODUCT
from graph.language.lexicon import INDEFINITE
from graph.language.sentences import the
from graph.language.terms import STOPWORDS, words
from graph.parts import Context
from graph.state import TurnState
from graph.turn import Clarification, Suggestion
from graph.understanding.parsed_question import AUXILIARIES, Form, forms_of
from ingestion.evidence import Evidence, Product
from ingestion.stems import stem

_OPTIONS = 5
_THINGS = re.compile(r"(?i)\b(it|its|it's|they|them|their|this|that|these|those)\b")


def which_of_kind(draft: Draft, state: TurnState, parts: Context) -> Browsed | None:
    """A question back with the products of the kind that was named; None where the draft may stand, or none was."""
    catalog = state["catalog"]
    if catalog.matches or catalog.tied or catalog.unknown or not _is_open(draft, state):
        return None
    query = state["standalone_query"]
    noun, products = _of_kind(query, catalog.category, parts)
    if not products:
        return None
    shown = products[:_OPTIONS]
    superlative = read_superlative(query)
    if superlative is not None and not superlative.comparing and len(products) > 1:
        return _unranked(superlative, shown, parts)
    cards, evidence = attribute_cards(query, shown, parts, noun)
    asked = f"Which one do you mean: {joined([the(product.name) for product in shown], 'or')}?"
    if len(products) == 1:
        asked = f"Do you mean {the(shown[0].name)}?"
    labels = {product.name: product.id for product in shown}
    asking = Draft(
        outcome="ambiguous",
        blocks=[*([Block(kind="bullets", sentences=cards)] if cards else []), paragraph(remark(asked))],
        confidence=0.5,
        clarification=Clarification(question=asked, options=list(labels)),
        options=labels,
        pending_kind="product",
        listed=[product.id for product in shown],
    )
    return Browsed(asking, evidence)


def _unranked(superlative: Superlative, shown: list[Product], parts: Context) -> Browsed:
    """The products of which the shop does not say enough to tell which has most."""
    cards, evidence = attribute_cards("price", shown, parts)
    kinds = {stem(word) for product in shown for word in words(f"{product.name} {' '.join(product.category)}")}
    lead = remark(f"I can't tell from the shop's information which of these {_has(superlative, kinds)}:")
    draft = Draft(
        outcome="non_decision",
        blocks=[paragraph(lead), Block(kind="bullets", sentences=cards)],
        confidence=0.5,
        suggestions=[Suggestion(product_id=product.id, name=product.name) for product in shown],
        listed=[product.id for product in shown],
    )
    return Browsed(draft, evidence)


def _has(superlative: Superlative, kinds: set[str]) -> str:
    """What is wanted as a predicate: `is the lightest`, `has the longest battery life`; where more is, a vague one."""
    phrase = superlative.phrase if superlative.phrase and stem(superlative.phrase[-1]) not in kinds else ()
    if any(stem(word) not in kinds | FRAME for word in superlative.rest):
        return "fits that best"
    verb = superlative.verb or ("has" if phrase else "is")
    return " ".join((verb, "the", superlative.shown, *phrase))


def _is_open(draft: Draft, state: TurnState) -> bool:
    """Whether a draft asks for a product without offering any, or tells of one that nobody named."""
    if _THINGS.search(state["query"]):
        return False
    if draft.clarification is not None:
        return not draft.clarification.options
    intents = state["intent"].selected[:1]
    priced = intents == ["offers_and_discounts"] and _asks_price(state["standalone_query"])
    general = not priced and not OF_PRODUCT.intersection(intents)
    opening = next(iter(words(state["query"])), "")
    if general or (draft.outcome == "no_answer" and opening in AUXILIARIES):
        return False
    cited_ = {one.evidence_id for block in draft.blocks for sentence in block.sentences for one in sentence.spans}
    told = {sentence.product_id for block in draft.blocks for sentence in block.sentences if sentence.factual}
    return draft.outcome == "no_answer" or (draft.outcome == "clear" and bool(cited_) and None not in told)


def _asks_price(query: str) -> bool:
    return Form.PRICE in forms_of(query) or not {"price", "cost", "expensive"}.isdisjoint(map(stem, words(query)))


def _of_kind(query: str, category: tuple[str, ...], parts: Context) -> tuple[str, list[Product]]:
    """The products of the category that a question names, else of the kind that one of its nouns, given too, names."""
    catalog = parts.knowledge.products
    path = {part.casefold() for part in category}
    if path:
        own = (product for product in catalog.values() if path <= {part.casefold() for part in product.category})
        return "", list(own)
    spoken = words(query)
    for place, noun in enumerate(spoken):
        indefinite = INDEFINITE.intersection(spoken[max(0, place - 1) : place])
        if noun in STOPWORDS or stem(noun) in FRAME or indefinite - {"which", "what"}:
            continue
        found = _heading(noun, list(catalog.values()))
        if found:
            return noun, found
    return "", []


def _heading(noun: str, products: list[Product]) -> list[Product]:
    """The products whose category a noun names, else those whose name it heads."""
    named = (product for product in named_by(noun, products) if units(product.name)[-1].text == singular(noun))
    return of_category(noun, products) or list(named)


def attribute_cards(
    query: str, products: list[Product], parts: Context, noun: str = ""
) -> tuple[list[Sentence], dict[str, Evidence]]:
    """What each of the products states of the one thing that is asked for; nothing where no attribute is asked for.

    Args:
        query: A question.
        products: The products.
        parts: Where they state it.
        noun: The word of the question for what they are.
    """
    said = " ".join(f"{product.name} {' '.join(product.category)}" for product in products)
    kinds = {stem(word) for word in words(f"{said} {noun}")}
    asked = [word for word in words(query) if word not in STOPWORDS and stem(word) not in kinds]
    lines = {product.id: attributes_of(product, parts) for product in products}
    names = attributes_asked(asked, list(dict.fromkeys(name for own in lines.values() for name in own)))
    kind = None if names else rule_asked(asked)
    cards, evidence = list[Sentence](), dict[str, Evidence]()
    for product in products:
        line = next((lines[product.id][name] for name in names if name in lines[product.id]), None)
        rule = rule_of(product, kind, parts) if kind else None
        told = (line[0], line[3], line[4], line[2]) if line else rule
        if told is not None:
            item, start, end, value = told
            evidence[item.evidence_id] = item
            cards.append(cited(f"{product.name}, {value}", span(item, start, end), product_id=product.id))
    return cards, evidence
