"""Rules: from a message and its scene to a question that stands alone."""

import re
from collections.abc import Callable, Mapping, Sequence

from graph.discourse import Discourse
from graph.parts import Rewrite
from graph.rewriting.comparatives import with_other_side
from graph.rewriting.flags import FlagReader, ReadsFlags
from graph.rewriting.fragments import Fragment, completed, continues, has_article, head_words, lead_of
from graph.rewriting.gate import Reading, leans, only_asks_on, read
from graph.rewriting.listed import varied
from graph.rewriting.pending import asked_again, is_bare, resolve_pending, spoken_name
from graph.rewriting.references import replaced
from graph.rewriting.scene import NameFinder, Scene, stated_role
from graph.rewriting.topics import about_named_quality, is_about, is_quality_word, product_at_hand, with_product
from graph.rewriting.words import Edit, edited
from graph.turn import User
from ingestion.encoder import shared_encoder
from ingestion.evidence import Product

Resolved = tuple[str, Sequence[Product]]
"""A standalone question, and the products that the context decided."""

_OWNER = re.compile(r"^['’]s\b")
"""The possessive ending that is left where a name was taken out."""

_ARTICLE = re.compile(r"\b(?:the|this|that|your)\s*$", re.IGNORECASE)
_MARKS = " \t\n?.!"

_LINKS = (" of", " for", " on", " with", " in")


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
    if reading.fragment is not None:
        whole = _stated(reading.query, picked.start, picked.end, name)
        if whole is not None:
            return whole, picked.products
    return edited(reading.query, [Edit(picked.start, picked.end, name)]), picked.products


def _named(reading: Reading, scene: Scene) -> Resolved | None:
    """A question that names products: perhaps one side of a comparison, only their names, or beside a pronoun."""
    spans = [(mention.start, mention.end) for mention in reading.mentions]
    names = [spoken_name(reading.query, mention, scene) for mention in reading.mentions]
    at_hand = product_at_hand(scene) if reading.reference is None else None
    compared = with_other_side(reading.query, reading.mentions, at_hand) if at_hand else None
    if compared and at_hand:
        return compared, (at_hand,)
    if is_bare(reading.query, spans) and (len(spans) == 1 or lead_of(reading.query)):
        again = asked_again(scene.previous, names, scene) if scene.previous else None
        return (again, ()) if again else None
    if reading.reference is not None:
        return replaced(reading.query, reading.reference), reading.reference.products
    if reading.fragment is not None and reading.fragment.led and len(names) == 1:
        whole = _stated(reading.query, *spans[0], names[0])
        return (whole, ()) if whole else None
    return None


def _chosen(reading: Reading, _: Scene) -> Resolved | None:
    return reading.choice


def _referred(reading: Reading, _: Scene) -> Resolved | None:
    """Put names in place of a pronoun; "and its weight?" becomes a whole sentence, too."""
    reference = reading.reference
    assert reference is not None
    if reference.possessive and reading.fragment is not None and len(reference.products) == 1:
        return completed(reading.fragment.text, reference.products[0].name, noun=True), reference.products
    return replaced(reading.query, reference), reference.products


def _carried(reading: Reading, _: Scene) -> Resolved | None:
    return (reading.carried, ()) if reading.carried else None


def _standing(reading: Reading, scene: Scene) -> Resolved | None:
    """A question about the shop stands alone, whatever product was spoken of; a phrase may vary the one before."""
    if reading.fragment is None or scene.previous is None:
        return None
    again = continues(reading.fragment.text, scene.previous.standalone_query)
    return (again, ()) if again else None


def _completed(reading: Reading, scene: Scene) -> Resolved | None:
    """Make a fragment whole: by the previous question, or as a question about the product at hand."""
    fragment, last = reading.fragment, scene.previous
    assert fragment is not None
    if last is not None and (fragment.led or last.products):
        question, product = last.standalone_query, product_at_hand(scene)
        again = product and last.products and varied(fragment.text, question, product)
        again = again or continues(fragment.text, question)
        if again:
            return again, scene.focus if last.products else ()
    if reading.browsing or not scene.focus or (reading.category and not _about_quality(reading, scene)):
        return None
    names = " and ".join(product.name for product in scene.focus)
    return completed(fragment.text, names, noun=_is_noun(fragment, scene)), scene.focus


def _implied(reading: Reading, scene: Scene) -> Resolved | None:
    """Add the product at hand to a whole question about one of its qualities."""
    product = product_at_hand(scene)
    if product is None or reading.browsing or not is_about(reading.query, product):
        return None
    if reading.category and not _about_quality(reading, scene):
        return None
    return with_product(reading.query, product), (product,)


def _stated(query: str, start: int, end: int, name: str) -> str | None:
    """A fragment that begins or ends with its product ("Capacity of ...") as a whole question about it."""
    before = _ARTICLE.sub("", query[lead_of(query) : start]).strip(_MARKS)
    after = _OWNER.sub("", query[end:]).strip(_MARKS)
    if before and after:
        return None
    body = before or after
    for link in _LINKS:
        body = body.removesuffix(link)
    return completed(body, name, noun=True) if body else None


def _is_noun(fragment: Fragment, scene: Scene) -> bool:
    """Whether a fragment is known to name a quality: it has an article, or a head that does."""
    if has_article(fragment.text):
        return True
    return any(is_quality_word(word, scene.focus[0]) for word in head_words(fragment.text))


def _about_quality(reading: Reading, scene: Scene) -> bool:
    return any(about_named_quality(reading.query, product) for product in scene.focus)


_RESOLVERS: tuple[tuple[Callable[[Reading], bool], Callable[[Reading, Scene], Resolved | None]], ...] = (
    (lambda reading: reading.selection is not None, _selected),
    (lambda reading: bool(reading.mentions), _named),
    (lambda reading: reading.choice is not None and reading.reference is None, _chosen),
    (lambda reading: reading.reference is not None, _referred),
    (lambda reading: reading.carried is not None, _carried),
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
        )
