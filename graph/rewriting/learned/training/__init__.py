"""Training of the learned rewriter from benchmark packs."""
