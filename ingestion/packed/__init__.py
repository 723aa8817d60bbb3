"""Transformers whose weights ship in four bits, as ONNX Runtime computes them."""

from ingestion.packed.weights import checked

__all__ = ["checked"]
