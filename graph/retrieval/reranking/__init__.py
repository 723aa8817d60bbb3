"""Reranking: how probable it is that a piece of evidence answers a question alone."""

from graph.retrieval.reranking.candidate import Candidate
from graph.retrieval.reranking.reranker import Reranker

__all__ = ["Candidate", "Reranker"]
