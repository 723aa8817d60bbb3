"""Transformers as ONNX Runtime computes them."""

from ingestion.inference.named import files_digest, model_files
from ingestion.inference.transformer import Transformer
from ingestion.inference.weights import checked

__all__ = ["Transformer", "checked", "files_digest", "model_files"]
