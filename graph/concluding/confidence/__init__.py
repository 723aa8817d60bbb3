"""Confidence: how probable it is that an answer is right and supported."""

from graph.concluding.confidence.scoring import confidence_of

__all__ = ["confidence_of"]
