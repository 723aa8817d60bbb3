"""Training of product matching."""
