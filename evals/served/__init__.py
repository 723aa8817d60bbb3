"""Turns over a served model, watched: what they cost, what they add to it, and whether anything wrong is shown."""
