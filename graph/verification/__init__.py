"""Verification: no sentence is shown that its own citations do not support."""

from graph.verification.verifier import SentenceVerifier, SupportModel

__all__ = ["SentenceVerifier", "SupportModel"]
