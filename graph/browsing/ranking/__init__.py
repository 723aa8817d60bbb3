"""Ranking: which of several products has most or least of something ("the lightest tent")."""

from graph.browsing.ranking.answer import ranked

__all__ = ["ranked"]
