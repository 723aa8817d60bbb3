"""Transformers as ONNX Runtime computes them."""

from ingestion.inference.transformer import Transformer
from ingestion.inference.weights import checked, files_digest, model_files

__all__ = ["Transformer", "checked", "files_digest", "model_files"]
