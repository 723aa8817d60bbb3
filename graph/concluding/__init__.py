"""The end of a turn: how sure it is, who takes over."""
