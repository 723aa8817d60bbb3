"""The answer to a superlative: what has most or least first, then those behind it, each cited."""

from collections.abc import Sequence

from graph.answering.candidate import cited, paragraph, remark, span
from graph.browsing.browsed import Browsed
from graph.browsing.ranking.measures import Measure, Rated, Stated, measure_of, rated
from graph.browsing.ranking.scope import Scope, Superlative, described, measured_by, read_superlative, scope_of
from graph.catalog.units import singular
from graph.draft import Block, Claim, Draft, Sentence, YesNo
from graph.language.lexicon import AUXILIARIES, FUNCTION_WORDS
from graph.language.sentences import the
from graph.language.terms import words
from graph.parts import Context
from graph.state import TurnState
from graph.turn import Derived, Suggestion
from ingestion.evidence import Product
from ingestion.stems import stem

_CARDS = 5
_FEWEST, _MOST = 2, 500
"""Products that are ranked: of more, what each states would have to be read for one answer."""
_SURE = 0.85
_LEVEL, _BEHIND, _OTHERS = "These come out level:", "Behind it:", "The others:"


def ranked(state: TurnState, parts: Context) -> Browsed | None:
    """Rank the products that a superlative ranges over; None where there is none, or nothing to rank them by."""
    query = state["standalone_query"]
    superlative = read_superlative(query) if state["searchable"] and not state["catalog"].unknown else None
    scope = scope_of(superlative, state, parts) if superlative else None
    if superlative is None or scope is None or not _FEWEST <= len(scope.products) <= _MOST:
        return None
    quality = () if superlative.rating else _quality(superlative, scope, query)
    scope = described(scope, superlative, frozenset(map(stem, quality)), state, parts)
    if superlative.rating:
        return _by_rating(rated(scope, superlative.direction, parts), superlative, scope)
    measure = measure_of(superlative, quality, scope, parts)
    if measure is None or superlative.place > len(measure.stated):
        return None
    found = _by_measure(measure, superlative, scope)
    return _verdict(found, measure, superlative, state) if _asks_whether(state, scope) else found


def _asks_whether(state: TurnState, scope: Scope) -> bool:
    """Whether one of the products is named, and the question is whether it is the one ("is it your lightest tent?")."""
    opening = next(iter(words(state["standalone_query"])), "")
    asked = [match.id for match in state["catalog"].matches]
    return opening in AUXILIARIES and len(asked) == 1 and asked[0] in {product.id for product in scope.products}


def _verdict(found: Browsed, measure: Measure, superlative: Superlative, state: TurnState) -> Browsed:
    """Yes or no before the ranking, where one product alone has the place that is asked for."""
    first, _ = _first(measure.stated, superlative.place)
    asked = state["catalog"].matches[0].id
    if len(first) > 1:
        return found
    told = remark(YesNo.of(first[0].product.id == asked))
    opening = found.draft.blocks[0]
    blocks = [opening.model_copy(update={"sentences": [told, *opening.sentences]}), *found.draft.blocks[1:]]
    return Browsed(found.draft.model_copy(update={"outcome": "clear", "blocks": blocks}), found.evidence)


def _quality(superlative: Superlative, scope: Scope, query: str) -> tuple[str, ...]:
    """The words that name what is measured: of the superlative's own phrase, after "by", or the verb before it."""
    by = measured_by(query)
    phrase = tuple(word for word in superlative.phrase if word not in FUNCTION_WORDS)
    if phrase and stem(phrase[-1]) not in scope.nouns:
        return phrase
    if by and not scope.nouns.intersection(map(stem, by)):
        return by
    takes_verb = superlative.graded is None or superlative.graded.open
    return (superlative.verb,) if superlative.verb and takes_verb else ()


def _by_measure(measure: Measure, superlative: Superlative, scope: Scope) -> Browsed:
    first, rest = _first(measure.stated, superlative.place)
    if _asks_several(superlative, scope):
        blocks = [paragraph(remark(f"The {superlative.shown} first:")), _cards(measure.stated[:_CARDS])]
    elif len(first) > 1:
        blocks = [paragraph(remark(_LEVEL)), _cards(first[:_CARDS])]
    else:
        blocks = [paragraph(_sentence(first[0], measure, superlative, scope))]
    left = _CARDS - min(_CARDS, len(first))
    if rest[:left] and not _asks_several(superlative, scope):
        lead = _BEHIND if superlative.place == 1 and len(first) == 1 else _OTHERS
        blocks += [paragraph(remark(lead)), _cards(rest[:left])]
    evidence = {one.evidence.evidence_id: one.evidence for one in measure.stated}
    shown = measure.stated if _asks_several(superlative, scope) else (*first, *rest)
    return Browsed(_draft(blocks, [one.product for one in shown[:_CARDS]], scope, measure.name), evidence)


def _asks_several(superlative: Superlative, scope: Scope) -> bool:
    """Whether "the cheapest tents" are asked for, not one of them."""
    head = superlative.phrase[-1] if superlative.phrase else ""
    return stem(head) in scope.nouns and singular(head) != head and not scope.named


def _sentence(one: Stated, measure: Measure, superlative: Superlative, scope: Scope) -> Sentence:
    """What one states, and where that stands among those that were counted."""
    ids = [other.evidence.evidence_id for other in measure.stated]
    count = Derived(op="count", of=ids, value=len(ids))
    where = span(one.evidence, one.start, one.end).model_copy(update={"derived": count})
    rank = f", the {_place(superlative)} of the {_those(len(ids), measure, scope)}."
    return Sentence(claims=[Claim(text=one.said, spans=[where]), Claim(text=rank)], product_id=one.product.id)


def _cards(stated: Sequence[Stated]) -> Block:
    return Block(kind="bullets", sentences=[_card(one) for one in stated])


def _first(stated: Sequence[Stated], place: int) -> tuple[list[Stated], list[Stated]]:
    """What stands at a place, all that are level there, and the others in their order."""
    figures = list(dict.fromkeys(one.figure for one in stated))
    wanted = figures[place - 1] if place <= len(figures) else figures[-1]
    return [one for one in stated if one.figure == wanted], [one for one in stated if one.figure != wanted]


def _place(superlative: Superlative) -> str:
    ordinals = ("", "second ", "third ", "fourth ", "fifth ")
    return f"{ordinals[superlative.place - 1]}{superlative.shown}"


def _those(count: int, measure: Measure, scope: Scope) -> str:
    """Those that were compared: all, or those that state it."""
    told = "" if count == len(scope.products) else f"that state their {measure.name}"
    return " ".join(filter(None, (str(count), scope.called, told)))


def _card(one: Stated) -> Sentence:
    return cited(f"{one.product.name}, {one.value}", span(one.evidence, one.start, one.end), product_id=one.product.id)


def _by_rating(found: Sequence[Rated], superlative: Superlative, scope: Scope) -> Browsed | None:
    if superlative.place > len(found):
        return None
    shown = list(found[superlative.place - 1 :])[:_CARDS]
    level = [one for one in shown if round(one[2], 1) == round(shown[0][2], 1)]
    lead = "Highest average rating first:" if superlative.direction > 0 else "Lowest average rating first:"
    cards = [_rated_card(one) for one in shown]
    blocks = [paragraph(remark(lead)), Block(kind="bullets", sentences=cards)]
    if len(level) == 1 and superlative.place == 1:
        blocks = [paragraph(_winner(shown[0])), paragraph(remark(_BEHIND)), Block(kind="bullets", sentences=cards[1:])]
    evidence = {item.evidence_id: item for _, _, _, reviews in shown for item in reviews}
    return Browsed(_draft(blocks, [product for product, *_ in shown], scope, "rating"), evidence)


def _winner(best: Rated) -> Sentence:
    """The average of the best in a sentence of its own."""
    product, sentence, *_ = best
    told, *end = sentence.claims
    text = told.text.replace("the average is", f"the average of {the(product.name)} is")
    return sentence.model_copy(update={"claims": [told.model_copy(update={"text": text}), *end]})


def _rated_card(one: Rated) -> Sentence:
    product, sentence, mean, reviews = one
    many = f"{len(reviews)} review{'' if len(reviews) == 1 else 's'}"
    claim = sentence.claims[0].model_copy(update={"text": f"{product.name}, {round(mean, 1):g} of 5 from {many}"})
    return sentence.model_copy(update={"claims": [claim]})


def _draft(blocks: Sequence[Block], products: Sequence[Product], scope: Scope, attribute: str) -> Draft:
    return Draft(
        outcome="clear" if scope.named else "non_decision",
        blocks=list(blocks),
        confidence=_SURE,
        suggestions=[Suggestion(product_id=product.id, name=product.name) for product in products],
        listed=[product.id for product in products],
        focus=[] if scope.named else [product.id for product in products[:1]],
        attributes=[attribute],
    )
