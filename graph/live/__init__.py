"""Live facts: what backends of the shop know now, asked beside the index and told instead of it."""
