"""Answerability: how probable it is that the best of a product's evidence answers a question."""

from graph.answerability.weights import answerable

__all__ = ["answerable"]
