"""Reranking: how well each piece of evidence answers a question, read word by word (late interaction)."""

from graph.retrieval.reranking.candidate import Candidate
from graph.retrieval.reranking.reranker import LateInteractionReranker, TokenEncoder

__all__ = ["Candidate", "LateInteractionReranker", "TokenEncoder"]
