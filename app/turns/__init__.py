"""The running of a turn: in a thread of its own, one after the other in a conversation, and over in time."""
