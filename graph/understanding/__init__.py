"""What a question asks, read once."""
