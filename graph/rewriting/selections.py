"""Selections: phrases that pick from what was shown, whichever way they do it."""

from graph.rewriting.comparatives import find_comparative
from graph.rewriting.listed import Selection, find_described, find_ordinal
from graph.rewriting.scene import Scene

_FEWEST = 2
"""Out of fewer there is nothing to pick."""


def find_selection(query: str, scene: Scene, *, named: bool) -> Selection | None:
    """A phrase that picks by place, by comparison or by description from the products shown or compared.

    Args:
        query: The user's words.
        scene: What they may refer to.
        named: Whether they name a product, so that a mere description picks none.
    """
    shown = scene.listed
    compared = scene.focus if len(scene.focus) > 1 else shown
    if len(compared) < _FEWEST:
        shown, compared = [], scene.last_two
    if len(compared) < _FEWEST:
        return None
    return (
        find_ordinal(query, shown or compared, scene.focus)
        or find_comparative(query, compared)
        or (None if named else find_described(query, shown or compared))
    )
