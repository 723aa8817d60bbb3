"""Answers without an LLM: composed from structured facts, quoted from prose, counted from reviews."""
