"""All that a node may use."""

from dataclasses import dataclass

from graph.options import GraphOptions
from graph.parts.answering import Responder, Verifier, Writer
from graph.parts.backend import Backend
from graph.parts.catalog import CatalogSearch, OutsideCatalog
from graph.parts.knowledge import Encoder, KnowledgeBase
from graph.parts.reading import StatementFinder
from graph.parts.surroundings import Clock, Desk, Recorder
from graph.parts.understanding import IntentModel, Rewriter


@dataclass(frozen=True, slots=True)
class Context:
    """Everything a node may use; handed to the graph at each turn through `Runtime[Context]`."""

    knowledge: KnowledgeBase
    encoder: Encoder
    finder: StatementFinder
    rewriter: Rewriter
    catalog: CatalogSearch
    intents: IntentModel
    responder: Responder
    verifier: Verifier
    desk: Desk
    recorder: Recorder
    clock: Clock
    options: GraphOptions
    config_hash: str
    backends: tuple[Backend, ...] = ()
    outside_catalog: OutsideCatalog | None = None
    writer: Writer | None = None
