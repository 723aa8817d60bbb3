"""Rewriting by rules, a small resolver for each thing that may be missing."""

from collections.abc import Mapping

from graph.discourse import Discourse
from graph.parts import Rewrite
from graph.rewriting.flags import FlagReader, ReadsFlags
from graph.rewriting.gate import read
from graph.rewriting.leaning import leans, only_asks_on
from graph.rewriting.pending import resolve_pending
from graph.rewriting.resolvers import resolve
from graph.rewriting.roles import stated_role
from graph.rewriting.scene import NameFinder, Scene
from graph.turn import User
from ingestion.encoder import shared_encoder
from ingestion.evidence import Product


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
