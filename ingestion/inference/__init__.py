"""Transformers as ONNX Runtime computes them."""

from ingestion.inference.transformer import Transformer
from ingestion.inference.weights import checked

__all__ = ["Transformer", "checked"]
