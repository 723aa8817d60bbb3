"""Rules: from a message and its scene to a question that stands alone.

A message is read against its scene first: what it names, picks and leans on. The first resolver that this calls for
decides.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graph.catalog import Mention
from graph.catalog.units import singular, units
from graph.discourse import Discourse
from graph.language.lexicon import AUXILIARIES, CONJUNCTIONS, QUESTION_WORDS
from graph.language.words import words_of
from graph.parts import Rewrite
from graph.rewriting.flags import FlagReader, ReadsFlags
from graph.rewriting.message import Edit, Fragment, content_words, continues, edited, fragment_of, lead_of, naming
from graph.rewriting.pending import asked_again, is_bare, resolve_pending, spoken_name
from graph.rewriting.references import (
    Reference,
    carried,
    find_pointing,
    find_pronoun,
    find_reference,
    has_empty_pronoun,
    has_own_antecedent,
    replaced,
)
from graph.rewriting.scene import NameFinder, Scene, stated_role
from graph.rewriting.selection import Selection, find_choice, find_selection, is_one_sided, varied
from graph.rewriting.topics import about_named_quality, about_shop, is_about, is_browsing
from graph.turn import User
from ingestion.encoder import shared_encoder
from ingestion.evidence import Product

Resolved = tuple[str, Sequence[Product]]
"""A standalone question, and the products that the context decided."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question says by itself, and where it leans on its context.

    Attributes:
        query: The user's words.
        mentions: Where it names products, known or not.
        selection: A phrase that picks from what was shown.
        reference: A phrase that stands for a product at hand.
        fragment: Its words, where it is no whole sentence.
        variant: The previous question with the values of a variant that it names, where it says nothing else.
        choice: The question with the products to choose from, where it leaves them out.
        category: The category it names, if any; it is then about products of that kind.
        carried: The question with the topic of the previous one, which was about no product.
        leaves: Whether it turns from the product at hand to another kind ("is there a windbreaker").
        shop: Whether it concerns the shop and no product.
        browsing: Whether it asks to be shown products.
    """

    query: str
    mentions: tuple[Mention, ...]
    selection: Selection | None
    reference: Reference | None
    fragment: Fragment | None
    variant: Resolved | None
    choice: Resolved | None
    category: tuple[str, ...]
    carried: str | None
    leaves: bool
    shop: bool
    browsing: bool

    @property
    def names_products(self) -> bool:
        """Whether it names, picks or asks of a product, so that it asks something even with no word beside."""
        picked = self.selection or self.variant
        return bool(self.mentions) or picked is not None or (self.reference is not None and self.asks)

    def continues(self, scene: Scene) -> bool:
        """Whether it is a short question about what is at hand ("any good?")."""
        several = len(words_of(self.query)) > 1
        return self.fragment is not None and several and self.query.rstrip().endswith("?") and bool(scene.focus)

    @property
    def asks(self) -> bool:
        """Whether it has the form of a question."""
        first = next(iter(words_of(self.query)), None)
        return first is not None and first.base in AUXILIARIES | QUESTION_WORDS


def read(query: str, scene: Scene) -> Reading:
    """Read a question against a scene."""
    mentions = tuple(scene.mentions(query))
    return Reading(
        query=query,
        mentions=mentions,
        selection=_picked(query, scene, mentions),
        reference=_apart(find_reference(query, scene), mentions),
        fragment=fragment_of(query),
        variant=_variant(query, scene),
        choice=find_choice(query, scene),
        category=scene.names.category(query),
        carried=carried(query, scene),
        leaves=_leaves(query, scene),
        shop=about_shop(query),
        browsing=is_browsing(query),
    )


def _variant(query: str, scene: Scene) -> Resolved | None:
    """The previous question, asked of another variant of its product."""
    product, last = scene.at_hand, scene.previous
    if product is None or last is None or product.id not in last.products:
        return None
    found = varied(query, last.standalone_query, product)
    return (found[0], [product]) if found and is_bare(query, found[1]) else None


def _leaves(query: str, scene: Scene) -> bool:
    """Whether a message asks for "a" thing that other products are called, and no product at hand is."""
    words = [word.text for word in words_of(query)]
    asked = {word for before, word in pairwise(words) if before in {"a", "an"} and scene.names.holds(singular(word))}
    own = {unit.text for product in scene.focus for text in _said_of(product) for unit in units(text)}
    return bool(scene.focus) and any(singular(word) not in own for word in asked)


def _said_of(product: Product) -> Iterator[str]:
    yield from (product.name, *product.aliases, *product.category, *product.attributes, *product.attributes.values())
    yield from (value for variant in product.variants for value in variant.attributes.values())


def _picked(query: str, scene: Scene, mentions: Sequence[Mention]) -> Selection | None:
    """A choice among what was shown; a name that goes on to be another product's is none ("the Apple MacBook Pro")."""
    found = find_selection(query, scene, mentions)
    if found is None:
        return None
    chosen = {product.id for product in found.products}
    for mention in mentions:
        inside = mention.start < found.end and found.start < mention.end
        if inside and mention.known and chosen.isdisjoint(fit.surface.product_id for fit in mention.fits):
            return None
    return found


def _apart(reference: Reference | None, mentions: Sequence[Mention]) -> Reference | None:
    """A reference that is no part of a name ("the Kestrel" in "the Kestrel 9")."""
    if reference is None or any(m.start < reference.end and reference.start < m.end for m in mentions):
        return None
    return reference


_FEW = 1
"""Words of content by which a question says too little."""


def leans(reading: Reading, scene: Scene) -> bool:
    """Whether a question leans on the thread or the open page: by a pronoun, as a fragment, or by saying too little."""
    page = scene.user.page
    has_context = scene.discourse.turns or page.product_id or page.products or page.titles
    if not has_context or any(mention.known for mention in reading.mentions):
        return False
    word = find_pronoun(reading.query) or find_pointing(reading.query)
    if word is not None:
        return not has_own_antecedent(reading.query, word.start, scene)
    return not has_empty_pronoun(reading.query) and _says_too_little(reading)


def _says_too_little(reading: Reading) -> bool:
    """Whether a question without a pronoun is one only after another one: "and the display?", "what happens then?"."""
    if only_asks_on(reading.query):
        return True
    if reading.fragment is not None:
        return reading.fragment.led or not (reading.shop or reading.browsing or reading.category)
    return reading.asks and not reading.shop and len(content_words(reading.query)) <= _FEW


def only_asks_on(query: str) -> bool:
    """Whether a question only asks on: "Why?", "And how?"."""
    spoken = {word.text for word in words_of(query)}
    return bool(spoken & QUESTION_WORDS) and spoken <= QUESTION_WORDS | CONJUNCTIONS


def resolve(reading: Reading, scene: Scene) -> Resolved | None:
    """What the first resolver that a reading calls for makes of it; None where the question stands alone."""
    for fits, resolver in _RESOLVERS:
        if fits(reading):
            return resolver(reading, scene)
    return None


def _selected(reading: Reading, scene: Scene) -> Resolved | None:
    """Put the picked product's name in its place; with nothing else said, ask the previous question of it."""
    picked = reading.selection
    assert picked is not None
    name = " and ".join(product.name for product in picked.products)
    if is_bare(reading.query, [(picked.start, picked.end)]):
        again = asked_again(scene.previous, [name], scene) if scene.previous else None
        return again or f"Tell me about {name}.", picked.products
    owner = "'s" if reading.query[picked.end - 2 : picked.end] in {"'s", "’s"} else ""
    return edited(reading.query, [Edit(picked.start, picked.end, name + owner)]), picked.products


def _named(reading: Reading, scene: Scene) -> Resolved | None:
    """A question that names products: perhaps one side of a comparison, only their names, or a part of a name."""
    spans = [(mention.start, mention.end) for mention in reading.mentions]
    names = [spoken_name(reading.query, mention, scene) for mention in reading.mentions]
    at_hand = scene.at_hand if reading.reference is None else None
    if at_hand is not None and is_one_sided(reading.query, reading.mentions, at_hand):
        return naming(reading.query, [at_hand]), (at_hand,)
    if is_bare(reading.query, spans) and (len(spans) == 1 or lead_of(reading.query)):
        again = asked_again(scene.previous, names, scene) if scene.previous else None
        return (again, ()) if again else None
    if reading.reference is not None:
        return replaced(reading.query, reading.reference), reading.reference.products
    edits = [
        Edit(mention.start, mention.end, name)
        for mention, name in zip(reading.mentions, names, strict=True)
        if scene.previous and mention.known and len(mention.fits) == 1 and _is_part(reading.query, mention, name)
    ]
    return (edited(reading.query, edits), ()) if edits else None


def _is_part(query: str, mention: Mention, name: str) -> bool:
    """Whether a mention leaves out or misspells words of a product's name, other than a maker's beside the line's."""
    said = {unit.text for unit in units(query[mention.start : mention.end])}
    return not said.issuperset({unit.text for unit in units(name)} - mention.fits[0].surface.brand)


def _referred(reading: Reading, _: Scene) -> Resolved | None:
    reference = reading.reference
    assert reference is not None
    return replaced(reading.query, reference), reference.products


def _standing(reading: Reading, scene: Scene) -> Resolved | None:
    """A question about the shop stands alone, whatever product was spoken of; a phrase may vary the one before."""
    if reading.fragment is None or scene.previous is None:
        return None
    again = continues(reading.fragment.text, scene.previous.standalone_query)
    return (again, ()) if again else None


def _completed(reading: Reading, scene: Scene) -> Resolved | None:
    """Name the products at hand behind a fragment, or put its phrase into the previous question."""
    fragment, last = reading.fragment, scene.previous
    assert fragment is not None
    if last is not None and (fragment.led or last.products):
        again = continues(fragment.text, last.standalone_query)
        if again:
            return again, scene.focus if last.products else ()
    if not scene.focus or _is_about_others(reading, scene):
        return None
    return naming(reading.query[lead_of(reading.query) :], scene.focus), scene.focus


def _implied(reading: Reading, scene: Scene) -> Resolved | None:
    """Name the product at hand behind a whole question about one of its qualities."""
    product = scene.at_hand
    if product is None or _is_about_others(reading, scene) or not is_about(reading.query, product):
        return None
    return naming(reading.query, [product]), (product,)


def _is_about_others(reading: Reading, scene: Scene) -> bool:
    """Whether a message asks for products, or of a kind of them, and not for a quality of those at hand."""
    about_quality = any(about_named_quality(reading.query, product) for product in scene.focus)
    return reading.browsing or reading.leaves or (bool(reading.category) and not about_quality)


_RESOLVERS: tuple[tuple[Callable[[Reading], bool], Callable[[Reading, Scene], Resolved | None]], ...] = (
    (lambda reading: reading.selection is not None, _selected),
    (lambda reading: bool(reading.mentions), _named),
    (lambda reading: reading.variant is not None, lambda reading, _: reading.variant),
    (lambda reading: reading.choice is not None and reading.reference is None, lambda reading, _: reading.choice),
    (lambda reading: reading.reference is not None, _referred),
    (lambda reading: reading.carried is not None, lambda reading, _: (reading.carried or "", ())),
    (lambda reading: reading.shop, _standing),
    (lambda reading: reading.fragment is not None, _completed),
    (lambda _: True, _implied),
)
"""When each resolver is called for; the first one that is decides."""


class RuleRewriter:
    """Makes a question stand alone by rules over the thread's typed state.

    What needs no context passes byte for byte. Content words of the question are kept; nothing is answered.

    Args:
        names: Finds product names in a text.
        flags: Reads whether there is a question and whether a person is wanted; one of its own if None.
    """

    def __init__(self, names: NameFinder, flags: ReadsFlags | None = None) -> None:
        self._names = names
        self._flags = flags or FlagReader(shared_encoder())

    def rewrite(self, query: str, discourse: Discourse, user: User, catalog: Mapping[str, Product]) -> Rewrite:
        """Resolve what the question leaves unsaid from the thread and the open page."""
        scene = Scene(discourse, user, catalog, self._names)
        reply = resolve_pending(query, scene)
        if reply is not None:
            return reply
        flags = self._flags.read(query)
        reading = read(query, scene)
        asks = flags.searchable or (not flags.live_agent and (reading.names_products or reading.continues(scene)))
        text, products = (resolve(reading, scene) if asks else None) or (query, ())
        asks_on = asks or only_asks_on(query)
        left_open = text == query and (asks_on or query.rstrip().endswith("?")) and leans(reading, scene)
        return Rewrite(
            text,
            "none" if text == query else "rules",
            searchable=asks,
            live_agent=flags.live_agent,
            role=stated_role(query),
            products=tuple(dict.fromkeys(product.id for product in products)),
            sure=not left_open,
            leaves=reading.leaves,
        )
