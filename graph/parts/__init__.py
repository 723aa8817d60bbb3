"""The parts a turn is made from, as Protocols: each has a small implementation, and tests pass fakes."""

from graph.intents.entropy import IntentModel
from graph.parts.answering import Question, Responder, Verdict, Verification, Verifier, Writer, Written
from graph.parts.catalog import CatalogSearch, OutsideAnswer, OutsideCatalog, OutsideProduct
from graph.parts.context import Clock, Context, Desk, Recorder, Rewrite, Rewriter
from graph.parts.knowledge import (
    Judgement,
    KnowledgeBase,
    Models,
    Pair,
    Reader,
    Statement,
    StatementFinder,
)
from graph.trained import Encoder, Vectors

__all__ = [
    "CatalogSearch",
    "Clock",
    "Context",
    "Desk",
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
    "Verification",
    "Verifier",
    "Writer",
    "Written",
]
