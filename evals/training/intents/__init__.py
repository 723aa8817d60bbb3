"""Training of the intent model."""
