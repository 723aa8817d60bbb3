"""Metrics: figures over judged rows, each with its 95 % interval."""
