"""Evaluation: conversation fixtures, replay, invariants, component metrics and benchmarks."""
