"""From a question to the evidence that may answer it."""
