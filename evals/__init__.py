"""Evaluation: conversation fixtures and their replay, component metrics, recipes of training, benchmarks and reports."""
