"""Rules: from a message and its scene to a question that stands alone.

A message is read against its scene first: what it names, picks and leans on. The first resolver that this calls for
decides.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property

from graph.catalog import LocalCatalog, Mention
from graph.catalog.units import units
from graph.discourse import Discourse, PastTurn, Pending
from graph.language.lexicon import AUXILIARIES, DEFINITE, FUNCTION_WORDS, QUESTION_WORDS
from graph.language.locale import word_class
from graph.language.negation import denies
from graph.language.terms import words, words_of
from graph.parts import Rewrite
from graph.rewriting.flags import FlagReader, ReadsFlags
from graph.rewriting.message import appended, content_words, continues, edited, fragment_of, lead_of, naming
from graph.rewriting.references import find_leaning, find_reference, has_own_antecedent, with_topic
from graph.rewriting.scene import (
    Scene,
    about_named_quality,
    about_quality,
    about_shop,
    is_browsing,
    is_generic,
    is_kind,
    stated_role,
)
from graph.rewriting.selection import (
    PLACES,
    Reference,
    compared_with,
    find_comparative,
    find_described,
    find_ordinal,
    find_selection,
    replaced,
    varied,
)
from graph.turn import Role, User
from graph.understanding.clauses import split_clauses
from ingestion.encoder import shared_encoder
from ingestion.evidence import Product

_BESIDE_CHOICE = word_class("beside_choice")
"""What may stand beside a choice when nothing else is asked."""
_ASSENT = word_class("assent")
_BESIDE_ASSENT = word_class("beside_assent")
_POSTAL_CODE = 5
"""Its digits."""


def resolve_pending(query: str, scene: Scene) -> Rewrite | None:
    """The question that was waiting, with the reply put in; None where the words are no reply."""
    pending = scene.discourse.pending
    if pending is not None and pending.kind == "person":
        return Rewrite(query, "none", searchable=False, live_agent=True) if assents(query) else None
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
        return Rewrite(_with_name(pending.standalone_query, product, scene), "rules", products=(product.id,))
    return Rewrite(appended(pending.standalone_query, f"for {label}"), "rules", products=kept)


def assents(query: str) -> bool:
    """Whether a message says yes, and nothing else."""
    said = frozenset(words(query))
    return bool(said & _ASSENT) and said <= _ASSENT | _BESIDE_ASSENT | FUNCTION_WORDS and not denies(query)


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


def _with_name(question: str, product: Product, scene: Scene) -> str:
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
    mentions = scene.names.mentions(question, list(about))
    own = [one for one in mentions if not one.known or any(fit.product_id in about for fit in one.fits)]
    if own:
        return edited(question, [(own[-1].start, own[-1].end, joined)])
    return appended(question, f"for {joined}") if about else None


Resolved = tuple[str, Sequence[Product]]
"""A standalone question, and the products that the context decided."""


class Reading:
    """What a question says by itself, and where it leans on its scene; each is read once, when it is asked for.

    Args:
        query: The user's words.
        scene: What they may refer to.
    """

    def __init__(self, query: str, scene: Scene) -> None:
        self.query, self.scene = query, scene

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """Where it names products, known or not."""
        return tuple(self.scene.mentions(self.query))

    @cached_property
    def selection(self) -> Reference | None:
        """A phrase that picks from what was shown."""
        return find_selection(self.query, self.scene, self.mentions)

    @cached_property
    def reference(self) -> Reference | None:
        """A phrase that stands for a product at hand, and is no part of a name ("the Kestrel" in "the Kestrel 9")."""
        found = find_reference(self.query, self.scene)
        named = any(found and one.start < found.end and found.start < one.end for one in self.mentions)
        return None if named else found

    @cached_property
    def fragment(self) -> str | None:
        """Its words, where it is no whole sentence."""
        return fragment_of(self.query)

    @cached_property
    def variant(self) -> Resolved | None:
        """The previous question with the values of a variant that it names, where it says nothing else."""
        product, last = self.scene.at_hand, self.scene.previous
        if product is None or last is None or product.id not in last.products:
            return None
        found = varied(self.query, last.standalone_query, product)
        return (found[0], [product]) if found and is_bare(self.query, found[1]) else None

    @cached_property
    def shop(self) -> bool:
        """Whether all its questions concern the shop and no product."""
        return all(about_shop(asked.question) for asked in split_clauses(self.query))

    @property
    def leans(self) -> bool:
        """Whether it leans on the thread or the page: by a pronoun, as a fragment, or by saying too little."""
        page = self.scene.user.page
        has_context = self.scene.discourse.turns or page.product_id or page.products or page.titles
        if not has_context or any(mention.known for mention in self.mentions):
            return False
        word = find_leaning(self.query)
        if word is not None:
            return not has_own_antecedent(self.query, word.start, self.scene)
        others = self.shop or is_browsing(self.query) or self.scene.names.category(self.query)
        if self.fragment is not None:
            return lead_of(self.query) > 0 or not others
        return not others and len(content_words(self.query)) <= _FEW


_FEW = 1
"""Words of content by which a question says too little."""


def resolve(reading: Reading) -> Resolved | None:
    """What a question becomes by the first thing that it picks, names or leans on; None where it stands alone."""
    query, scene = reading.query, reading.scene
    if reading.selection is not None:
        return _selected(query, reading.selection, scene)
    compared = compared_with(query, reading.mentions, scene) if reading.reference is None else None
    if compared is not None:
        return compared
    if reading.mentions:
        return _named(reading, scene)
    if reading.variant is not None:
        return reading.variant
    if reading.reference is not None:
        return replaced(query, reading.reference), reading.reference.products
    topic = with_topic(query, scene)
    return (topic, ()) if topic is not None else _completed(reading, scene)


def _selected(query: str, picked: Reference, scene: Scene) -> Resolved:
    """Put the picked product's name in its place; with nothing else said, ask the previous question of it."""
    if is_bare(query, [(picked.start, picked.end)]):
        name = picked.products[0].name
        again = asked_again(scene.previous, [name], scene) if scene.previous else None
        return again or f"Tell me about {name}.", picked.products
    return replaced(query, picked), picked.products


def _named(reading: Reading, scene: Scene) -> Resolved | None:
    """A question that names products: the previous one where it only names them, else what else it leans on."""
    spans = [(mention.start, mention.end) for mention in reading.mentions]
    if scene.previous and is_bare(reading.query, spans) and (len(spans) == 1 or lead_of(reading.query)):
        names = [spoken_name(reading.query, mention, scene) for mention in reading.mentions]
        again = asked_again(scene.previous, names, scene)
        return (again, ()) if again else None
    if reading.reference is not None:
        return replaced(reading.query, reading.reference), reading.reference.products
    return None


def _completed(reading: Reading, scene: Scene) -> Resolved | None:
    """Put a fragment's phrase into the previous question, or name the products at hand behind a question about them.

    About the shop it stands alone, whatever product was spoken of.
    """
    query, last, fragment = reading.query, scene.previous, reading.fragment
    again = continues(fragment, last.standalone_query) if fragment and last else None
    if again and last:
        return again, scene.focus if last.products and not reading.shop else ()
    named = any(about_named_quality(query, product) for product in scene.focus)
    # Who asks for products, or of a kind of them, asks for no quality of those at hand.
    path = scene.names.category(query)
    foreign = all(product.category[: len(path)] != path for product in scene.focus)
    others = is_browsing(query) or (path and (foreign or not named))
    if reading.shop or not scene.focus or others:
        return None
    if fragment is not None:
        return naming(query[lead_of(query) :], scene.focus), scene.focus
    product = scene.at_hand
    about = product is not None and (about_quality(query, product) or "the" in words(query))
    return (naming(query, [product]), (product,)) if product and about else None


class RuleRewriter:
    """Makes a question stand alone by rules over the thread's typed state.

    What needs no context passes byte for byte. Content words of the question are kept; nothing is answered.

    Args:
        names: Finds product names in a text.
        flags: Reads whether there is a question and whether a person is wanted; one of its own if None.
    """

    def __init__(self, names: LocalCatalog, flags: ReadsFlags | None = None) -> None:
        self._names = names
        self._flags = flags or FlagReader(shared_encoder()).read

    def rewrite(self, query: str, discourse: Discourse, user: User, catalog: Mapping[str, Product]) -> Rewrite:
        """Resolve what the question leaves unsaid from the thread and the open page."""
        scene = Scene(discourse, user, catalog, self._names)
        reply = resolve_pending(query, scene)
        if reply is not None:
            return reply
        flags = self._flags(query)
        reading = Reading(query, scene)
        names = not flags.live_agent and bool(reading.mentions or reading.selection or reading.variant)
        asks = flags.searchable or names
        text, products = (resolve(reading) if asks else None) or (query, ())
        left_open = text == query and (asks or query.rstrip().endswith("?")) and reading.leans
        return Rewrite(
            text,
            "none" if text == query else "rules",
            searchable=asks,
            live_agent=flags.live_agent,
            role=stated_role(query),
            products=tuple(dict.fromkeys(product.id for product in products)),
            sure=not left_open,
        )
