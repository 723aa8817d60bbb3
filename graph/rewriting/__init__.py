"""Rewriting: making a question stand alone from the thread and the open page."""

from graph.rewriting.misspellings import SpelledRewriter
from graph.rewriting.rules import RuleRewriter

__all__ = ["RuleRewriter", "SpelledRewriter"]
