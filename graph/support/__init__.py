"""Support: how probable it is that evidence says what a sentence claims."""

from graph.support.model import SupportModel

__all__ = ["SupportModel"]
