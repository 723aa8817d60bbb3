"""Sensitive claims: what is so high-stakes that only a primary source may say it, in the same words."""
