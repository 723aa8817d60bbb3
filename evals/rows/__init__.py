"""Rows: their shapes, how they are read, and how turns and rewrites are made of one that has no shop behind it."""
