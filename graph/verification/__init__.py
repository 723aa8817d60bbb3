"""Verification: no sentence is shown that its own citations do not support."""

from graph.verification.verifier import SentenceVerifier

__all__ = ["SentenceVerifier"]
