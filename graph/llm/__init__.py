"""Answering with a language model that nobody trusts: one prefix for every request, and each sentence verified."""
