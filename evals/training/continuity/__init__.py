"""Training of what tells a change of subject."""
