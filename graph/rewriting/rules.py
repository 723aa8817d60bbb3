"""Rules: from a message and its scene to a question that stands alone."""

from collections.abc import Callable, Mapping, Sequence

from graph.catalog import Mention
from graph.catalog.units import units
from graph.discourse import Discourse
from graph.parts import Rewrite
from graph.rewriting.comparatives import is_one_sided
from graph.rewriting.flags import FlagReader, ReadsFlags
from graph.rewriting.fragments import continues, lead_of
from graph.rewriting.gate import Reading, leans, only_asks_on, read
from graph.rewriting.pending import asked_again, is_bare, resolve_pending, spoken_name
from graph.rewriting.references import replaced
from graph.rewriting.scene import NameFinder, Scene, stated_role
from graph.rewriting.topics import about_named_quality, is_about, product_at_hand
from graph.rewriting.words import Edit, edited, naming
from graph.turn import User
from ingestion.encoder import shared_encoder
from ingestion.evidence import Product

Resolved = tuple[str, Sequence[Product]]
"""A standalone question, and the products that the context decided."""


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
    at_hand = product_at_hand(scene) if reading.reference is None else None
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
    product = product_at_hand(scene)
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
