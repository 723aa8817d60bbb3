"""Quotations: what a source says, in a sentence that says who says it."""

from graph.language.sentences import ended
from ingestion.source_types import SOURCE_TABLE

_QUOTES = str.maketrans({"“": "‘", "”": "’", '"': "'", "[": "(", "]": ")"})


def quoted(source_type: str, text: str) -> str:
    """What a source says, in a sentence that says who says it.

    Square brackets become round ones, so that nothing a source says can be read as a marker.
    """
    frame = SOURCE_TABLE[source_type].quote
    flat = " ".join(text.split())
    if not frame:
        return ended(flat.replace("[", "(").replace("]", ")"))
    return ended(frame.format(text=flat.translate(_QUOTES)))
