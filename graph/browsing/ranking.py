"""Ranking: which of several products has most or least of something, the others behind it, each cited."""

from collections.abc import Sequence
from dataclasses import replace

from num2words import num2words

from graph.answering.absence import NEXT_STEP
from graph.answering.candidate import paragraph, remark
from graph.answering.reviews import average_rating, voices
from graph.browsing.facts import (
    CARDS,
    MOST,
    SURE,
    Fact,
    attributes_asked,
    attributes_of,
    bullets,
    held_by,
    is_mentioned,
    own_evidence,
    showing,
)
from graph.browsing.request import FRAME, BrowsingRequest, Property, Scope, kind_of, ranked_scope
from graph.browsing.superlatives import Superlative, named_so, names_measure
from graph.catalog.units import singular, units
from graph.draft import Block, Draft, Segment, Sentence, YesNo
from graph.language.lexicon import AUXILIARIES, BE, DEFINITE, FUNCTION_WORDS, PRICE
from graph.language.locale import reply, word_class
from graph.language.quantities import Quantity, amount_of, comparable
from graph.language.sentences import ended, joined, the
from graph.language.terms import STOPWORDS, stems, words, words_of
from graph.language.units import TIMES
from graph.parts import Context
from graph.sensitive.claims import asked_in
from graph.turn import Derived
from ingestion.evidence import Evidence, Product
from ingestion.stems import stem

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
    known = scope.nouns.union(stems(" ".join((*superlative.said, superlative.verb))) if superlative else ())
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
        # That nothing is said of it is neither yes nor no.
        said = reply("says_of_none", count=len(scope.products), kind=scope.called)
        silent = showing([paragraph(remark(said), remark(NEXT_STEP))], [], SURE)
        return silent if asked and not _is_known(unknown, scope, parts) else None
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
        scope = replace(scope, products=priced, called=reply("at_that_price", kind=scope.called))
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


def _fitting(fitting: Sequence[_Row], rows: Sequence[_Row], scope: Scope) -> Draft:
    # Of compared figures, what stays farthest within the limit comes last: a shop's own order has no say in it.
    ordered = sorted(fitting, key=lambda row: next((f.figure for f in row[1] if f and f.figure is not None), 0.0))
    said = "all_fit" if len(rows) == len(ordered) > 1 else "of_several_fit" if len(rows) > 1 else "of_one_fits"
    fit, more = reply("fit", many=len(ordered) > 1), reply("for_example") if len(ordered) > CARDS else ""
    lead = reply(said, count=len(ordered), total=len(rows), kind=scope.called, fit=fit, more=more)
    silent = [product for product, held in rows if _is_open(held)]
    unsaid = [paragraph(remark(_unsaid(silent)))] if silent else []
    return _browsed(lead, ordered[:CARDS], unsaid)


def _is_open(held: Sequence[Fact | None]) -> bool:
    """Whether a product denies nothing of what is wanted and leaves some of it open."""
    told = [fact.meets if fact else None for fact in held]
    return None in told and False not in told


def _none(rows: Sequence[_Row], wanted: Sequence[Property], scope: Scope) -> Draft:
    """Say that none states it, and what comes nearest."""
    told = [row for row in rows if all(row[1])] or [row for row in rows if any(row[1])]
    near = _nearest([row for row in told if _is_open(row[1])] or told, wanted)
    compared = any(one.limits for one in wanted)
    said = "none_is_near" if compared else "none_states"
    lead = reply(said, many=len(rows) > 1, count=len(rows), kind=scope.called)
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
    others = reply("and_others", count=len(products) - CARDS) if len(products) > CARDS else ""
    return reply("same_unsaid", names=named, others=others)


def _browsed(lead: str, rows: Sequence[_Row], behind: Sequence[Block]) -> Draft:
    facts = [fact for _, held in rows for fact in held if fact]
    cards = Block(kind="bullets", sentences=[fact.sentence for fact in facts])
    blocks = [paragraph(remark(lead)), cards, *behind]
    return showing(blocks, [product for product, _ in rows], SURE)


_FEWEST = 2
"""Products that are ranked, and that state what they are ranked by."""
_TIMED = word_class("durations")
"""Last words of what is a length of time, whatever figures stand in it."""


def ranked(request: BrowsingRequest, parts: Context) -> Draft | None:
    """Rank the products that a superlative ranges over; None where there is none, or nothing to rank them by."""
    # What is said beside the question narrows it where a product has it, and else is only told.
    asked = (request, *(replace(request, query=clause) for clause in request.clauses))
    found = next(((*found, one) for one in asked if (found := _ranked(one, parts))), None)
    return _ranking(*found) if found else None


def with_superlative_named(request: BrowsingRequest, parts: Context) -> tuple[str, Product] | None:
    """A question on the product that a superlative picks, with that one's name: "how heavy is your cheapest tent".

    None where it asks for the superlative itself ("what is your cheapest tent"), or several products share its place.
    """
    superlative = request.superlative
    scope = kind_of(request, parts.knowledge.products) if superlative and not request.named else None
    if superlative is None or superlative.comparing or scope is None:
        return None
    kind = [place for place, word in enumerate(superlative.phrase, 1) if stem(word) in scope.nouns]
    if not kind:
        return None
    said = (*superlative.said, *superlative.phrase[: kind[-1]])
    # "Two-person" is two words.
    spoken, texts = zip(*((word, part) for word in words_of(request.query) for part in words(word.text)), strict=True)
    places = range(len(texts) - len(said) + 1)
    start = next((place for place in places if texts[place : place + len(said)] == said), None)
    if start is None:
        return None
    before = texts[: start - (not DEFINITE.isdisjoint(texts[max(0, start - 1) : start]))]
    # "Is the cheapest tent dry", "what does it weigh", not "which is the cheapest tent for rain", "cheapest with 4 GB".
    is_subject = bool(before) and (AUXILIARIES.issuperset(before) or before[-1] in AUXILIARIES - BE)
    beside = [*before, *(texts[start + len(said) :] if is_subject else [])]
    if not {stem(word) for word in beside if word not in STOPWORDS} - FRAME:
        return None
    first, last = spoken[len(before)], spoken[start + len(said) - 1]
    found = _ranked(replace(request, query=request.query[first.start : last.end]), parts)
    placed = _placed(*found[:2])[0] if found else []
    if len(placed) != 1:
        return None
    product = placed[0].product
    return f"{request.query[: first.start]}the {product.name}{request.query[last.end :]}", product


def _ranked(request: BrowsingRequest, parts: Context) -> tuple[list[Fact], Superlative, Scope] | None:
    superlative = request.superlative
    if superlative is None or not request.searchable or request.unknown:
        return None
    scope = ranked_scope(superlative, request, parts.knowledge.products)
    if scope is None or not _FEWEST <= len(scope.products) <= MOST:
        return None
    quality = () if superlative.rating else _quality(superlative, scope, request)
    scope = _narrowed(scope, superlative, quality, request, parts)
    facts = _rated(superlative, scope, parts) if superlative.rating else _measure(superlative, quality, scope, parts)
    return (facts, superlative, scope) if superlative.place <= len(facts) else None


def _placed(facts: Sequence[Fact], superlative: Superlative) -> tuple[list[Fact], list[Fact]]:
    """What has the place that is asked for, and the others."""
    figures = list(dict.fromkeys(fact.figure for fact in facts))
    wanted = figures[min(superlative.place, len(figures)) - 1]
    return [fact for fact in facts if fact.figure == wanted], [fact for fact in facts if fact.figure != wanted]


def _quality(superlative: Superlative, scope: Scope, request: BrowsingRequest) -> tuple[str, ...]:
    """The words that name what is measured: of the superlative's own phrase, behind "by", or the verb before it."""
    phrase = tuple(word for word in superlative.phrase if word not in FUNCTION_WORDS)
    if phrase and stem(phrase[-1]) not in scope.nouns:
        return phrase
    by = tuple(word for word in words(request.text.partition(" by ")[2]) if word not in STOPWORDS)
    if by and scope.nouns.isdisjoint(map(stem, by)):
        return by
    return (superlative.verb,) if superlative.verb and superlative.is_open else ()


def _narrowed(
    scope: Scope, superlative: Superlative, quality: Sequence[str], request: BrowsingRequest, parts: Context
) -> Scope:
    """The products that have all that is wanted beside their kind and the quality, at a price that is asked for."""
    beside = {singular(word) for word in (*request.which, *superlative.phrase)}
    # A name that is a word for a kind narrows it ("which dog food"); any other only says which one is asked about.
    others = (product.name for product in request.named if not {unit.text for unit in units(product.name)} <= beside)
    said = " ".join((*superlative.said, superlative.verb, *quality, *others))
    wanted = request.properties(scope.nouns | stems(said))
    kept = tuple(
        product
        for product in scope.products
        if request.affords(product)
        and all((fact := held_by(product, one, parts)) is not None and fact.meets for one in wanted)
    )
    narrower = len(kept) < len(scope.products) and bool(scope.called)
    return replace(scope, products=kept, called=reply("kind_that_fits") if narrower else scope.called)


def _measure(superlative: Superlative, quality: Sequence[str], scope: Scope, parts: Context) -> list[Fact]:
    """What at least two products state of the first measure that may be meant, best first; nothing for none.

    Args:
        superlative: What is wanted.
        quality: The words that name what is measured; empty where the adjective alone tells.
        scope: The products.
        parts: Where they state it.
    """
    own = {product.id: attributes_of(product, parts) for product in scope.products}
    timed = not _TIMED.isdisjoint(quality[-1:])
    names = list(dict.fromkeys(name for lines in own.values() for name in lines))
    for name in _ways(superlative, quality, scope, names):
        way = names_measure(superlative, name)
        direction = superlative.direction_for(way)
        stating = [lines[name] for lines in own.values() if name in lines]
        amounts = [amount for fact in stating if (amount := _amount(fact, direction, timed=timed)) is not None]
        figures = comparable(amounts)
        # What some of them state in another way, or unit, could be more, or less.
        if len(figures) == len(stating) >= _FEWEST:
            way_up = superlative.direction_for(way, timed=amounts[0].unit in TIMES)
            told = [replace(fact, figure=figure) for fact, figure in zip(stating, figures, strict=True)]
            return sorted(told, key=lambda fact: -way_up * (fact.figure or 0.0))
    return []


def _ways(superlative: Superlative, quality: Sequence[str], scope: Scope, names: Sequence[str]) -> list[str]:
    """The attributes of the products that may be meant, likeliest first, such as the packed size for "packed"."""
    ways = [way for way, _ in superlative.graded.names] if superlative.graded else []
    if quality:
        asked, found = stems(" ".join(quality)), attributes_asked(quality, names)
        # What is called just so comes before what the adjective means by itself.
        return sorted(found, key=lambda name: (stems(name) != asked, not any(named_so(way, [name]) for way in ways)))
    hints = frozenset(map(stem, superlative.phrase)) - scope.nouns
    hinted = [name for way in ways for name in names if hints & stems(name) and stems(way) <= stems(name)]
    return [*hinted, *(name for way in ways for name in named_so(way, names))]


def _amount(fact: Fact, direction: int, *, timed: bool) -> Quantity | None:
    price = fact.product.price
    if fact.name.casefold() == PRICE and price:
        return Quantity(f"{price.amount}", price.currency)
    amount = amount_of(fact.value, direction)
    timed = timed or not _TIMED.isdisjoint(words(fact.name)[-1:])
    return amount if amount and (amount.unit in TIMES or not timed) else None


def _ranking(facts: Sequence[Fact], superlative: Superlative, scope: Scope, request: BrowsingRequest) -> Draft:
    """What has the place that is asked for, the others behind it; yes or no before it where it is asked about one."""
    about = request.named[0] if len(request.named) == 1 and request.named[0] in scope.products else None
    whether = about is not None and next(iter(words(request.text)), "") in AUXILIARIES
    first, rest = _placed(facts, superlative)
    if len(first) > 1:
        blocks = [paragraph(remark(reply("level"))), bullets(fact.card for fact in first)]
    else:
        verdict = [remark(YesNo.of(first[0].product == about))] if whether else []
        blocks = [paragraph(*verdict, _winner(first[0], facts, superlative, scope))]
    behind = rest[: max(0, CARDS - len(first))]
    if behind:
        lead = reply("behind" if superlative.place == 1 and len(first) == 1 else "others")
        blocks += [paragraph(remark(lead)), bullets(fact.card for fact in behind)]
    draft = showing(blocks, [fact.product for fact in (*first, *rest)][:CARDS], SURE)
    outcome = "clear" if not scope.called or (whether and len(first) == 1) else draft.outcome
    told = {"outcome": outcome, "focus": draft.listed[:1], "attributes": [facts[0].attribute]}
    return draft.model_copy(update=told)


def _winner(fact: Fact, facts: Sequence[Fact], superlative: Superlative, scope: Scope) -> Sentence:
    """What one states, and where that stands among those that were counted; of an average, how it is computed."""
    if fact.where.derived:
        return fact.sentence
    ids = [other.where.evidence_id for other in facts]
    where = fact.where.model_copy(update={"derived": Derived(op="count", of=ids, value=len(ids))})
    told = "" if len(ids) == len(scope.products) else reply("that_state", attribute=fact.attribute)
    those = " ".join(filter(None, (str(len(ids)), scope.called, told)))
    place = f"{num2words(superlative.place, to='ordinal')} " if superlative.place > 1 else ""
    rank = reply("rank", place=place, superlative=superlative.shown, those=those)
    said = Segment(text=fact.said.removesuffix("."), spans=[where])
    return Sentence(segments=[said, Segment(text=rank)], product_id=fact.product.id)


def _rated(superlative: Superlative, scope: Scope, parts: Context) -> list[Fact]:
    """The average that customers gave each product, the best first, of equal ones those with more ratings."""
    found: list[tuple[int, Fact]] = []
    for product in scope.products:
        reviews = [one for one in own_evidence(product, frozenset({"review"}), parts) if one.rating is not None]
        if (fact := _average(product, reviews)) is not None:
            found.append((len(voices(reviews)), fact))
    ordered = sorted(found, key=lambda one: (-superlative.direction * (one[1].figure or 0.0), -one[0]))
    return [fact for _, fact in ordered] if len(ordered) >= _FEWEST else []


def _average(product: Product, reviews: Sequence[Evidence]) -> Fact | None:
    """The average of a product's ratings, rounded as it is shown; None where nobody gave any."""
    sentence = average_rating(reviews, product)
    if sentence is None:
        return None
    where = sentence.spans[0]
    assert where.derived is not None, "an average is computed"
    mean = float(where.derived.value)
    counted = reply("reviews", many=len(reviews) != 1, count=len(reviews))
    value = reply("average_short", mean=mean, reviews=counted)
    told = reply("reviews", many=len(where.derived.of) != 1, count=len(where.derived.of))
    said = ended(reply("average_of", reviews=told, product=the(product.name), mean=mean))
    return Fact(product, "rating", value, where, said, mean)
