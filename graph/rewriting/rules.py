"""Rules: from a message and its scene to a question that stands alone.

A message is read against its scene first: what it names, picks and leans on. The first resolver that this calls for
decides.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from graph.catalog import Mention
from graph.catalog.units import singular, units
from graph.discourse import Discourse
from graph.language.lexicon import AUXILIARIES, QUESTION_WORDS, REQUEST_VERBS
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
    has_own_antecedent,
    replaced,
)
from graph.rewriting.scene import NameFinder, Scene, stated_role
from graph.rewriting.selection import Selection, find_choice, find_selection, is_one_sided, varied
from graph.rewriting.topics import about_named_quality, about_shop, is_about, is_browsing
from graph.turn import User
from graph.understanding.clauses import split_clauses
from ingestion.encoder import shared_encoder
from ingestion.evidence import Product

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
    def selection(self) -> Selection | None:
        """A phrase that picks from what was shown; none where it goes on to be another product's name."""
        found = find_selection(self.query, self.scene, self.mentions)
        chosen = {product.id for product in found.products} if found else set()
        strays = any(
            mention.known and chosen.isdisjoint(fit.surface.product_id for fit in mention.fits)
            for mention in self.mentions
            if found and mention.start < found.end and found.start < mention.end
        )
        return None if strays else found

    @cached_property
    def reference(self) -> Reference | None:
        """A phrase that stands for a product at hand, and is no part of a name ("the Kestrel" in "the Kestrel 9")."""
        found = find_reference(self.query, self.scene)
        named = any(found and one.start < found.end and found.start < one.end for one in self.mentions)
        return None if named else found

    @cached_property
    def fragment(self) -> Fragment | None:
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
    def choice(self) -> Resolved | None:
        """The question with the products to choose from, where it leaves them out."""
        return find_choice(self.query, self.scene)

    @cached_property
    def carried(self) -> str | None:
        """The question with the topic of the previous one, which was about no product."""
        return carried(self.query, self.scene)

    @cached_property
    def leaves(self) -> bool:
        """Whether it looks for "a" thing that other products are called, and none at hand is ("is there a tent")."""
        focus, words = self.scene.focus, [word.text for word in words_of(self.query)]
        looking = _LOOKING if "you" in words else _LOOKING - _HAVING
        told = zip(words, words[1:], words[2:], strict=False)
        asked = (singular(word) for verb, article, word in told if verb in looking and article in {"a", "an"})
        named = {word for word in asked if self.scene.names.holds(word)} if focus else set()
        return not named <= {unit.text for product in focus for text in _said_of(product) for unit in units(text)}

    @cached_property
    def shop(self) -> bool:
        """Whether all its questions concern the shop and no product."""
        return all(about_shop(asked.question) for asked in split_clauses(self.query))

    @cached_property
    def category(self) -> bool:
        """Whether it names a category; it is then about products of that kind."""
        return bool(self.scene.names.category(self.query))

    @cached_property
    def browsing(self) -> bool:
        """Whether it asks to be shown products."""
        return is_browsing(self.query)

    @property
    def about_others(self) -> bool:
        """Whether it asks for products, or of a kind of them, and not for a quality of those at hand."""
        about_quality = any(about_named_quality(self.query, product) for product in self.scene.focus)
        return self.browsing or self.leaves or (self.category and not about_quality)

    @property
    def names_products(self) -> bool:
        """Whether it names, picks or asks of a product, so that it asks something even with no word beside."""
        return bool(self.mentions or self.selection or self.variant or (self.reference and self.asks))

    @property
    def continues(self) -> bool:
        """Whether it is a short question about what is at hand ("any good?")."""
        return self.fragment is not None and self.ends_asking and bool(self.scene.focus)

    @property
    def ends_asking(self) -> bool:
        """Whether it ends in a question mark."""
        return self.query.rstrip().endswith("?")

    @property
    def asks(self) -> bool:
        """Whether it has the form of a question."""
        first = next(iter(words_of(self.query)), None)
        return first is not None and first.base in AUXILIARIES | QUESTION_WORDS

    @property
    def leans(self) -> bool:
        """Whether it leans on the thread or the page: by a pronoun, as a fragment, or by saying too little."""
        page = self.scene.user.page
        has_context = self.scene.discourse.turns or page.product_id or page.products or page.titles
        if not has_context or any(mention.known for mention in self.mentions):
            return False
        word = find_pronoun(self.query) or find_pointing(self.query)
        if word is not None:
            return not has_own_antecedent(self.query, word.start, self.scene)
        return self._says_too_little

    @property
    def _says_too_little(self) -> bool:
        """Whether it is a question only after another one: "and the display?", "what happens then?"."""
        if self.fragment is not None:
            return self.fragment.led or not (self.shop or self.browsing or self.category)
        return self.asks and not self.shop and len(content_words(self.query)) <= _FEW


_LOOKING = REQUEST_VERBS | {"about", "for"}
_HAVING = frozenset({"have", "has", "got"})
"""What a product does as well as a shop: "does it have a charger"."""
_FEW = 1
"""Words of content by which a question says too little."""


def _said_of(product: Product) -> Iterator[str]:
    yield from (product.name, *product.aliases, *product.category, *product.attributes, *product.attributes.values())
    yield from (value for variant in product.variants for value in variant.attributes.values())


def resolve(reading: Reading) -> Resolved | None:
    """What a question becomes by the first thing that it picks, names or leans on; None where it stands alone."""
    found: Resolved | None
    if reading.selection is not None:
        found = _selected(reading.query, reading.selection, reading.scene)
    elif reading.mentions:
        found = _named(reading, reading.scene)
    elif reading.variant is not None:
        found = reading.variant
    elif reading.reference is not None:
        found = replaced(reading.query, reading.reference), reading.reference.products
    elif reading.choice is not None:
        found = reading.choice
    elif reading.carried is not None:
        found = reading.carried, ()
    elif reading.fragment is not None:
        found = _completed(reading, reading.fragment, reading.scene)
    else:
        found = _implied(reading, reading.scene.at_hand)
    return found


def _selected(query: str, picked: Selection, scene: Scene) -> Resolved:
    """Put the picked product's name in its place; with nothing else said, ask the previous question of it."""
    name = " and ".join(product.name for product in picked.products)
    if is_bare(query, [(picked.start, picked.end)]):
        again = asked_again(scene.previous, [name], scene) if scene.previous else None
        return again or f"Tell me about {name}.", picked.products
    owner = "'s" if query[picked.end - 2 : picked.end] in {"'s", "’s"} else ""
    return edited(query, [Edit(picked.start, picked.end, name + owner)]), picked.products


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


def _completed(reading: Reading, fragment: Fragment, scene: Scene) -> Resolved | None:
    """Put a fragment's phrase into the previous question, or name the products at hand behind it.

    About the shop it stands alone, whatever product was spoken of.
    """
    last = scene.previous
    if last is not None:
        again = continues(fragment.text, last.standalone_query)
        if again:
            return again, scene.focus if last.products and not reading.shop else ()
    if reading.shop or not scene.focus or reading.about_others:
        return None
    return naming(reading.query[lead_of(reading.query) :], scene.focus), scene.focus


def _implied(reading: Reading, product: Product | None) -> Resolved | None:
    """Name the product at hand behind a whole question about one of its qualities."""
    if product is None or reading.shop or reading.about_others or not is_about(reading.query, product):
        return None
    return naming(reading.query, [product]), (product,)


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
        reading = Reading(query, scene)
        asks = flags.searchable or (not flags.live_agent and (reading.names_products or reading.continues))
        text, products = (resolve(reading) if asks else None) or (query, ())
        left_open = text == query and (asks or reading.ends_asking) and reading.leans
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
