"""Ranking: which of several products has most or least of something, the others behind it, each cited."""

from collections.abc import Sequence
from dataclasses import replace

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
    own_evidence,
    showing,
)
from graph.browsing.kinds import Scope, ranked_scope
from graph.browsing.request import BrowsingRequest
from graph.browsing.superlatives import Superlative, named_so, names_measure, stems_of
from graph.catalog.units import singular, units
from graph.draft import Draft, Segment, Sentence, YesNo
from graph.language.lexicon import AUXILIARIES, FUNCTION_WORDS, PRICE
from graph.language.quantities import Quantity, amount_of, comparable
from graph.language.sentences import the
from graph.language.terms import STOPWORDS, words
from graph.language.units import TIMES
from graph.parts import Context
from graph.turn import Derived
from ingestion.evidence import Evidence, Product
from ingestion.stems import stem

_FEWEST = 2
"""Products that are ranked, and that state what they are ranked by."""
_TIMED = frozenset("time life duration period".split())
"""Last words of what is a length of time, whatever figures stand in it."""
_ORDINALS = ("", "second ", "third ", "fourth ", "fifth ")
_LEVEL, _BEHIND, _OTHERS = "These come out level:", "Behind it:", "The others:"


def ranked(request: BrowsingRequest, parts: Context) -> Draft | None:
    """Rank the products that a superlative ranges over; None where there is none, or nothing to rank them by."""
    superlative = request.superlative
    if superlative is None or not request.searchable or request.unknown:
        return None
    scope = ranked_scope(superlative, request, parts.knowledge.products)
    if scope is None or not _FEWEST <= len(scope.products) <= MOST:
        return None
    quality = () if superlative.rating else _quality(superlative, scope, request)
    scope = _narrowed(scope, superlative, quality, request, parts)
    facts = _rated(superlative, scope, parts) if superlative.rating else _measure(superlative, quality, scope, parts)
    return _ranking(facts, superlative, scope, request) if superlative.place <= len(facts) else None


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
    wanted = request.properties(scope.nouns | stems_of(said))
    kept = tuple(
        product
        for product in scope.products
        if request.affords(product)
        and all((fact := held_by(product, one, parts)) is not None and fact.meets for one in wanted)
    )
    narrower = len(kept) < len(scope.products) and bool(scope.called)
    return replace(scope, products=kept, called="products that fit" if narrower else scope.called)


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
        amounts = [_amount(fact, direction, timed=timed) for fact in stating]
        told = [amount for amount in amounts if amount is not None]
        # What some of them state in another way could be more, or less.
        if len(told) == len(amounts) >= _FEWEST:
            way_up = superlative.direction_for(way, timed=told[0].unit in TIMES)
            if ordered := _ordered(stating, told, way_up):
                return ordered
    return []


def _ways(superlative: Superlative, quality: Sequence[str], scope: Scope, names: Sequence[str]) -> list[str]:
    """The attributes of the products that may be meant, likeliest first, such as the packed size for "packed"."""
    ways = [way for way, _ in superlative.graded.names] if superlative.graded else []
    if quality:
        asked, found = stems_of(" ".join(quality)), attributes_asked(quality, names)
        # What is called just so comes before what the adjective means by itself.
        return sorted(found, key=lambda name: (stems_of(name) != asked, not any(named_so(way, [name]) for way in ways)))
    hints = frozenset(map(stem, superlative.phrase)) - scope.nouns
    hinted = [name for way in ways for name in names if hints & stems_of(name) and stems_of(way) <= stems_of(name)]
    return [*hinted, *(name for way in ways for name in named_so(way, names))]


def _amount(fact: Fact, direction: int, *, timed: bool) -> Quantity | None:
    price = fact.product.price
    if fact.name.casefold() == PRICE and price:
        return Quantity(f"{price.amount}", price.currency)
    amount = amount_of(fact.value, direction)
    timed = timed or not _TIMED.isdisjoint(words(fact.name)[-1:])
    return amount if amount and (amount.unit in TIMES or not timed) else None


def _ordered(facts: Sequence[Fact], amounts: Sequence[Quantity], direction: int) -> list[Fact]:
    """Facts told in one unit, the best first; nothing where that cannot be done for each."""
    figures = comparable(amounts)
    if len(facts) < _FEWEST or len(figures) < len(facts):
        return []
    told = (replace(fact, figure=figure) for fact, figure in zip(facts, figures, strict=True))
    return sorted(told, key=lambda fact: -direction * (fact.figure or 0.0))


def _ranking(facts: Sequence[Fact], superlative: Superlative, scope: Scope, request: BrowsingRequest) -> Draft:
    """What has the place that is asked for, the others behind it; yes or no before it where it is asked about one."""
    about = request.named[0] if len(request.named) == 1 and request.named[0] in scope.products else None
    whether = about is not None and next(iter(words(request.text)), "") in AUXILIARIES
    figures = list(dict.fromkeys(fact.figure for fact in facts))
    wanted = figures[min(superlative.place, len(figures)) - 1]
    first = [fact for fact in facts if fact.figure == wanted]
    rest = [fact for fact in facts if fact.figure != wanted]
    if len(first) > 1:
        blocks = [paragraph(remark(_LEVEL)), bullets(fact.card for fact in first)]
    else:
        verdict = [remark(YesNo.of(first[0].product == about))] if whether else []
        blocks = [paragraph(*verdict, _winner(first[0], facts, superlative, scope))]
    behind = rest[: max(0, CARDS - len(first))]
    if behind:
        lead = _BEHIND if superlative.place == 1 and len(first) == 1 else _OTHERS
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
    told = "" if len(ids) == len(scope.products) else f"that state their {fact.attribute}"
    those = " ".join(filter(None, (str(len(ids)), scope.called, told)))
    rank = f", the {_ORDINALS[superlative.place - 1]}{superlative.shown} of the {those}."
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
    value = f"{mean:g} of 5 from {len(reviews)} review{'' if len(reviews) == 1 else 's'}"
    said = sentence.text.replace("the average is", f"the average of {the(product.name)} is")
    return Fact(product, "rating", value, where, said, mean)
