"""Confidence: whole turns it is learnt from, its training, and how well it is calibrated."""
