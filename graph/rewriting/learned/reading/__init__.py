"""Reading a conversation: its words, phrases and topics, and what of a question may be missing."""
