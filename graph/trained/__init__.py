"""What trained parts share: how rows are split into folds, and the plainest model of all."""
