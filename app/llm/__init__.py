"""A served language model: its settings, its client and what keeps a turn from waiting for it in vain."""
