"""Evaluation: conversation fixtures and replay, component metrics, recipes of training, benchmarks and reports."""
