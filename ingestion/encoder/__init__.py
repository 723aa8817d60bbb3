"""The embedding model: brings texts of like meaning near to each other."""

from ingestion.encoder.encoder import (
    DEEP_DIMENSIONS,
    DIMENSIONS,
    MAX_TOKENS,
    WEIGHTS,
    SentenceEncoder,
    Vectors,
    model_folder,
    shared_encoder,
)

__all__ = [
    "DEEP_DIMENSIONS",
    "DIMENSIONS",
    "MAX_TOKENS",
    "WEIGHTS",
    "SentenceEncoder",
    "Vectors",
    "model_folder",
    "shared_encoder",
]
