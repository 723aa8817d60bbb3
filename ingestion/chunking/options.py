"""How documents are cut, as settings name it."""

from dataclasses import dataclass
from typing import Literal

ChunkerName = Literal["recursive", "fixed", "sentence", "semantic"]

LEAST_CHUNK_TOKENS = 64
"""Chunks hold no less than this: a little more than what they may repeat of each other."""


@dataclass(frozen=True, slots=True)
class ChunkOptions:
    """How documents are cut and embedded; equal options make equal chunks of equal documents.

    Attributes:
        chunker: The way to cut.
        chunk_tokens: Most tokens of a chunk's text; None for as many as the model's window has room for.
        metadata: Whether title, section, description and keywords are embedded before the text.
    """

    chunker: ChunkerName = "recursive"
    chunk_tokens: int | None = None
    metadata: bool = True
