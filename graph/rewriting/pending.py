"""Replies to a question back, and a switch to another product."""

from collections.abc import Sequence

from graph.catalog import Mention
from graph.catalog.units import units
from graph.discourse import PastTurn, Pending
from graph.language.lexicon import AUXILIARIES, DEFINITE, FUNCTION_WORDS, QUESTION_WORDS
from graph.language.locale import word_class
from graph.language.terms import words_of
from graph.parts import Rewrite
from graph.rewriting.message import appended, edited, lead_of, naming
from graph.rewriting.scene import Scene
from graph.rewriting.selection import PLACES, find_comparative, find_described, find_ordinal
from graph.rewriting.topics import is_generic, is_kind
from graph.turn import Role
from ingestion.evidence import Product

_BESIDE_CHOICE = word_class("beside_choice")
"""What may stand beside a choice when nothing else is asked."""
_POSTAL_CODE = 5
"""Its digits."""


def resolve_pending(query: str, scene: Scene) -> Rewrite | None:
    """The question that was waiting, with the reply put in; None where the words are no reply."""
    pending = scene.discourse.pending
    label = find_reply(query, pending, scene) if pending else None
    if pending is None or label is None:
        return None
    value = pending.options.get(label, label)
    kept = tuple(scene.previous.products) if scene.previous else ()
    if pending.kind == "role":
        role: Role = "seller" if value == "seller" else "buyer"
        return Rewrite(pending.standalone_query, "rules", role=role, products=kept)
    if pending.kind == "region":
        joint = "in" if label.isdigit() else "for"
        place = appended(pending.standalone_query, f"{joint} {label}")
        return Rewrite(place, "rules", region=value, products=kept)
    product = scene.products.get(value)
    if pending.kind == "product" and product is not None:
        return Rewrite(_named(pending.standalone_query, product, scene), "rules", products=(product.id,))
    return Rewrite(appended(pending.standalone_query, f"for {label}"), "rules", products=kept)


def find_reply(query: str, pending: Pending, scene: Scene) -> str | None:
    """The label of the option that a reply chooses by it, by words only it has, or by its place; else a postal code."""
    for label in pending.options:
        if [unit.text for unit in units(label)] == [unit.text for unit in units(query)]:
            return label
    code = query.strip()
    if pending.kind == "region" and code.isdecimal() and len(code) == _POSTAL_CODE:
        return code
    said = _significant(query)
    if not said:
        return _by_phrase(query, pending, scene)
    labels = {label: _significant(label) for label in pending.options}
    fitting = [label for label, wanted in labels.items() if said <= wanted]
    fewest = min((len(labels[label]) for label in fitting), default=0)
    closest = [label for label in fitting if len(labels[label]) == fewest]
    return closest[0] if len(closest) == 1 else _by_phrase(query, pending, scene)


def _significant(text: str) -> frozenset[str]:
    return frozenset(u.text for u in units(text) if u.text not in FUNCTION_WORDS and u.text not in _BESIDE_CHOICE)


def _by_phrase(query: str, pending: Pending, scene: Scene) -> str | None:
    """The option that the reply names by its place ("the first one", "2") or describes, where it says nothing else."""
    items = list(pending.options.items())
    stand_ins = [scene.products.get(value, Product(id=value, name=label)) for label, value in items]
    words = words_of(query)
    place = PLACES.get(words[0].text) if len(words) == 1 else None
    if place is not None and place < len(items):
        return items[place][0]
    found = find_ordinal(query, stand_ins, ()) or find_comparative(query, stand_ins) or find_described(query, stand_ins)
    if found is None or not is_bare(query, [(found.start, found.end)]):
        return None
    return items[stand_ins.index(found.products[0])][0]


def _named(question: str, product: Product, scene: Scene) -> str:
    """The question with the product's name for the words that fitted several or a kind, or behind it."""
    for mention in scene.names.mentions(question, ()):
        if any(fit.product_id == product.id for fit in mention.fits):
            return edited(question, [(mention.start, mention.end, product.name)])
    if product.name.casefold() in question.casefold():
        return question
    cut = words_of(question)
    for before, word in zip([None, *cut], cut, strict=False):
        if word.text not in FUNCTION_WORDS and not is_generic(word.text) and is_kind(word.text, product):
            first = before if before is not None and before.text in DEFINITE else word
            return edited(question, [(first.start, word.end, product.name)])
    return naming(question, [product])


def is_bare(query: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a message says nothing but what stands in these spans: no question, and no word of content."""
    rest = edited(query, [(start, end, " ") for start, end in spans])[lead_of(query) :]
    spoken = [word.base for word in words_of(rest)]
    return _significant(rest) == frozenset() and (AUXILIARIES | QUESTION_WORDS).isdisjoint(spoken[:-1])


def spoken_name(query: str, mention: Mention, scene: Scene) -> str:
    """How a mention is to be called: by the product's name, or as the user said where it is not clear which."""
    if mention.known and len(mention.fits) == 1:
        return scene.products[mention.fits[0].product_id].name
    first, *others = words_of(query[mention.start : mention.end])
    return query[mention.start + (others[0].start if others and first.text in DEFINITE else 0) : mention.end]


def asked_again(previous: PastTurn, names: Sequence[str], scene: Scene) -> str | None:
    """The previous question with other names in place of its product; None where it was about none.

    Of several products the last one is replaced: after "compare A and B", "and C?" compares A and C.
    """
    question = previous.standalone_query
    joined = " and ".join(names)
    about = {key: scene.products[key] for key in previous.products if key in scene.products}
    spans = _spans(question, about, scene)
    if spans:
        return edited(question, [(*spans[-1], joined)])
    return appended(question, f"for {joined}") if about else None


def _spans(question: str, about: dict[str, Product], scene: Scene) -> list[tuple[int, int]]:
    """Where the previous question names its products, also one that is not sold here."""
    mentions = scene.names.mentions(question, list(about))
    return [(m.start, m.end) for m in mentions if not m.known or any(fit.product_id in about for fit in m.fits)]
