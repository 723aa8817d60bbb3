"""Training: a recipe for each trained part, and the made-up shops and messages that some learn from."""
