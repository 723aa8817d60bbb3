"""The gate: whether a message leans on what was said before."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graph.catalog import Mention
from graph.catalog.units import singular, units
from graph.language.lexicon import AUXILIARIES, CONJUNCTIONS, QUESTION_WORDS
from graph.rewriting.comparatives import find_choice, find_selection
from graph.rewriting.fragments import Fragment, fragment_of
from graph.rewriting.listed import Selection, varied
from graph.rewriting.pending import is_bare
from graph.rewriting.references import (
    Reference,
    carried,
    find_pronoun,
    find_reference,
    has_empty_pronoun,
    has_own_antecedent,
)
from graph.rewriting.scene import Scene
from graph.rewriting.topics import about_shop, is_browsing, product_at_hand
from graph.rewriting.words import content_words, words_of
from ingestion.evidence import Product


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
    variant: tuple[str, Sequence[Product]] | None
    choice: tuple[str, Sequence[Product]] | None
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
        return first is not None and first.text.split("'")[0] in AUXILIARIES | QUESTION_WORDS


def read(query: str, scene: Scene) -> Reading:
    """Read a question against a scene."""
    mentions = tuple(scene.mentions(query))
    return Reading(
        query=query,
        mentions=mentions,
        selection=_selected(query, scene, mentions),
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


def _variant(query: str, scene: Scene) -> tuple[str, Sequence[Product]] | None:
    """The previous question, asked of another variant of its product."""
    product, last = product_at_hand(scene), scene.previous
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


def _selected(query: str, scene: Scene, mentions: Sequence[Mention]) -> Selection | None:
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
_POINTING = re.compile(
    r"\b(?:is|are|was|were|do|does|did|can|could|will|would|of|for|with|about|after|before)\s+(?:this|that|these|those)"
    r"(?=\s*(?:$|[?.!,])|\s+(?:is|are|was|be|have|has|do|mean|work|happen|take|cost|apply|include|cover)\b)",
    re.IGNORECASE,
)
"""A demonstrative that stands for something said: "how does that work?", "and after this?"."""


def leans(reading: Reading, scene: Scene) -> bool:
    """Whether a question leans on the thread or the open page: by a pronoun, as a fragment, or by saying too little."""
    page = scene.user.page
    has_context = scene.discourse.turns or page.product_id or page.products or page.titles
    if not has_context or any(mention.known for mention in reading.mentions):
        return False
    place = _place_of_pronoun(reading.query)
    if place is not None:
        return not has_own_antecedent(reading.query, place, scene)
    return not has_empty_pronoun(reading.query) and _says_too_little(reading)


def _place_of_pronoun(query: str) -> int | None:
    """Where a pronoun stands for something said, in code points."""
    pronoun, pointing = find_pronoun(query), _POINTING.search(query)
    if pronoun is not None:
        return pronoun.start
    return pointing.start() if pointing else None


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
