"""The local responder: each part of a question answered by the best of what the evidence offers."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from itertools import chain, takewhile

from graph.answering.absence import (
    PARTIAL,
    asking,
    foreign,
    gap,
    is_unreached,
    missing_phrase,
    name_a_product,
    no_answer,
    only_this,
    unknown_product,
    which_product,
)
from graph.answering.candidate import Candidate, paragraph, remark
from graph.answering.choice import Ranker, best_candidate, parts_left_open, probability_of, role_tie, shipped_ranker
from graph.answering.comparison import compare, is_particular, rows_asked
from graph.answering.reach import delivered_elsewhere, is_beyond_reach
from graph.answering.slots import places_heeded, with_slot_question
from graph.catalog.units import synonyms_of, units
from graph.draft import Block, Draft, Part, Sentence
from graph.intents import EACH_PRODUCT, FOR_SHOP, OTHER_NAMES, first_kinds
from graph.language.english import is_foreign
from graph.language.injection import instructs
from graph.language.lexicon import DEFINITE
from graph.language.locale import reply, word_class
from graph.language.terms import words
from graph.parts import Models, Question, Statement
from graph.rewriting.flags import FlagReader, ReadsFlags
from graph.rewriting.references import refers_back
from graph.trained import EVEN
from graph.understanding.parsed_question import Form, ParsedClause, parts_of
from ingestion.encoder import shared_encoder
from ingestion.evidence import Evidence, Product, concerns
from ingestion.source_types import POLICIES

COMPARING = frozenset({"than", "as"})
"""Words behind which stands what something is compared with: a table answers that."""
_BESIDE = word_class("comparing")
"""Words that set products beside each other: "the difference between", "compare"."""
SHOP_KINDS = POLICIES | {"help_article", "manual"}
"""Kinds in which the shop speaks of more than one product."""


ROLE_QUESTION = reply("as_seller")
ROLE_OPTIONS = {reply("buyer"): "buyer", reply("seller"): "seller"}


class LocalResponder:
    """Composes answers from structured facts, prose, procedures and reviews; needs no LLM.

    Args:
        models: What is read with.
        flags: Tells what can be looked up from a wish for a person beside it; one of its own if None.
        ranker: Chooses among what may answer.
    """

    def __init__(self, models: Models, flags: ReadsFlags | None = None, ranker: Ranker = shipped_ranker) -> None:
        self._models = models
        self._best = partial(best_candidate, models=models, ranker=ranker)
        self._probability = partial(probability_of, models=models, ranker=ranker)
        self._flags = flags or FlagReader(shared_encoder()).read

    def draft(self, question: Question) -> Draft:
        """Answer every part of a question from its evidence; name the parts that nothing answers."""
        return without_evidence(question) or self._from_evidence(question)

    def probability(self, facts: Sequence[Sentence], question: Question) -> float:
        """How probable it is that what another writer states answers a question."""
        return self._probability(facts, _naming_products(question))

    def _from_evidence(self, question: Question) -> Draft:
        question = _naming_products(question)
        clauses = self._clauses(question)
        if len(question.products) > 1:
            return self._comparison(question, clauses)
        product = next(iter(question.products or _at_hand(question)), None)
        clauses = [asked for asked in clauses if not is_unreached(asked, product, question)]
        at_hand = product or next(iter(question.context), None)
        answered = [pair for asked in clauses for pair in self._answered(asked, product, at_hand, question)]
        found = [_for_part(candidate, asked, at_hand) for asked, candidate in answered if candidate is not None]
        if not found and product is None and question.context:
            return self._from_evidence(replace(question, products=question.context[:1]))
        if not found:
            return self._nothing(question, clauses, product)
        missing = [(asked, at_hand) for asked, candidate in answered if candidate is None]
        draft = _assembled(found, missing, question)
        tie = role_tie(question, found[0])
        return asking(draft, ROLE_QUESTION, ROLE_OPTIONS, "role") if tie else with_slot_question(draft, question)

    def _clauses(self, question: Question) -> Sequence[ParsedClause]:
        """The clauses of a question that can be looked up; a wish for a person beside them is not one."""
        parsed = question.parsed
        if parsed.parts and len(question.intents) > 1:
            return parsed.parts
        if len(parsed.clauses) == 1:
            return parsed.clauses
        return [asked for asked in parsed.clauses if self._flags(asked.question).searchable] or parsed.clauses

    def _answered(
        self,
        asked: ParsedClause,
        product: Product | None,
        at_hand: Product | None,
        question: Question,
    ) -> list[tuple[ParsedClause, Candidate | None]]:
        """Answer a clause; where nothing answers it whole, the things it asks for together ("weight and capacity")."""
        whole = self._best(asked, product, question)
        if product is None and at_hand and (whole is None or whole.source_type not in SHOP_KINDS):
            # Asked beside a policy of the shop, it is about the product at hand.
            whole = self._best(asked, at_hand, question) or whole
        parts = parts_of(asked, question.parsed.names)
        open_ = parts_left_open(asked, parts, whole, question)
        found = [(part, self._best(part, product, question)) for part in open_]
        if not any(candidate for _, candidate in found) and len(open_) == len(parts):
            return [(asked, whole)]
        # What one answer tells of several parts is told once, and a part that nothing tells is named.
        return found if len(open_) == len(parts) else [(asked, whole), *found]

    def _comparison(self, question: Question, clauses: Sequence[ParsedClause]) -> Draft:
        products = question.products
        whole = question.parsed.whole
        listed = [product.id for product in products]
        split = clauses if len(clauses) > 1 else parts_of(whole, question.parsed.names)
        parts = [part for part in split if part.specific and is_particular(part, products)]
        by_variant = whole.money and any(one.price is None and one.variants for one in products)
        opinions = question.intents[:1] == ("opinion",) and Form.OPINIONS in whole.forms
        if by_variant or opinions or EACH_PRODUCT.intersection(question.intents[:1]):
            return self._each(question, clauses)
        # Names that stand side by side are one "they" in a clause: it asks the same of both.
        apart = [asked.text for asked in clauses] == [whole.text.strip()]
        if apart and (told := self._told_of_both(whole, question)):
            return _assembled([_for_part(told, whole, None)], [], question).model_copy(update={"listed": listed})
        plain = (one for one in clauses if not (is_particular(one, products) or _BESIDE.isdisjoint(words(one.text))))
        # What is told beside a comparison does not confine it.
        tables = (compare(one, products, question.evidence, self._models.encoder, parts) for one in (whole, *plain))
        blocks, rows = next((table for table in tables if table[1]), ([], []))
        if not rows:
            return self._each(question, clauses)
        open_ = [part for part in parts if not rows_asked(part, products, question.evidence, self._models.encoder)]
        return Draft(
            outcome="clear",
            blocks=[*blocks, *(paragraph(remark(gap(part, None, question))) for part in open_)],
            confidence=0.8,
            attributes=rows,
            listed=listed,
            missing=[missing_phrase(part, question) or part.text for part in open_],
        )

    def _told_of_both(self, asked: ParsedClause, question: Question) -> Candidate | None:
        """What is said of one product with the other's name, where a question asks whether they go together."""
        compares = Form.CHOICE in asked.forms or not COMPARING.isdisjoint(words(asked.text))
        if not asked.yes_no or compares or not is_particular(asked, question.products):
            return None
        told = self._best(asked, None, question)
        if told is None or told.statement is None or told.score < EVEN:
            return None
        return told if _speaks_of_others(told.statement, question.products) else None

    def _each(self, question: Question, clauses: Sequence[ParsedClause]) -> Draft:
        """Answer for one product after the other, where no table can be drawn."""
        found: list[Candidate] = []
        missing: list[tuple[ParsedClause, Product | None]] = []
        for product in question.products:
            own = replace(question, evidence=_about(product, question.evidence))
            for asked in (asked for asked in clauses if not is_unreached(asked, product, question)):
                candidate = self._best(asked, product, own)
                if candidate is None:
                    missing.append((asked, product))
                elif not any(candidate.evidence_ids <= other.evidence_ids for other in found):
                    if candidate.finder == "opinions":
                        lead = paragraph(remark(f"{product.name}:"))
                        candidate = replace(candidate, blocks=(lead, *candidate.blocks))
                    found.append(_for_part(candidate, asked, product))
        if not found:
            return no_answer(missing, question)
        draft = _assembled(found, missing, question)
        listed = [product.id for product in question.products]
        return with_slot_question(draft.model_copy(update={"listed": listed}), question)

    def _nothing(self, question: Question, clauses: Sequence[ParsedClause], product: Product | None) -> Draft:
        if not clauses:
            return no_answer([], question)
        if is_foreign(question.query):
            return foreign()
        if product is None and question.catalog.unknown:
            return unknown_product(question.catalog)
        if product is None and question.sells_products and not _for_whole_shop(question):
            return name_a_product(question)
        draft = no_answer([(asked, product) for asked in clauses], question)
        if any(is_beyond_reach(asked, question) for asked in clauses):
            draft = delivered_elsewhere(question, self._models.finder)
        return draft.model_copy(update={"confidence": self._nearest(question)})

    def _nearest(self, question: Question) -> float:
        """How near the nearest of what was found comes to answering."""
        near = self._models.finder.nearest([question.standalone_query], [item for item, _ in question.evidence])[:1]
        return max(0.0, near[0].score) if near else 0.0


def without_evidence(question: Question) -> Draft | None:
    """What can be said before any evidence is read: an instruction is not followed, a name is asked for or not sold."""
    if instructs(question.query):
        return only_this(question)
    if question.products:
        return None
    if question.catalog.tied:
        return which_product(question.catalog.tied)
    if question.catalog.unknown and not OTHER_NAMES.intersection(question.intents[:1]):
        return unknown_product(question.catalog)
    if question.sells_products and not question.context and _speaks_of_it(question):
        return name_a_product(question)
    return None


def _naming_products(question: Question) -> Question:
    """The question, read with the names of its products and places."""
    names = [*(product.name for product in question.products), *places_heeded(question)]
    called = [kind for product in question.products for kind in _called(product, question.standalone_query)]
    parsed = question.parsed.naming([*names, *dict.fromkeys(called)])
    # What a product is may be all that is asked: "is it a tent?"
    asks_more = parsed.whole.specific or parsed.whole.money
    return replace(question, parsed=parsed if asks_more else question.parsed.naming(names))


def _called(product: Product, text: str) -> list[str]:
    """The words of a text for what a product is: "the 45 litre *rucksack*", "my *airfryer*", "the *folding phone*"."""
    *describing, noun = [unit.text for unit in units(product.category[-1])] if product.category else [""]
    nouns_of_it = {noun, "".join([*describing, noun]), *synonyms_of(noun)}
    named = {unit.text for alias in product.aliases for unit in units(alias)} - DEFINITE
    said = [(word, {unit.text for unit in units(word)}) for word in words(text)]
    nouns = [place for place, (_, cut) in enumerate(said) if cut & nouns_of_it]
    above = {unit.text for level in product.category[:-1] for unit in units(level)}
    kind = [word for word, cut in said if nouns and cut & {*describing, *above}]
    return [*(said[place][0] for place in nouns), *kind, *chain.from_iterable(_alias(said[:at], named) for at in nouns)]


def _alias(before: Sequence[tuple[str, set[str]]], named: AbstractSet[str]) -> list[str]:
    """The words that are another name with the noun behind them: "the *folding* phone", but not "a folding phone"."""
    told = [word for word, _ in takewhile(lambda one: one[1] & named, reversed(before))]
    pointed = len(told) < len(before) and before[-len(told) - 1][0] in DEFINITE
    return told if pointed else []


def _speaks_of_it(question: Question) -> bool:
    """Whether a question on a product says "it" or "they" for one that nobody has named."""
    return refers_back(question.standalone_query) and FOR_SHOP.isdisjoint(question.intents)


def _speaks_of_others(statement: Statement, products: Sequence[Product]) -> bool:
    """Whether a statement on one of the products has a word of another's name that is not of its own."""
    own = {word for one in products if one.id == statement.evidence.product_id for word in words(one.name)}
    others = {word for one in products if one.id != statement.evidence.product_id for word in words(one.name)}
    return bool(own and (others - own) & {*words(statement.text)})


def _at_hand(question: Question) -> tuple[Product, ...]:
    """The product the conversation is about, where a question that names none can hardly be about the shop itself."""
    return () if FOR_SHOP.intersection(question.intents[:1]) else question.context


def _about(product: Product, evidence: Sequence[tuple[Evidence, float]]) -> tuple[tuple[Evidence, float], ...]:
    """The evidence that holds for one of several products: its own, its group's and the whole shop's."""
    return tuple(
        (item, score)
        for item, score in evidence
        if item.product_id in (product.id, None)
        and (item.product_id or not (item.category or item.brand) or concerns(item, product))
    )


def _for_whole_shop(question: Question) -> bool:
    """Whether a question can be about the shop itself: its kind of rule exists without a product, or needs none."""
    kinds = {first_kinds(intent)[0] for intent in question.intents if intent in FOR_SHOP}
    return bool(OTHER_NAMES.intersection(question.intents)) or any(e.source_type in kinds for e, _ in question.evidence)


def _assembled(
    found: Sequence[Candidate], missing: Sequence[tuple[ParsedClause, Product | None]], question: Question
) -> Draft:
    blocks = _told_once(found)
    blocks += [paragraph(remark(gap(asked, product, question))) for asked, product in missing]
    return Draft(
        outcome="clear",
        blocks=blocks,
        confidence=min(candidate.score for candidate in found) * (PARTIAL if missing else 1.0),
        attributes=[name for candidate in found for name in candidate.attributes],
        missing=[missing_phrase(asked, question) or asked.text for asked, _ in missing],
    )


def _told_once(found: Sequence[Candidate]) -> list[Block]:
    """The blocks of all candidates, without what one of them said before."""
    blocks: list[Block] = []
    seen: set[str] = set()
    for candidate in found:
        for block in candidate.blocks:
            fresh = [sentence for sentence in block.sentences if not sentence.factual or sentence.text not in seen]
            seen.update(sentence.text for sentence in fresh)
            if any(sentence.factual for sentence in fresh) or len(fresh) == len(block.sentences):
                blocks.append(block.model_copy(update={"sentences": fresh}) if block.kind != "table" else block)
    return blocks


def _for_part(candidate: Candidate, asked: ParsedClause, product: Product | None) -> Candidate:
    """A candidate whose blocks say what they answer, so that it is named where none of them can be shown."""
    part = Part(text=asked.text, product_id=product.id if product else None)
    return replace(candidate, blocks=tuple(block.model_copy(update={"part": part}) for block in candidate.blocks))
