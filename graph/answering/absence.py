"""What to say when the shop does not say: the gap by its name, the nearest thing known, and a next step."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from graph.answering.candidate import cited, paragraph, remark, span
from graph.answering.facts import price_of
from graph.answering.matching import attribute_lines, statements
from graph.answering.prose import sentence_of
from graph.draft import Draft, PendingKind, Sentence
from graph.intents import first_kinds
from graph.language.english import noun_phrases
from graph.language.lexicon import positive
from graph.language.locale import reply
from graph.language.sentences import capitalised, joined, lower_name, plural, the
from graph.language.terms import terms, words
from graph.language.units import unit_of
from graph.parts import Question
from graph.state import CatalogResult
from graph.turn import BackendCall, Clarification, ProductMatch, Suggestion
from graph.understanding.parsed_question import ParsedClause
from ingestion.compose import HEADS
from ingestion.evidence import Evidence, Product
from ingestion.source_types import POLICIES, SOURCE_TABLE
from ingestion.spans import sentence_spans
from ingestion.stems import stem

NEXT_STEP = reply("next_step")
ASK_TEAM = reply("ask_team")
"""The reply that accepts the next step."""
OPTIONS = 6
ONLY_THIS = reply("only_this")
PARTIAL = 0.8
"""How sure an answer stays that leaves a part of the question open."""
ENDS = " ?!."
LONGEST_NAME, LONGEST_QUOTE = 4, 12
"""Words of a topic that is named, and of a clause that is quoted."""
_CODE = re.compile(r"[<>{}|\\`]|;[^;\n]*=|--\s*$")
"""Marks of code: nothing of such a message is repeated."""


def gap(asked: ParsedClause, product: Product | None, question: Question) -> str:
    """Name what is missing by its topic, or the part of the question that is left open; nothing is turned round."""
    about = _about(product)
    if _CODE.search(question.query):
        return reply("gap_unnamed", about=about)
    if phrase := missing_phrase(asked, question):
        told = reply("mention", phrase=phrase)
    else:
        part = asked.text.strip(ENDS) != question.query.strip(ENDS) and quotable(asked.text, question)
        told = reply("answer_quoted", text=asked.text) if part else reply("answer_that")
    return reply("gap", about=about, told=told)


def unsettled(text: str, product: Product | None, question: Question) -> str:
    """Say of a clause that asks for a sensitive claim that primary sources do not settle it: neither yes nor no."""
    told = reply("quoted", text=text.strip()) if quotable(text, question) else reply("that")
    return reply("unsettled", about=_about(product), told=told)


def quotable(text: str, question: Question) -> bool:
    """Whether a text is so short, and so much what the customer typed, that it can be quoted back."""
    return 0 < len(text.split()) <= LONGEST_QUOTE and text in question.query and _one_sentence(text)


def _one_sentence(text: str) -> bool:
    """Whether nothing stands before or behind a question: no statement, no demand, no code."""
    return not _CODE.search(text) and len(sentence_spans(text)) == 1


def _about(product: Product | None) -> str:
    return reply("about_product", product=the(product.name)) if product else ""


def missing_phrase(asked: ParsedClause, question: Question) -> str:
    """What a clause names that no evidence holds, as a noun phrase of its own; empty where there is none.

    What is sold by itself says nothing of what comes with the product.
    """
    apart = {product.id for product in question.related}
    about = [item for item, _ in question.evidence if item.product_id not in apart]
    held = {term for item in about for term in terms(f"{item.title} {item.section or ''} {item.text}")}
    cues = {cue for intent in question.intents for kind in first_kinds(intent) for cue in SOURCE_TABLE[kind].stems}
    wanted = asked.specific - held - cues
    ours = {stem(word) for name in question.parsed.names for word in words(name)}
    if not _one_sentence(asked.text):
        return ""
    for phrase in noun_phrases(asked.text):
        named = _from_first(phrase, asked.terms)
        if stem(named.rpartition(" ")[2].casefold()) in ours or unit_of(named):
            continue  # "the little Cinder stove" is what was named; "nearly a meter" tells how much
        if len(named.split()) <= LONGEST_NAME and {stem(positive(word)) for word in words(named)} & wanted:
            return _inside(named, at_start=asked.text.startswith(named))
    return ""


def _from_first(phrase: str, telling: frozenset[str]) -> str:
    """A phrase without the words at its beginning that only count or point: `many windows`."""
    parts = phrase.split()
    while parts and not {stem(positive(word)) for word in words(parts[0])} & telling:
        parts.pop(0)
    return " ".join(parts)


def _inside(phrase: str, *, at_start: bool) -> str:
    """A phrase inside a sentence, without the capital it has from the question's beginning."""
    return phrase[:1].lower() + phrase[1:] if at_start and re.match(r"[A-Z][a-z]", phrase) else phrase


def no_answer(missing: Sequence[tuple[ParsedClause, Product | None]], question: Question) -> Draft:
    """State nothing about what was asked; name the gap, and what the shop does know."""
    sentences = [remark(gap(asked, product, question)) for asked, product in missing[:2]]
    near = [said for asked, _ in missing[:1] for said in related_products(asked, question)] or nearest_known(question)
    return Draft(
        outcome="no_answer",
        blocks=[paragraph(*sentences, *near, remark(NEXT_STEP))],
        confidence=0.3,
        missing=[missing_phrase(asked, question) or asked.text for asked, _ in missing],
        followups=[ASK_TEAM],
        suggestions=[Suggestion(product_id=product.id, name=product.name) for product in question.related],
    )


def related_products(asked: ParsedClause, question: Question) -> list[Sentence]:
    """An accessory or sibling of the product that the question names, sold by itself."""
    return [
        cited(reply("sold_separately", product=the(one.name), price=one.price), *price.spans, product_id=one.id)
        for one in question.related
        if asked.terms & set(terms(one.name))
        for price in price_of(one, question.evidence)
    ]


def nearest_known(question: Question) -> list[Sentence]:
    """What the best evidence does say, so that the refusal is no dead end."""
    wanted = [kind for intent in question.intents[:1] for kind in first_kinds(intent)[:1]]
    known = {product.id: product for product in (*question.products, *question.context)}
    for item, _ in question.evidence:
        # A rule of another product answers nothing here.
        if item.source_type in POLICIES and item.source_type in wanted and item.product_id in {None, *known}:
            start, end = statements(item)[0]
            label = SOURCE_TABLE[item.source_type].label
            lead = reply("rules_say", many=plural(label), label=capitalised(label))
            return [remark(lead), sentence_of(item, start, end)]
    for product in (question.products or question.context)[:1]:
        for item, _ in question.evidence:
            if item.source_type == "spec" and item.product_id == product.id:
                return _covers(item, product)
    return []


def _covers(item: Evidence, product: Product) -> list[Sentence]:
    rows = [row for row in attribute_lines(item) if row[0] not in HEADS][:3]
    if not rows:
        return []
    listed = [lower_name(name) for name, *_ in rows]
    text = reply("spec_covers", product=the(product.name), attributes=joined(listed))
    return [cited(text, *(span(item, start, end) for _, _, start, end in rows), product_id=product.id)]


def unknown_product(catalog: CatalogResult) -> Draft:
    """Say that the shop does not sell it, and what comes nearest by name."""
    sentences = [remark(reply("has_no", name=catalog.unknown[0]))]
    nearest = catalog.nearest[:3]
    if nearest:
        names = joined([the(match.name) for match in nearest])
        sentences.append(remark(reply("nearest_name", many=len(nearest) > 1, names=names)))
    return Draft(
        outcome="no_answer",
        blocks=[paragraph(*sentences)],
        confidence=0.6,
        suggestions=[Suggestion(product_id=match.id, name=match.name) for match in nearest],
        missing=[catalog.unknown[0]],
    )


def foreign() -> Draft:
    """Say that the question was not understood for its language."""
    return Draft(
        outcome="no_answer", blocks=[paragraph(remark(reply("foreign")))], confidence=0.3, missing=["language"]
    )


def only_this(question: Question) -> Draft:
    """Answer an instruction with what the shop does say, and with nothing of what was demanded."""
    prices = [sentence for product in question.products for sentence in price_of(product, question.evidence)]
    return Draft(
        outcome="clear" if prices else "no_answer",
        blocks=[paragraph(remark(ONLY_THIS + (":" if prices else ".")), *prices)],
        confidence=0.8,
    )


def asking(draft: Draft, asked: str, options: Mapping[str, str], kind: PendingKind) -> Draft:
    """A draft that ends in one short question with options, each with what it means."""
    return draft.model_copy(
        update={
            "outcome": "ambiguous",
            "blocks": [*draft.blocks, paragraph(remark(asked))],
            "clarification": Clarification(question=asked, options=list(options)),
            "options": dict(options),
            "pending_kind": kind,
        }
    )


def which_product(candidates: Sequence[ProductMatch]) -> Draft:
    """Ask which of several products is meant; options are their names."""
    shown = candidates[:OPTIONS]
    names = Counter(match.name for match in shown)
    # Products of the same name are told apart by their ids.
    labels = {match.name if names[match.name] == 1 else f"{match.name} ({match.id})": match.id for match in shown}
    question = reply("did_you_mean", names=joined([the(label) for label in labels], reply("or")))
    draft = Draft(outcome="ambiguous", blocks=[], confidence=0.5, listed=[match.id for match in shown])
    return asking(draft, question, labels, "product")


def name_a_product(question: Question) -> Draft:
    """Ask for the product when the question needs one and the thread knows none."""
    options = {match.name: match.id for match in question.catalog.nearest[:OPTIONS]}
    asked = reply("name_a_product")
    return asking(Draft(outcome="ambiguous", blocks=[], confidence=0.4), asked, options, "product")


UNSAID = frozenset({"stock", "offer", "delivery"})
"""Kinds of which it is worded what cannot be said without their backend."""


def is_unreached(asked: ParsedClause, product: Product | None, question: Question) -> bool:
    """Whether a clause asks for what a backend owns that gave no answer about this product."""
    calls = [call for call in question.unreached if product is None or call.product_id in (None, product.id)]
    return any(_owns(call, asked, question) for call in calls)


def with_unreached(draft: Draft, question: Question) -> Draft:
    """Say which backends could not be reached, where the question asked for what they own."""
    calls = [call for call in question.unreached if _owns(call, question.parsed.whole, question)]
    if not calls:
        return draft
    sentences = [remark(text) for text in dict.fromkeys(_sentence(call, question) for call in calls)]
    missing = [*draft.missing, *dict.fromkeys(call.name for call in calls)]
    if draft.outcome == "no_answer":
        first, *rest = draft.blocks or [paragraph()]
        told = first.model_copy(update={"sentences": [*sentences, *first.sentences]})
        return draft.model_copy(update={"blocks": [told, *rest], "missing": missing})
    changes = {"blocks": [*draft.blocks, paragraph(*sentences)], "confidence": draft.confidence * PARTIAL}
    return draft.model_copy(update={**changes, "missing": missing})


def _owns(call: BackendCall, asked: ParsedClause, question: Question) -> bool:
    """Whether a clause is a backend's: where that is the main matter by any word of its kind, else by its own alone."""
    kind = SOURCE_TABLE[call.source_type]
    if question.intents[:1] and question.intents[0] in call.intents:
        return asked.text.strip() == question.standalone_query.strip() or bool(asked.terms & kind.stems)
    return bool(asked.terms & kind.core)


def _sentence(call: BackendCall, question: Question) -> str:
    names = {product.id: product.name for product in (*question.products, *question.context)}
    name = names.get(call.product_id or "", "")
    label, known = SOURCE_TABLE[call.source_type].label, call.source_type in UNSAID
    key = f"unsaid_{call.source_type if known else 'other'}{'' if name else '_of_shop'}"
    unsaid = reply(key, many=plural(name if known else label), it=the(name), label=label)
    return reply("unreached", backend=call.name, unsaid=unsaid)
