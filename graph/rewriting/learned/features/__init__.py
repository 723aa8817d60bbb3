"""Features by which edits are judged: of the question, of a candidate in its conversation, of the edit itself."""
