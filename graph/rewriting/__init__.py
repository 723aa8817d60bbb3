"""Rewriting: making a question stand alone from the thread and the open page."""

from graph.rewriting.rules import RuleRewriter
from graph.rewriting.spelled import SpelledRewriter

__all__ = ["RuleRewriter", "SpelledRewriter"]
