"""Intents: what a question asks for, how sure that is, and the branch it chooses."""
