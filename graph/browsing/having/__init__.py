"""Products of a kind that have what is asked for: "which tents have two doors", "phones with NFC"."""

from graph.browsing.having.answer import having

__all__ = ["having"]
