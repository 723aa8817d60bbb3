"""Answers from offers and variants: what is reduced now, the colours, sizes and versions there are, prices, stock."""

from collections.abc import Iterable, Mapping, Sequence

from graph.answering.candidate import Candidate, cited, paragraph, remark, span
from graph.answering.facts import price_of
from graph.answering.matching import statements
from graph.answering.prose import sentence_of
from graph.draft import Sentence, YesNo
from graph.language.families import covered_terms
from graph.language.locale import reply, word_class
from graph.language.quantities import NUMBER_WORDS
from graph.language.sentences import capitalised, joined, lower_name, plural, the
from graph.language.terms import terms, words
from graph.parts import Question
from graph.understanding.parsed_question import Form, ParsedClause
from ingestion.evidence import Evidence, Product, Variant, lines
from ingestion.source_types import SOURCE_TABLE
from ingestion.stems import stem

MOST_OFFERS = 3
OFFER_WORDS = SOURCE_TABLE["offer"].stems - {"off", "save"}


def find_offers(asked: ParsedClause, product: Product, evidence: Sequence[tuple[Evidence, float]]) -> Candidate | None:
    """The offers on a product now, and its price; that there is none, when offers were asked for by name."""
    if not asked.terms & OFFER_WORDS:
        return None
    offers = [item for item, _ in evidence if item.source_type == "offer" and item.product_id in (product.id, None)]
    offers.sort(key=lambda item: item.product_id is None)
    sentences: list[Sentence] = []
    for item in offers[:MOST_OFFERS]:
        sentences += [sentence_of(item, start, end) for start, end in statements(item)[:2]]
    if not sentences:
        sentences.append(remark(reply("no_offer", product=the(product.name))))
    sentences += price_of(product, evidence)
    if not any(sentence.factual for sentence in sentences):
        return None
    return Candidate(
        blocks=(paragraph(*sentences),),
        score=0.8 if offers else 0.7,
        source_type="offer",
        attributes=("Price",),
    )


def beside_price(product: Product, evidence: Sequence[tuple[Evidence, float]]) -> list[Sentence]:
    """The offers on a product that run now, for who is told a price and not that is cheaper today is misled."""
    return [
        sentence_of(item, *statements(item)[0])
        for item, _ in evidence
        if item.source_type == "offer" and item.product_id == product.id and statements(item)
    ]


def added_by_offer(asked: ParsedClause, product: Product, evidence: Sequence[tuple[Evidence, float]]) -> list[Sentence]:
    """The offers that hold all that was asked, such as an accessory the product comes without."""
    told = beside_price(product, evidence)
    return [one for one in told if asked.specific and asked.specific <= frozenset(terms(one.text))]


OPTION_NOUNS = frozenset(map(stem, word_class("option_nouns")))
FRAME = OPTION_NOUNS | frozenset(map(stem, word_class("asking_options")))
"""Stems of words that ask for what is offered, and name none of it."""
SIZED = ("size", "in", "in a", "in an", "the", "eu", "uk", "us")
"""What stands before a single letter or figure that is a size."""
MOST = 4
NAMED = 1.3
"""Score of what is said of the very variant that was asked for."""
Row = tuple[Variant, int, int]
"""A variant, and where its line stands in the evidence."""


def find_variants(asked: ParsedClause, product: Product, question: Question) -> Candidate | None:
    """What the list of variants says to a clause about a product; the user's preferences choose where that does not."""
    item = next((e for e, _ in question.evidence if e.source_type == "variant" and e.product_id == product.id), None)
    if item is None or not product.variants:
        return None
    # What another question of the message asks for is not asked here.
    others = [one for one in question.parsed.clauses if one.text != asked.text]
    stock_elsewhere = any(Form.IN_STOCK in one.forms for one in others)
    prices_elsewhere = any(one.money for one in others)
    stock = Form.IN_STOCK in asked.forms or ("stock_availability" in question.intents and not stock_elsewhere)
    prices = asked.money or ("offers_and_discounts" in question.intents and not prices_elsewhere)
    attribute = _attribute(asked, product)
    options = Form.SOLD_IN in asked.forms or bool(asked.terms & OPTION_NOUNS)
    options |= attribute is not None and not asked.quantity and Form.OFFERED in asked.forms
    preferences = question.user.preferences if (stock or prices) and not options else {}
    meant = variants_meant(
        product, (asked.text, question.query) if others else (question.query, asked.text), preferences
    )
    rows = [(v, *at) for v, at in zip(product.variants, lines(item.text), strict=False) if v in meant]
    named = len(meant) < len(product.variants) or bool(_values_said(product, asked.text))
    sentences: list[Sentence] = []
    untold = (prices and product.price is None) or (
        stem("stock") in asked.terms and not _stock_facts(product, question)
    )
    if named or (untold and not options):
        sentences = _stated(asked, product, item, rows[:MOST], (prices, stock))
        if stock and not asked.money and (told := _stock_told(product, meant, question)):
            sentences = [*(one for one in sentences if not one.factual), *told]
        if not sentences and (asked.yes_no or "variant" in question.intents):
            sentences = _confirmed(asked, product, item, rows)
    elif options:
        sentences = _listing(asked, product, item, attribute)
    if not sentences:
        return None
    return Candidate(
        blocks=(paragraph(*sentences),),
        score=NAMED if named else 0.8 if "variant" in question.intents else 0.5,
        source_type="variant",
        attributes=_attributes(product),
    )


def variants_meant(product: Product, texts: Iterable[str], preferences: Mapping[str, str]) -> list[Variant]:
    """The variants of a product that have every value that is named, or that the user prefers where none is.

    Args:
        product: The product.
        texts: What may name values, the user's own words before what the conversation carried over.
        preferences: Values that the user prefers, by attribute.
    """
    preferred = {(name.casefold(), value.casefold()) for name, value in preferences.items()}
    spoken = [_values_said(product, text) for text in texts]
    every = left = list(product.variants)
    for name in _attributes(product):
        values = {value for variant in left if (value := variant.attributes.get(name))}
        named = next(filter(None, (values & said for said in spoken)), None)
        wanted = named or {value for value in values if (name.casefold(), value.casefold()) in preferred}
        left = [variant for variant in left if variant.attributes.get(name) in wanted] if wanted else left
    # A plain one is meant where nobody asks for what sets another apart.
    fewest = min((len(variant.attributes) for variant in left), default=0)
    return [variant for variant in left if len(variant.attributes) == fewest] if len(left) < len(every) else left


def _values_said(product: Product, text: str) -> set[str]:
    """Values that a text names: by all their words, else by the last that tells one from the rest ("9" of "US 9")."""
    spoken = f" {' '.join(_stems(text))} "
    name_of_it = _stems(product.name)
    said: set[str] = set()
    for name in _attributes(product):
        values = {value: _stems(value) for one in product.variants if (value := one.attributes.get(name))}
        whole = {value for value, own in values.items() if _is_said(own, spoken)}
        telling = {
            v: [one for one in own if any(one not in other for other in values.values())] for v, own in values.items()
        }
        # Of "500 g" the last says how much of what it is, as that of others may.
        heads = {v: own[-1:] for v, own in telling.items() if not any(map(str.isdigit, own[:-1]))}
        said |= whole or {v for v, head in heads.items() if _is_said(head, spoken) and head[0] not in name_of_it}
    return said


def _stems(text: str) -> list[str]:
    return [NUMBER_WORDS.get(word, stem(word)) for word in words(text)]


def _is_said(wanted: Sequence[str], spoken: str) -> bool:
    """Whether stems occur side by side; a single letter or figure only as a size ("size M", "in a 42")."""
    whole = " ".join(wanted)
    if len(wanted) != 1 or not (len(whole) == 1 or whole.isdigit()):
        return bool(whole) and f" {whole} " in spoken
    return any(f" {before} {whole} " in spoken for before in SIZED)


def _attributes(product: Product) -> tuple[str, ...]:
    """What sets the variants of a product apart."""
    return tuple(dict.fromkeys(name for variant in product.variants for name in variant.attributes))


def _attribute(asked: ParsedClause, product: Product) -> str | None:
    """The variants' attribute a clause asks for."""
    fits = [(len(asked.terms & covered_terms(name, "")), name) for name in _attributes(product)]
    best = max(fits, key=lambda fit: fit[0], default=(0, ""))
    return best[1] if best[0] else None


def _stated(
    asked: ParsedClause, product: Product, item: Evidence, rows: Sequence[Row], wanted: tuple[bool, bool]
) -> list[Sentence]:
    """What variants cost and whether they are in stock, each as it is wanted; yes or no before one alone."""
    prices, stock = wanted
    many = plural(product.name)
    sentences = []
    for variant, start, end in rows:
        said = [reply("costs", many=many, price=variant.price)] if prices and variant.price else []
        if stock and variant.in_stock is not None:
            said.append(reply("in_stock" if variant.in_stock else "out_of_stock", many=many))
        if said:
            values = ", ".join(variant.attributes.values())
            text = reply("variant_is", product=capitalised(the(product.name)), values=values, told=joined(said))
            sentences.append(cited(text, span(item, start, end), product_id=product.id))
    if stock and asked.yes_no and len(rows) == 1 and rows[0][0].in_stock is not None:
        sentences.insert(0, remark(YesNo.of(rows[0][0].in_stock)))
    return sentences


def _stock_told(product: Product, meant: Sequence[Variant], question: Question) -> list[Sentence]:
    """The shop's own words on the stock of one variant; on that of the product where it is known of no variant."""
    about = _stock_facts(product, question)
    if len(meant) == 1:
        values = [f" {' '.join(words(value))} " for value in meant[0].attributes.values()]
        own = [e for e in about if all(value in f" {' '.join(words(e.text))} " for value in values)]
        if own:
            return [sentence_of(own[0], *at) for at in statements(own[0])[:2]]
    known = any(variant.in_stock is not None for variant in meant)
    return [] if known else [sentence_of(e, *statements(e)[0]) for e in about[:MOST]]


def _stock_facts(product: Product, question: Question) -> list[Evidence]:
    return [e for e, _ in question.evidence if e.source_type == "stock" and e.product_id == product.id]


def _confirmed(asked: ParsedClause, product: Product, item: Evidence, rows: Sequence[Row]) -> list[Sentence]:
    """That a product comes in the values that a clause's question names; of one told beside it nobody asks."""
    said = _values_said(product, asked.question)
    values = dict.fromkeys(value for variant, *_ in rows for value in variant.attributes.values() if value in said)
    if not values:
        return []
    verdict = [remark(YesNo.YES)] if asked.yes_no else []
    text = _comes_in("comes_in", product, joined(list(values)))
    return [*verdict, cited(text, span(item, *rows[0][1:]), product_id=product.id)]


def _comes_in(said: str, product: Product, values: str) -> str:
    return reply(said, many=plural(product.name), product=capitalised(the(product.name)), values=values)


def _listing(asked: ParsedClause, product: Product, item: Evidence, attribute: str | None) -> list[Sentence]:
    """All values of the attribute asked for, or of each; and what is asked for and is none of them."""
    offered: dict[str, list[str]] = {}
    for name in [attribute] if attribute else _attributes(product):
        offered[name] = list(dict.fromkeys(v.attributes[name] for v in product.variants if v.attributes.get(name)))
    values = [value for listed in offered.values() for value in listed]
    if len(offered) > 1:
        choices = "; ".join(f"{lower_name(name)} {joined(listed, reply('or'))}" for name, listed in offered.items())
        text = _comes_in("comes_in_variants", product, choices)
    else:
        text = _comes_in("comes_in_only" if len(values) == 1 else "comes_in", product, joined(values))
    *_, last = lines(item.text)
    sentences = [cited(text, span(item, 0, last[1]), product_id=product.id)]
    what_it_is = frozenset(terms(product.category[-1])[-1:]) if product.category else frozenset[str]()
    other = asked.specific - covered_terms(attribute or "", "") - FRAME - what_it_is
    if asked.yes_no and other and other.isdisjoint(terms(" ".join(values))):
        named = " ".join(word for word in words(asked.text) if stem(word) in other)
        sentences.append(remark(reply("no_such_variant", named=capitalised(named))))
    return sentences
