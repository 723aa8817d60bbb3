"""Benches: how fast and how large, each beside a bare peer in the same run."""
