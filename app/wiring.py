"""The one place that chooses the real parts of a turn."""

import gc
import logging
import threading
import weakref
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from threadpoolctl import threadpool_limits

from app.backends.http_backend import HttpServices
from app.llm import served_model
from app.llm.options import LlmOptions
from app.settings import Settings
from app.storage.records import Records, SystemClock
from graph.answering.responder import LocalResponder
from graph.answering.reviews import sentiment
from graph.caching import CachingEncoder, CachingReader
from graph.catalog import LocalCatalog
from graph.intents.model import intent_parts
from graph.language.english import is_foreign
from graph.language.quantities import converted
from graph.llm.dialogue import DialogueManager
from graph.llm.model import LanguageModel
from graph.llm.multi_ux import EXPERIENCES
from graph.llm.writer import CitedWriter
from graph.options import GraphOptions
from graph.parts import Clock, Context, Desk, IntentModel, KnowledgeBase, Models, Recorder, Rewriter, Vectors, Writer
from graph.reader import shared_reader
from graph.retrieval.search import NearestStatements
from graph.rewriting import RuleRewriter, SpelledRewriter
from graph.rewriting.flags import FlagReader
from graph.verification import SentenceVerifier, SupportModel
from ingestion.encoder import shared_encoder
from ingestion.errors import KnowledgeError
from ingestion.generations import latest_generation
from ingestion.knowledge import IndexedKnowledge, open_knowledge
from ingestion.source_types import SOURCE_TYPES
from ingestion.statement_encoder import shared_statement_encoder

logger = logging.getLogger(__name__)

KNOWN_NAMES = 1000
"""Attribute names embedded when an index is opened; the first question about a product then need not."""


@dataclass
class _Generation:
    """The parts over a generation, and how many use it: those who read it, and the wiring as long as it answers."""

    context: Context
    variants: Mapping[str, Context]
    knowledge: IndexedKnowledge
    users: int = 1

    def under(self, variant: str | None) -> Context:
        return self.variants.get(variant or "", self.context)


class Keeper(Desk, Recorder, Protocol):
    """Opens tickets and keeps the audit."""


class TurnParts:
    """The parts of a turn over any knowledge; what they read with is loaded once.

    Args:
        settings: All of them.
        model: The served model that is asked beside; None for none.
    """

    def __init__(self, settings: Settings, model: LanguageModel | None = None) -> None:
        self.encoder = CachingEncoder(shared_encoder())
        self.statement_encoder = shared_statement_encoder(settings.encoder)
        self._llm, self._model = settings.llm, model
        self._statements = CachingEncoder(self.statement_encoder)
        self._reader = CachingReader(shared_reader(settings.reader))
        self._flags = FlagReader(self.encoder).read
        self._support = SupportModel(self._reader, self.encoder)

    def over(
        self, knowledge: KnowledgeBase, keeper: Keeper, clock: Clock, intents: tuple[IntentModel, GraphOptions, str]
    ) -> Context:
        """All parts but the services of a shop.

        Args:
            knowledge: What is answered from.
            keeper: Where tickets and turns go.
            clock: What "now" is.
            intents: The model of intents, with the options and the hash of all settings that go with it.
        """
        catalog, finder = LocalCatalog(knowledge.products), NearestStatements(self._statements, knowledge)
        model, options, config_hash = intents
        return Context(
            knowledge=knowledge,
            encoder=self.encoder,
            finder=finder,
            reader=self._reader,
            rewriter=self._rewriter(SpelledRewriter(RuleRewriter(catalog, self._flags), catalog, knowledge), catalog),
            catalog=catalog,
            intents=model,
            responder=LocalResponder(Models(self.encoder, finder, self._reader), self._flags),
            verifier=SentenceVerifier(self._support),
            desk=keeper,
            recorder=keeper,
            clock=clock,
            options=options,
            config_hash=config_hash,
            writer=self.writer(self._llm, options),
        )

    def load(self) -> None:
        """Load what is loaded once a process, which takes seconds."""
        threadpool_limits(1, "blas")  # a turn's products are small: threads that wait for each other cost it a fifth
        self._reader.judge([("fine", "fine")])
        self._statements.encode(["fine"])
        sentiment("fine")
        converted("1 kg", "pound")
        is_foreign("Quels sont les frais ?")

    def _rewriter(self, local: Rewriter, names: LocalCatalog) -> Rewriter:
        """The local rewriter, and the dialogue manager around it where a model is asked."""
        llm = self._llm
        if self._model is None or not llm.serves("rewrite"):
            return local
        return DialogueManager(local, self._model, names, always=llm.rewrite_always)

    def writer(self, llm: LlmOptions, options: GraphOptions) -> Writer | None:
        """What lets a model write; None where answers are local."""
        if self._model is None or not llm.serves("respond"):
            return None
        offered = [name for name in EXPERIENCES if name != "judge" or llm.serves("judge")]
        verifier = SentenceVerifier(self._support, paraphrases=True)
        return CitedWriter(
            self._model, verifier, self._reader, options.sensitive, llm.max_tokens, offered, llm.when == "unsure"
        )


class Wiring:
    """The parts over one index, made anew when the index has a new generation.

    Attributes:
        index: The index's folder.
        settings: All of them.
        clock: What "now" is.
        records: The audit, which outlives generations.
        turn_limit_s: Seconds after which nobody waits for a turn.
    """

    def __init__(
        self, index: Path, settings: Settings, clock: Clock | None = None, model: LanguageModel | None = None
    ) -> None:
        """Open an index and the records.

        Args:
            index: The index's folder.
            settings: All of them.
            clock: What "now" is; the machine's time when absent.
            model: What is asked in place of the served model that the settings name; closed with the rest.

        Raises:
            KnowledgeError: The index is missing or damaged.
            UnwritableRecordsError: The records cannot be opened.
        """
        self.index, self.settings = index, settings
        self.clock = clock or SystemClock()
        self._opening, self._counting = threading.Lock(), threading.Lock()
        self.turn_limit_s = settings.turn_limit_s
        knowledge = open_knowledge(index)
        self._services = HttpServices(settings.backends, settings.catalog_search, self.clock)
        self._model = model or served_model(settings.llm)
        self._turn_parts = TurnParts(settings, self._model)
        told = settings.webhooks.url is not None
        self.records = Records(settings.records, self.clock, settings.team, settings.turn_limit_s, webhooks=told)
        self._generation = self._opened(knowledge)
        self._turn_parts.load()
        if not _OPEN:  # a collection that walks the models and the index stalls every turn for half a second
            gc.freeze()
        _OPEN.add(self)

    @property
    def current(self) -> Context:
        """The parts over the generation that is open; a new one is not looked for."""
        return self.under(None)

    def under(self, variant: str | None) -> Context:
        """The same that a variant answers with; those of the settings as they are where there is no such variant."""
        return self._generation.under(variant)

    @contextmanager
    def reading(self, variant: str | None = None) -> Iterator[Context]:
        """As `under`, over the generation that answers now, which stays open as long as it is read."""
        self._renew()
        with self._counting:
            generation = self._generation
            generation.users += 1
        try:
            yield generation.under(variant)
        finally:
            self._leave(generation)

    def _leave(self, generation: _Generation) -> None:
        """Close a generation after its last user."""
        with self._counting:
            generation.users -= 1
            unused = not generation.users
        if unused:
            generation.knowledge.close()

    def _renew(self) -> None:
        """Open a new generation beside the one that answers, then let it answer.

        Whoever comes first does it; the others go on with the old one meanwhile. A generation that has just become
        unreadable does not end a running conversation: the one that is open goes on.
        """
        if not self._opening.acquire(blocking=False):
            return
        before = self._generation
        name = before.knowledge.generation
        try:
            if latest_generation(self.index) != name:
                self._generation = self._opened(open_knowledge(self.index))
                self._leave(before)
                gc.unfreeze()
                gc.collect()
                gc.freeze()
        except KnowledgeError:
            logger.exception("The index cannot be read; generation %s goes on", name)
        finally:
            self._opening.release()

    def close(self) -> None:
        """Close the index and the records."""
        self.records.close()
        self._services.close()
        if self._model is not None:
            self._model.close()
        self._leave(self._generation)
        _OPEN.discard(self)
        if not _OPEN:
            gc.unfreeze()

    def _opened(self, knowledge: IndexedKnowledge) -> _Generation:
        """Make the parts over a generation and load its indexes: better now than in a customer's turn."""
        try:
            knowledge.check_statements(self._turn_parts.statement_encoder.fingerprint)
            context = self._parts(knowledge)
            names = _attribute_names(knowledge)
            self._turn_parts.encoder.keep(names, _embedded(names))
            knowledge.dense(_embedded(names)[0], SOURCE_TYPES, 1)
            knowledge.lexical("fine", SOURCE_TYPES, 1)
        except BaseException:
            knowledge.close()
            raise
        return _Generation(context, self._variants(context), knowledge)

    def _parts(self, knowledge: IndexedKnowledge) -> Context:
        settings, parts = self.settings, self._turn_parts
        intents = intent_parts(self.index, parts.encoder, settings.graph, settings.config_hash)
        context = parts.over(knowledge, self.records, self.clock, intents)
        return replace(context, backends=self._services.backends, outside_catalog=self._services.outside)

    def _variants(self, context: Context) -> dict[str, Context]:
        """The parts of each variant: the same but for what it changes."""
        made = {}
        for name in self.settings.variants:
            own = self.settings.under(name)
            _, options, config_hash = intent_parts(self.index, self._turn_parts.encoder, own.graph, own.config_hash)
            writer = self._turn_parts.writer(own.llm, options)
            made[name] = replace(context, options=options, config_hash=config_hash, writer=writer, variant=name)
        return made


_OPEN: weakref.WeakSet[Wiring] = weakref.WeakSet()
"""What a process has open. Its models, and the index that was opened first, stay out of the collector's way until the
last is closed; what is opened beside is collected like anything else."""


@lru_cache(maxsize=8)
def _embedded(names: tuple[str, ...]) -> Vectors:
    """Vectors of names, which a process that opens an index again need not wait for again."""
    return shared_encoder().encode(names)


def _attribute_names(knowledge: IndexedKnowledge) -> tuple[str, ...]:
    """The most frequent names of attributes, and those every specification has."""
    counts = Counter(name for product in knowledge.products.values() for name in product.attributes)
    return ("Brand", "Category", "Price", *(name for name, _ in counts.most_common(KNOWN_NAMES)))
