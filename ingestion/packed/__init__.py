"""Models whose weights ship packed in four bits."""

from ingestion.packed.weights import checked, pack, unpack

__all__ = ["checked", "pack", "unpack"]
