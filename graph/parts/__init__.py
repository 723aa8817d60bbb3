"""The parts a turn is made from, as Protocols: each has a small implementation, and tests pass fakes."""

from graph.parts.answering import Dropped, Question, Responder, Verdict, Verifier, Writer, Written
from graph.parts.catalog import CatalogResult, CatalogSearch, OutsideAnswer, OutsideCatalog, OutsideProduct
from graph.parts.context import Context
from graph.parts.knowledge import Encoder, KnowledgeBase, Vectors
from graph.parts.reading import Judgement, Models, Pair, Reader, Statement, StatementFinder
from graph.parts.surroundings import Clock, Desk, Recorder
from graph.parts.understanding import IntentModel, Rewrite, Rewriter

__all__ = [
    "CatalogResult",
    "CatalogSearch",
    "Clock",
    "Context",
    "Desk",
    "Dropped",
    "Encoder",
    "IntentModel",
    "Judgement",
    "KnowledgeBase",
    "Models",
    "OutsideAnswer",
    "OutsideCatalog",
    "OutsideProduct",
    "Pair",
    "Question",
    "Reader",
    "Recorder",
    "Responder",
    "Rewrite",
    "Rewriter",
    "Statement",
    "StatementFinder",
    "Vectors",
    "Verdict",
    "Verifier",
    "Writer",
    "Written",
]
