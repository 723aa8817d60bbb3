"""Entailment: the embedding model, adapted to read a sentence together with its evidence."""

from graph.support.entailment.cross_encoder import CrossEncoder

__all__ = ["CrossEncoder"]
