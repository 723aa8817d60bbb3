"""Who may use the page: the password, the gate before it, and the owner of a conversation."""
