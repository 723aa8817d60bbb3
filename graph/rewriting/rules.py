"""Rewriting by rules, a small resolver for each thing that may be missing; a model may take what they leave."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from graph.discourse import Discourse
from graph.parts import Rewrite
from graph.rewriting.flags import FlagReader, ReadsFlags
from graph.rewriting.fragments import lead_of
from graph.rewriting.gate import Reading, read
from graph.rewriting.leaning import leans, only_asks_on
from graph.rewriting.learned.reading.lexicon import ANAPHORS
from graph.rewriting.pending import resolve_pending
from graph.rewriting.references import has_empty_pronoun
from graph.rewriting.resolvers import resolve
from graph.rewriting.roles import stated_role
from graph.rewriting.scene import NameFinder, Scene
from graph.rewriting.words import content_words, words_of
from graph.turn import RewrittenBy, User
from ingestion.encoder import shared_encoder
from ingestion.evidence import Product

_MARKER = re.compile(r"\s?\[\d+\]")
_READ = 600
"""Of an answer the model reads as many code points: what is asked about next is mostly said first."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something that was said, by `user` or `assistant`."""

    role: str
    content: str


class TextRewriter(Protocol):
    """Makes a question stand alone from nothing but what was said and what the open page is titled."""

    def rewrite(self, query: str, history: Sequence[Utterance], context: Sequence[str]) -> str:
        """The question as it stands alone; itself where it does already."""
        ...


class RuleRewriter:
    """Makes a question stand alone by rules over the thread's typed state.

    What needs no context passes byte for byte. Content words of the question are kept; nothing is answered.

    Args:
        names: Finds product names in a text.
        learned: Takes the questions that the rules leave while no product is at hand; None for rules alone.
        flags: Reads whether there is a question and whether a person is wanted; one of its own if None.
    """

    def __init__(self, names: NameFinder, learned: TextRewriter | None = None, flags: ReadsFlags | None = None) -> None:
        self._names = names
        self._learned = learned
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
        by: RewrittenBy = "rules"
        asks_on = asks or only_asks_on(query)
        if asks_on and not products and (text == query or reading.carried):
            learnt = self._learnt(reading, scene)
            if learnt is not None and (learnt != query or not lead_of(query)):
                text, by = learnt, "model"
            asks = asks or text != query
        guessed = text != query and by == "model"
        left_open = text == query and (asks_on or query.rstrip().endswith("?")) and leans(reading, scene)
        return Rewrite(
            text,
            "none" if text == query else by,
            searchable=asks,
            live_agent=flags.live_agent,
            role=stated_role(query),
            products=tuple(dict.fromkeys(product.id for product in products)),
            sure=not (guessed or left_open),
        )

    def _learnt(self, reading: Reading, scene: Scene) -> str | None:
        """What the model makes of a question about neither shop nor products; None where it is not asked."""
        at_hand = bool(scene.focus or scene.listed) and not scene.strayed
        spoken = {word.text for word in words_of(reading.query)}
        stands = (reading.shop or reading.browsing) and ANAPHORS.isdisjoint(spoken)
        if self._learned is None or at_hand or reading.mentions or stands or has_empty_pronoun(reading.query):
            return None
        text = self._learned.rewrite(reading.query, list(_said(scene.discourse)), scene.user.page.titles)
        return text if content_words(reading.query) <= content_words(text) else reading.query


def _said(discourse: Discourse) -> Iterator[Utterance]:
    for turn in discourse.turns:
        yield Utterance("user", turn.query)
        if turn.answer:
            yield Utterance("assistant", _MARKER.sub("", turn.answer)[:_READ])
