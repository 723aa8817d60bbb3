"""The one place that chooses the real parts of a turn."""

import logging
import threading
from collections import Counter
from pathlib import Path

from app.backends.catalog_search import HttpCatalogSearch
from app.backends.http_backend import HttpBackends
from app.clock import SystemClock
from app.llm.wiring import served_model
from app.records import Records
from app.settings import Settings
from graph.answering.responder import LocalResponder
from graph.answering.reviews import sentiment
from graph.catalog import LocalCatalog
from graph.intents.shop import intent_parts
from graph.language.detection import is_foreign
from graph.language.units import converted
from graph.llm.dialogue import DialogueManager
from graph.llm.experiences import EXPERIENCES
from graph.llm.model import LanguageModel
from graph.llm.writer import CitedWriter
from graph.options import GraphOptions
from graph.parts import Clock, Context, Rewriter, Verifier, Writer
from graph.retrieval.caching import CachingEncoder
from graph.rewriting import LearnedRewriter, RuleRewriter, SpelledRewriter
from graph.rewriting.flags import FlagReader
from graph.rewriting.scene import NameFinder
from graph.support import SupportModel
from graph.verification import SentenceVerifier
from ingestion.encoder import shared_encoder
from ingestion.errors import KnowledgeError
from ingestion.evidence import SOURCE_TYPES
from ingestion.knowledge import IndexedKnowledge, latest_generation, open_knowledge

logger = logging.getLogger(__name__)


KNOWN_NAMES = 1000
"""Attribute names embedded when an index is opened; the first question about a product then need not."""


class Wiring:
    """The parts over one index, made anew when the index has a new generation.

    Attributes:
        records: The audit, which outlives generations.
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
        self._index, self._settings = index, settings
        self._clock = clock or SystemClock()
        self._encoder = CachingEncoder(shared_encoder())
        self._support = SupportModel(shared_encoder())
        self._learned = LearnedRewriter.load()
        self._lock = threading.Lock()
        self._knowledge = open_knowledge(index)
        self._retired: IndexedKnowledge | None = None
        self._backends = HttpBackends(settings.backends, self._clock)
        outside = settings.catalog_search
        self._outside = HttpCatalogSearch(outside, self._clock) if outside.url else None
        self._model = model or served_model(settings.llm)
        self.records = Records(settings.records, self._clock, settings.team)
        self._context = self._parts()
        self._warm_up()

    def context(self) -> Context:
        """The parts of the next turn, over the generation that answers now.

        A generation that has just become unreadable does not end a running conversation: the one that is open goes on.
        """
        with self._lock:
            try:
                if latest_generation(self._index) != self._knowledge.generation:
                    self._move_to(open_knowledge(self._index))
            except KnowledgeError:
                logger.exception("The index cannot be read; generation %s goes on", self._knowledge.generation)
            return self._context

    def close(self) -> None:
        """Close the index and the records."""
        self.records.close()
        self._backends.close()
        if self._model is not None:
            self._model.close()
        if self._outside is not None:
            self._outside.close()
        self._knowledge.close()
        if self._retired is not None:
            self._retired.close()

    def _warm_up(self) -> None:
        """Load models and indexes, which takes seconds: better now than in a customer's first turn."""
        vectors = self._encoder.encode(_attribute_names(self._knowledge))
        self._knowledge.dense(vectors[0], SOURCE_TYPES, 1)
        self._knowledge.lexical("fine", SOURCE_TYPES, 1)
        self._support.probability("fine", ["fine"])
        sentiment("fine")
        converted("1 kg", "pound")
        is_foreign("Quels sont les frais ?")

    def _move_to(self, knowledge: IndexedKnowledge) -> None:
        """Use a new generation; the one before stays open for the turns that are still reading it."""
        if self._retired is not None:
            self._retired.close()
        self._retired, self._knowledge = self._knowledge, knowledge
        self._context = self._parts()

    def _parts(self) -> Context:
        knowledge = self._knowledge
        catalog = LocalCatalog(knowledge.products)
        settings = self._settings
        intents, options, config_hash = intent_parts(self._index, self._encoder, settings.graph, settings.config_hash)
        flags = FlagReader(self._encoder)
        verifier = SentenceVerifier(self._support)
        return Context(
            knowledge=knowledge,
            encoder=self._encoder,
            rewriter=self._rewriter(
                SpelledRewriter(RuleRewriter(catalog, self._learned, flags), catalog, knowledge), catalog
            ),
            catalog=catalog,
            intents=intents,
            responder=LocalResponder(self._encoder, flags),
            verifier=verifier,
            desk=self.records,
            recorder=self.records,
            clock=self._clock,
            options=options,
            config_hash=config_hash,
            backends=self._backends.parts,
            outside_catalog=self._outside,
            writer=self._writer(verifier, options),
        )

    def _rewriter(self, local: Rewriter, names: NameFinder) -> Rewriter:
        """The local rewriter, and the dialogue manager around it where a model is asked."""
        llm = self._settings.llm
        if self._model is None or not llm.serves("rewrite"):
            return local
        return DialogueManager(local, self._model, names, llm.refinement, always=llm.rewrite_always)

    def _writer(self, verifier: Verifier, options: GraphOptions) -> Writer | None:
        """What lets a model write; None where answers are local."""
        llm = self._settings.llm
        if self._model is None or not llm.serves("respond"):
            return None
        offered = [name for name in EXPERIENCES if name != "judge" or llm.serves("judge")]
        return CitedWriter(self._model, verifier, self._encoder, options.sensitive, llm.max_tokens, offered)


def _attribute_names(knowledge: IndexedKnowledge) -> list[str]:
    """The most frequent names of attributes, and those every specification has."""
    counts = Counter(name for product in knowledge.products.values() for name in product.attributes)
    return ["Brand", "Category", "Price", *(name for name, _ in counts.most_common(KNOWN_NAMES))]
