"""A learned rewriter: puts into a question what it is missing, where a model expects that this makes it stand alone."""

from graph.rewriting.learned.rewriter import LearnedRewriter

__all__ = ["LearnedRewriter"]
