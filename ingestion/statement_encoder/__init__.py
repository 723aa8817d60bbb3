"""The statement encoder: brings a shopper's message near to the statements of a shop that answer it."""

from ingestion.statement_encoder.encoder import StatementEncoder, shared_statement_encoder

__all__ = ["StatementEncoder", "shared_statement_encoder"]
