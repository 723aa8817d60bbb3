"""The pages of the shop's people."""
