"""Conversations: fixtures, what they expect, and the replay that checks it."""
