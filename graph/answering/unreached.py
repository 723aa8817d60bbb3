"""When a live backend gives no answer: nothing else answers for it, and users are told what is missing."""

from collections.abc import Sequence

from graph.answering.candidate import paragraph, remark
from graph.answering.parsed_clause import ParsedClause, analyse
from graph.draft import Draft
from graph.language.sentences import plural, the
from graph.options.intents import first_kinds
from graph.parts import Question
from graph.turn import BackendCall
from ingestion.evidence import Product
from ingestion.source_types import SOURCE_TABLE

UNSAID = {
    "stock": ("whether {it} {are} in stock", "what is in stock"),
    "offer": ("which offers there are on {it}", "which offers there are"),
    "delivery": ("when {it} would arrive", "when an order would arrive"),
}
"""What cannot be said without a backend of a kind: of a product, and of the whole shop."""
PARTIAL = 0.8
"""Share of its confidence that an answer keeps to which a part is missing."""


def is_unreached(asked: ParsedClause, product: Product | None, question: Question) -> bool:
    """Whether a clause asks for what a backend owns that gave no answer about this product."""
    return any(_owns(call, asked, question) for call in _about(product, question))


def with_unreached(draft: Draft, question: Question) -> Draft:
    """Say which backends could not be reached, where the question asked for what they own."""
    whole = analyse(question.standalone_query, tuple(product.name for product in question.products))
    calls = [call for call in question.unreached if _is_wanted(call, whole, question)]
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


def _about(product: Product | None, question: Question) -> Sequence[BackendCall]:
    return [call for call in question.unreached if product is None or call.product_id in (None, product.id)]


def _owns(call: BackendCall, asked: ParsedClause, question: Question) -> bool:
    """Whether a clause is a backend's: where that is the main matter by any word of its kind, else by its own alone."""
    kind = SOURCE_TABLE[call.source_type]
    if set(question.intents[:1]) & set(call.intents):
        return not asked.terms or bool(asked.terms & kind.stems) or _is_lone(asked, question)
    rest = [intent for intent in question.intents if intent not in call.intents]
    others = {first for intent in rest for first in first_kinds(intent)[:1]}
    shared = {cue for other in others for cue in SOURCE_TABLE[other].stems}
    return bool(asked.terms & (kind.core - shared))


def _is_lone(asked: ParsedClause, question: Question) -> bool:
    return asked.text.strip() == question.standalone_query.strip()


def _is_wanted(call: BackendCall, whole: ParsedClause, question: Question) -> bool:
    main = bool(set(question.intents[:1]) & set(call.intents))
    return main or bool(whole.terms & SOURCE_TABLE[call.source_type].core)


def _sentence(call: BackendCall, question: Question) -> str:
    names = {product.id: product.name for product in (*question.products, *question.context)}
    name = names.get(call.product_id or "")
    label = SOURCE_TABLE[call.source_type].label
    say = "say" if plural(label) else "says"
    of_product, of_shop = UNSAID.get(call.source_type, (f"what {label} {say} about {{it}}", f"what {label} {say}"))
    unsaid = of_product.format(it=the(name), are="are" if plural(name) else "is") if name else of_shop
    return f"I could not reach {call.name}, so I can't say {unsaid} right now."
