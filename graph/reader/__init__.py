"""The reader: whether a passage answers a question, what it says to one of yes or no, and what it bears out."""

from graph.reader.reader import ShippedReader, shared_reader

__all__ = ["ShippedReader", "shared_reader"]
