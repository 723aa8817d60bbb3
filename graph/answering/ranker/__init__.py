"""The ranker: which of the answers that the evidence offers is the one that was asked for, learnt from shops."""

from graph.answering.ranker.ranker import Ranker, ShippedRanker, Weighing

__all__ = ["Ranker", "ShippedRanker", "Weighing"]
