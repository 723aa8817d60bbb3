"""Shops: questions and claims made from a shop's own files, with what is right of them."""
